# completion.bash FILE OPTIONS: loads the completion FILE and asks it what it would offer, as bash
# does after Tab. Says what is wrong, and at last how many answers were right.
# OPTIONS is a file of all options, one a line, as --help has them.
set -u
mapfile -t options <"$2"
# shellcheck source=data/completions/particles.bash
. "$1"
answers=0

# The completion asks the program what its options are; each time the same.
program_says=$("$PROGRAM" --completion)
particles() {
    [[ $* == --completion ]] && printf '%s\n' "$program_says"
}

# Outside of a completion this builtin would fail.
compopt() {
    asked_for+=" $2"
}

# ask WORD...: the answer to these words, sorted, with the last one to be completed
ask() {
    COMP_WORDS=(particles "$@")
    COMP_CWORD=$#
    asked_for=
    COMPREPLY=()
    _particles
    answer=${COMPREPLY[*]}
    ((${#COMPREPLY[@]} < 2)) || answer=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' '|')
    answer=${answer%|}
}

# expect ANSWER OPTIONS_OF_COMPOPT WORD...: the same, compared
expect() {
    local wanted=$1 wanted_options=$2
    shift 2
    ask "$@"
    if [[ $answer == "$wanted" && $asked_for == "${wanted_options:+ }$wanted_options" ]]; then
        answers=$((answers + 1))
    else
        echo "'$*' offers '$answer' ($asked_for) instead of '$wanted' ($wanted_options)"
    fi
}

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
touch "$folder/gas.txt" "$folder/my file" "$folder/gap=1"
mkdir "$folder/sub"
cd "$folder" || exit 1
files='gap=1|gas.txt|my file|sub'

expect "$(printf '%s\n' "${options[@]}" | sed 's/\(.*\)\[=.*/\1\n\1=/; s/=.*/=/' | sort |
    tr '\n' '|' | sed 's/|$//')" "" -
expect --schedule= nospace --sch
expect '--stats|--stats-from=|--stats=|--step=|--stream-temperature=|--stream=|--structure=' "" --st
expect --quiet "" --q
expect "" "" --unknown
request='--area-fraction=|--aspect=|--completion|--config=|--disordered|--domain=|--generate=|--help|--mass=|--obstacle=|--periodic=|--quiet|--radius=|--seed=|--speed=|--stream-temperature=|--stream=|--version|-V|-h'
expect "$request" "" --generate = 5 -
expect "$request" "" --seed=3 --generate=5 -
expect "" "" --generate 5 --an
expect "--stats|--stats-from=|--stats=|--step=|--structure=" "" --step=1 --st
expect "--reference-length=|--report=|--resume=" "" --resume = saved --re
expect --generate= nospace --gen
# Values, after "=" that readline has made a word of its own, or not, and as the next word.
declare -A had=()
for option in "${options[@]}"; do
    name=${option%%[=[]*} value=${option#*=}
    [[ $option == *=* ]] || continue
    case ${value%]} in
    FILE) wanted=$files wanted_options=filenames ;;
    KIND) wanted='array|auto|cells|textbook' wanted_options= ;;
    RULE) wanted='elastic|swap' wanted_options= ;;
    AXES) wanted='x|xy|y' wanted_options= ;;
    COLUMNS) wanted='psi6|species|time|unwrapped|voronoi' wanted_options= ;;
    FIELD) wanted='density|mach|pressure|speed|temperature' wanted_options= ;;
    HOW) wanted='particles|rest' wanted_options= ;;
    PART) continue ;;
    *) wanted='' wanted_options= ;;
    esac
    [[ $name == --threads ]] && wanted=auto value=auto
    expect "$wanted" "$wanted_options" "$name" =
    [[ ! ${had[${value%]}]-} || ${THOROUGH-} ]] || continue # one of each kind of values
    had[${value%]}]=yes
    expect "$wanted" "$wanted_options" "$name" = ''
    if [[ $option != *\[* ]]; then
        expect "$wanted" "$wanted_options" "$name" ''
    fi
done
expect 'array|auto' "" --schedule = a
expect '--schedule=array|--schedule=auto' "" --schedule=a
expect --events=gas.txt filenames --events=gas
expect 'elastic' "" gas.txt --rule e
# Interactions and constraints and, in quotation marks, their keys.
expect 'gravitation|gravity' '' --interaction = grav
expect 'contact|link|pin|walls' '' --constraint ''
expect 'gravity direction=|gravity g=' nospace --interaction = '"gravity '
expect 'gravity g=1 direction=|gravity g=1 direction=...' nospace --interaction "'gravity g=1 d"
expect 'walls restitution=|walls restitution=...' nospace --constraint = '"walls '
expect '' nospace --constraint = '"gravity '
# Files, of which INPUT is one and END_TIME none.
expect "$files" filenames ''
expect 'my file' filenames 'my\ f'
expect 'my file' filenames '"my f'
expect 'gas.txt' filenames --schedule = array --quiet --rule swap gas
expect "$files" filenames --stats ''
expect "" "" gas.txt ''
expect "" "" - ''
expect "" "" --generate = 5 ''
expect "" "" --generate=5 ''
expect "" "" --resume = saved ''
expect "" "" --resume=saved ''
expect "" "" --resume saved ''
expect gas.txt filenames --stats=gas.txt gas
echo "$answers answers"
