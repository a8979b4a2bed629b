# shellcheck shell=bash
# Completion for particles in bash 4 and later: options, their values, and files where files belong.
# It needs nothing of the package bash-completion but to be found by it.

# The options, as --help has them; a new one needs no more than a word here. What completes a value
# goes by the name of the value: see _particles_value.
_particles_options="
    --config=FILE --schedule=KIND --threads=K --tile-side=CELLS --rule=RULE --restitution=E --contact-time=T --periodic=AXES
    --stream=U --stream-temperature=T --domain=FILE --obstacle=FILE
    --step=DT --substeps=K --interaction=PART --constraint=PART
    --stats[=FILE] --stats-from=T --sensitivity[=K] --sensitivity-file=FILE --sensitivity-status --events=FILE --trajectory=FILE --structure=FILE --fields=FILE --fields-grid=NXxNY --fields-show=FIELD --forces=FILE --reference-length=L --every=DT
    --checkpoint=FILE --checkpoint-every=SECONDS --resume=FILE
    --progress --picture=FILE --paths --animate=FILE --report=FILE --final=FILE --quiet
    --generate=N --area-fraction=F --radius=R --mass=M --aspect=A --speed=V --seed=S
    -h --help -V --version"

# Those that go with --generate.
_particles_request="
    --config=FILE --area-fraction=F --radius=R --mass=M --aspect=A --speed=V --seed=S --periodic=AXES --stream=U --stream-temperature=T --domain=FILE --obstacle=FILE --quiet -h --help -V --version"

# _particles_words WORDS: those of WORDS that begin with $word
_particles_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
}

# The files whose names begin with $word, which may be quoted as it was typed.
_particles_files() {
    local typed=${word#[\"\']}
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "${typed//\\/}")
}

# _particles_value NAME: completes $word, the value that --help calls NAME; a number cannot be
_particles_value() {
    case $1 in
    FILE) _particles_files ;;
    KIND) _particles_words "auto textbook array cells" ;;
    RULE) _particles_words "swap elastic" ;;
    AXES) _particles_words "x y xy" ;;
    FIELD) _particles_words "density speed temperature pressure mach" ;;
    esac
}

# _particles_name OPTION: sets $value to the name of OPTION's value, or to nothing if it has none,
# and $joined if that value has to follow a "="
_particles_name() {
    local option
    value='' joined=''
    for option in $_particles_options; do
        case $option in
        "$1="*) value=${option#*=} ;;
        "$1[="*) value=${option#*=} value=${value%]} joined=yes ;;
        esac
    done
}

# Counts the operands before the word that is to be completed: INPUT, END_TIME, and none at all of
# them with --generate or --resume.
_particles_operands() {
    local k before
    operands=0
    for ((k = 1; k < COMP_CWORD; k++)); do
        before=${COMP_WORDS[k]}
        case $before in
        --generate* | --resume*) operands=2 ;;
        =) k=$((k + 1)) ;; # where readline parts words, at "=", too
        --*=* | -?*)
            _particles_name "$before"
            if [[ $value && ! $joined && ${COMP_WORDS[k + 1]} != = ]]; then k=$((k + 1)); fi
            ;;
        *) operands=$((operands + 1)) ;;
        esac
    done
}

_particles() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local option='' value='' joined='' operands=0 prefix=''
    COMPREPLY=()

    # The value after "=", which is a word of its own or not, as COMP_WORDBREAKS has it.
    if [[ $word == --*=* ]]; then
        option=${word%%=*} prefix=${word%%=*}= word=${word#*=}
    elif [[ $word == = ]]; then
        option=$previous word=
    elif [[ $previous == = && $COMP_CWORD -gt 1 ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $previous == --* ]]; then
        _particles_name "$previous"
        option=${value:+$previous}
        [[ $joined ]] && option=
    fi
    if [[ $option ]]; then
        _particles_name "$option"
        _particles_value "$value"
        COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
        return
    fi

    if [[ $word == -* ]]; then
        # "--stats[=FILE]" stands for both "--stats" and "--stats="
        local words='' options=$_particles_options
        [[ " ${COMP_WORDS[*]:1:COMP_CWORD-1}" == *" --generate"* ]] && options=$_particles_request
        for option in $options; do
            case $option in
            *\[=*) words+=" ${option%%\[*} ${option%%\[*}=" ;;
            *=*) words+=" ${option%%=*}=" ;;
            *) words+=" $option" ;;
            esac
        done
        _particles_words "$words"
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
        return
    fi
    _particles_operands
    if ((operands == 0)); then _particles_files; fi
}

complete -F _particles particles
