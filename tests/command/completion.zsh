# completion.zsh FOLDER OPTIONS: starts zsh with the completions in FOLDER on a terminal of its own,
# types beginnings of commands and Tab, and says where what appears is not what should.
# OPTIONS is a file of all options, one a line, as --help has them.
zmodload zsh/zpty || exit 1
directory=$(mktemp -d) || exit 1
trap 'rm -rf $directory' EXIT
touch $directory/gas.txt "$directory/my file"

zpty shell "TERM=dumb COLUMNS=80 LINES=100 zsh -f -i"
zpty -w shell "cd $directory; PS1= PS2= RPS1=; LISTMAX=0; setopt no_always_last_prompt"
zpty -w shell "fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -D; echo rea''dy"
zpty -r shell seen '*ready*'

# ask TYPED: leaves what appears in $seen. An answer ends with a mark that the command line, which
# Control-U empties, prints.
ask() {
    local part
    zpty -n -w shell "$1"$'\t\t'
    sleep 0.2
    zpty -n -w shell $'\x15'"echo answ''ered"$'\n'
    zpty -r shell seen '*answered*'
}

# expect TYPED WORD...: each WORD appears
expect() {
    local typed=$1 word
    shift
    ask $typed
    for word; do
        [[ $seen == *$word* ]] || print -r -- "'$typed' does not offer '$word' but ${(q)seen}"
    done
}

expect 'particles --' $(sed 's/[=[].*//' $2 | grep -e '^--')
expect 'particles --schedule=' auto textbook array cells
expect 'particles --rule=' swap elastic
expect 'particles --stats=' gas.txt 'my\ file'
expect 'particles --rule=swap ' gas.txt 'my\ file'
expect 'particles --pict' --picture=
expect 'particles --generate=5 --' --area-fraction --radius --mass --aspect --speed --seed --periodic --stream --quiet
ask 'particles --generate=5 --'
for word in --animate --stats --rule --resume --checkpoint; do
    [[ $seen == *$word* ]] && print -r -- "$word is offered after --generate: ${(q)seen}"
done
expect 'particles --interaction=gr' gravity gravitation
expect 'particles --constraint="contact ' compliance= damping= restitution=
expect 'particles --step=1 --st' --stats --structure
ask 'particles --step=1 --st'
[[ $seen == *--stream* ]] && print -r -- "--stream is offered after --step: ${(q)seen}"
ask 'particles gas.txt '
[[ $seen == *'my\ file'* ]] && print -r -- "files are offered for END_TIME: ${(q)seen}"
ask 'particles --resume=gas.txt '
[[ $seen == *'my\ file'* ]] && print -r -- "files are offered for INPUT after --resume: ${(q)seen}"
zpty -d shell
exit 0
