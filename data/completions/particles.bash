# shellcheck shell=bash
# Completion for particles in bash 4 and later: options, their values, and files where files belong.
# It needs nothing of the package bash-completion but to be found by it. What the options are, the
# program says itself: see --completion in its manual page.

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

# _particles_parts OPTION: the interactions or constraints that begin with $word or, after a name in
# quotation marks, their keys. A second answer keeps readline from closing the quotation after a key.
_particles_parts() {
    local typed=${word#[\"\']} line names='' keys='' before=''
    [[ $typed == *' '* ]] && before=${typed% *}' '
    for line in "${table[@]}"; do
        case $line in
        "$1 ${typed%% *}|"*) keys=${line#*|} ;;&
        "$1 "*) line=${line%%|*} names+=" ${line#* }" ;;
        esac
    done
    word=${typed##* }
    if [[ ! $before ]]; then
        _particles_words "$names"
        return
    fi
    _particles_words "$keys"
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
    compopt -o nospace
    [[ ${#COMPREPLY[@]} -eq 1 ]] && COMPREPLY+=("${COMPREPLY[0]}...")
}

# _particles_name OPTION: sets $value to the name of OPTION's value, or to nothing if it has none,
# $joined if that value has to follow a "=", and $words to those that it may be
_particles_name() {
    local line option modes
    value='' joined='' words=''
    for line in "${table[@]}"; do
        case $line in
        "$1"[=[]*)
            IFS='|' read -r option modes words _ <<<"$line"
            value=${option#*=}
            [[ $option == *']' ]] && value=${value%]} joined=yes
            ;;
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

# The options that go with --generate, --resume and --step, if these stand before.
_particles_options() {
    local line option modes mode before=" ${COMP_WORDS[*]:1:COMP_CWORD-1}" all=''
    for line in "${table[@]}"; do
        IFS='|' read -r option modes _ <<<"$line"
        [[ $option == -* ]] || continue
        for mode in generate resume step; do
            [[ "$before " == *" --$mode"[\ =]* && " $modes " != *" $mode "* ]] && continue 2
        done
        case $option in
        *\[=*) all+=" ${option%%\[*} ${option%%\[*}=" ;; # with a value, and without
        *=*) all+=" ${option%%=*}=" ;;
        *) all+=" $option" ;;
        esac
    done
    _particles_words "$all"
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}

_particles() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local option='' value='' joined='' words='' operands=0 prefix='' table
    mapfile -t table < <("${COMP_WORDS[0]/#\~\//$HOME/}" --completion 2>/dev/null)
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
        case $value in
        FILE) _particles_files ;;
        PART) _particles_parts "${option#--}" ;;
        *) _particles_words "$words" ;;
        esac
        COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
    elif [[ $word == -* ]]; then
        _particles_options
    else
        _particles_operands
        if ((operands == 0)); then _particles_files; fi
    fi
}

complete -F _particles particles
