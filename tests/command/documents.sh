#!/bin/sh
# The texts about the program agree with it and with each other: the options of the table in
# src/cli/options.c, of --help, of the manual page and of both completions are the same, with the same
# values; so are the figures of --stats and the exit statuses; and there is one version. The README
# files name only what exists, and their commands work.
#
# A new option has to be entered in each of these texts but the README files. An option is compared
# as --help has it: --schedule=KIND, --stats[=FILE], --quiet, -h.
. tests/support/expect.sh
LC_ALL=C
export LC_ALL

page=data/particles.1.in
bash=data/completions/particles.bash
zsh=data/completions/_particles
particles --help
mv "$work/out" "$work/help"

# in_help, in_page, in_bash, in_zsh: the options there, one a line. In the help an option
# stands at the beginning of a line, and another one may follow.
in_help() {
    sed -n 's/^ *\(-[a-zA-Z]\), /\1 /; s/^ *-/-/p' "$work/help" |
        awk '{ for (k = 1; k <= NF && $k ~ /^-/; k++) print $k }'
}
in_page() {
    sed -n '/^\.Sh OPTIONS/,/^\.Sh INPUT/s/^\.It Fl //p' "$page" | sed '
        s/ Ns Op Ns = Ns Ar \(.*\)/[=\1]/
        s/ Ns = Ns Ar /=/; s/^/-/; s/ , Fl / -/' | tr ' ' '\n'
}
in_bash() {
    sed -n '/^_particles_options="/,/"$/p' "$bash" | tr -d '"' | tr ' ' '\n' | grep '^-'
}
# There an item is '(others)--NAME=[what it does]:VALUE:...' or '(others)'{-h,--help}'[...]', and a
# value that can be left out has two colons.
in_zsh() {
    sed -n "s/^ *'([^)]*)'{\(.*\)}.*/\1/p
        s/^ *'\(([^)]*)\)*\*\{0,1\}\(--[^:]*\)\[.*\]\(:*[A-Za-z]*\).*/\2\3/p" "$zsh" |
        sed 's/=-::\(.*\)/[=\1]/; s/=:/=/' | tr , '\n'
}
in_help | sort >"$work/options"
verdict "there are options" "$([ "$(wc -l <"$work/options")" -ge 22 ] || cat "$work/options")"
for text in page bash zsh; do
    "in_$text" | sort >"$work/$text"
    verdict "the options in the $text are those of --help" "$(diff "$work/$text" "$work/options")"
done

# The table knows letters, and whether there is a value, but not its name.
sed -n 's/^ *{"\([^"]*\)", \([^ ]*\), \([a-z]*\)_argument,.*/\1 \3 \2/p' src/cli/options.c |
    while read -r name argument letter; do
        case $argument in
        no) echo "--$name" ;;
        required) echo "--$name=" ;;
        optional) echo "--${name}[=]" ;;
        esac
        case $letter in
        "'"?"'") echo "$letter" | tr "'" - | cut -c 1-2 ;;
        esac
    done | sort >"$work/table"
sed 's/=[A-Za-z]*/=/' "$work/options" | sort >"$work/nameless"
verdict "the options of the table are those of --help" "$(diff "$work/table" "$work/nameless")"

# An option that writes a file is among those that are tested together: with no memory, full disks,
# interruptions, several threads, other machines.
sed -n 's/^\(--[a-z]*\)\[*=FILE.*/\1/p' "$work/options" | grep -v -e --config -e --domain -e --obstacle -e --resume -e --checkpoint |
    while read -r option; do
        for list in tests/command/checkpoint.sh tests/command/faults.sh tests/command/observers.sh \
            tests/command/out_of_memory.sh tests/command/tiles.sh scripts/portability; do
            grep -q -e "$option=" $list || echo "$option is not in $list"
        done
    done >"$work/untested"
verdict "the options that write files are tested together" "$(cat "$work/untested")"

# values OPTION: the words that OPTION takes, as the program says them when it gets another one
values() {
    particles "--$1=?" x 1
    sed -n 's/.*: use //; s/, / /g; s/ or / /gp' "$work/err"
}
for option in schedule rule fields-show; do
    words=$(values $option)
    value=$(sed -n "s/^--$option=//p" "$work/options")
    verdict "--$option takes words" "$([ -n "$words" ] || cat "$work/err")"
    verdict "--$option in bash" "$(
        grep -q "^    $value) _particles_words \"$words\" ;;$" $bash || echo "not: $words")"
    verdict "--$option in zsh" "$(
        grep -q "^    '--$option=.*:$value:($words)'" $zsh || echo "not: $words")"
    for word in $words; do
        verdict "--$option=$word in the help" "$(
            sed -n "/^ *--$option=/,/^ *--[^ ]*  /p" "$work/help" | grep -q "^  *$word  " || echo missing)"
        verdict "--$option=$word in the page" "$(
            sed -n "/^\.It Fl -$option /,/^\.El/p" $page | grep -qx "\.It Cm $word" || echo missing)"
    done
done

# The figures: those that --stats=FILE writes, in their order, in a run with a polygon in a stream, and
# then in steps.
printf '1 1\n1 2\n' >"$work/polygon"
particles --stats="$work/figures" --obstacle="$work/polygon" --periodic=x --stream=1 data/particles_only.txt 1
sed -n 's/ = .*//p' "$work/figures" | sed 's/_polygon_0$/_polygon_K/' >"$work/keys"
particles --stats="$work/figures" --step=1 data/particles_only.txt 1
sed -n 's/ = .*//p' "$work/figures" >>"$work/keys"
sed -n '/^\.Sh STATISTICS/,/^\.Sh FORCES/s/^\.It Cm //p' "$page" | tr -d ',' |
    tr -s ' ' '\n' >"$work/page.keys"
verdict "there are figures" "$([ "$(wc -l <"$work/keys")" -ge 30 ] || cat "$work/keys")"
verdict "the figures in the page are those of --stats" "$(diff "$work/keys" "$work/page.keys")"

# What acts in steps, with its keys, in the order in which messages name them.
for option in interaction constraint; do
    particles --step=1 --$option=? data/particles_only.txt 1
    for name in $(sed 's/.*there are //; s/,//g' "$work/err"); do
        particles --step=1 --$option="$name ?=1" data/particles_only.txt 1
        keys=$(sed 's/.*: it has //; s/,//g' "$work/err")
        verdict "$name and its keys in the page" "$(
            sed -n "s/^\.It Cm $name Ns No ..//p" $page | sed 's/=[^ ]*//g' | grep -qx "$keys" || echo "not: $keys")"
    done
done

# The exit statuses; a signal's is no status of the program's own.
sed -n 's/^ *STATUS_[A-Z_]* = \([0-9]*\),.*/\1/p' include/base/error.h >"$work/statuses"
tr '\n' ' ' <"$work/help" | sed 's/.*Exit status: //' |
    tr ',' '\n' | sed 's/^ *\([0-9]*\).*/\1/' | xargs -n 1 >"$work/help.statuses"
sed -n '/^\.Sh EXIT STATUS/,/^\.Sh SIGNALS/s/^\.It //p' $page >"$work/page.statuses"
for text in help page; do
    verdict "the exit statuses in the $text" "$(diff "$work/statuses" "$work/$text.statuses")"
done

# The format of checkpoints is that of its version: tests/unit/observe/test_checkpoint_format.c compares
# a checkpoint of each observer that saves something.
format=$(sed -n 's/.*define RECORD_VERSION *"\(.*\)".*/\1/p' include/io/record.h)
verdict "the page has the format of checkpoints" "$(
    grep -q "^particles checkpoint $format .*format $format$" $page || echo "not: $format")"
verdict "a checkpoint of all observers is kept" "$(
    sed -n 's/.*\.option = "\(.*\)".*/\1/p' src/*/*.c | sort -u >"$work/savers"
    sed -n 's/^observers //p' "tests/unit/observe/checkpoint.$format" \
        "tests/unit/observe/stepped.$format" | tr ' ' '\n' | sort -u |
        diff "$work/savers" -)"
verdict "the page has what each of them saves" "$(
    sed -n '/^\.Sh CHECKPOINT FILE/,/^\.Sh GENERATED/s/^\.It Fl /-/p' $page | sort | diff "$work/savers" -)"

# The version.
version=$(sed -n 's/.*PARTICLES_VERSION "\(.*\)".*/\1/p' include/cli/help.h)
particles --version
verdict "the program's version" "$([ "particles $version" = "$(cat "$work/out")" ] || cat "$work/out")"
if [ -f "$BUILD/particles.1" ]; then
    verdict "the page's version" "$(
        grep -qx "\.Os particles $version" "$BUILD/particles.1" || grep '^\.Os' "$BUILD/particles.1")"
else
    verdict "the page is made" "there is no $BUILD/particles.1"
fi

# The README files: the options that they name; the files that they link to or name; their commands.
find . -name '*.md' ! -path './build/*' | sed 's/^\.\///' >"$work/documents"
{
    sed 's/[=[].*//' "$work/options"
    for script in sweep polygon movie grade cases; do
        scripts/$script --help | grep -o -e '--[a-z-]*[a-z]'
    done
} >"$work/names"
while read -r document; do
    folder=$(dirname "$document")
    verdict "the options in $document" "$(grep -v sbatch "$document" | grep -o -e '--[a-z-]*[a-z]' |
        grep -vFx -f "$work/names")"
    verdict "the links in $document" "$(grep -o -e '](\([^):]*\))' -e 'src="[^"]*"' "$document" |
        sed 's/^](//; s/^src="//; s/[)"]$//' | while read -r link; do
            [ -e "$folder/$link" ] || echo "$link"
        done)"
    # shellcheck disable=SC2016 # these are not commands
    verdict "the files in $document" "$(grep -o '`[a-z.]*/[a-zA-Z0-9_./-]*\.[a-z0-9]*`' "$document" | tr -d '`' |
        grep -v -e '^build/' -e FOLDER | while read -r file; do
            [ -e "$file" ] || [ -e "$folder/$file" ] || echo "$file"
        done)"
done <"$work/documents"
mkdir "$work/place"
ln -s "$PWD/data" "$PWD/scripts" "$work/place"
ln -s "$PROGRAM" "$work/place/particles"
sed -n 's/^    \(\(scripts\/polygon\|\.\/particles\) .*\)/\1/p' README.md >"$work/commands"
verdict "the README has commands" "$([ "$(wc -l <"$work/commands")" -ge 3 ] || cat "$work/commands")"
# Of runs whose answer goes to a file, the beginning is enough.
while read -r command; do
    [ -n "$THOROUGH" ] || command=$(echo "$command" | sed 's/ [0-9.]* > end.txt$/ 0.1 > end.txt/')
    verdict "the README's $command" "$(cd "$work/place" && sh -c "$command" >out 2>err || cat err)"
done <"$work/commands"
verdict "the README's answer" "$(
    (cd "$work/place" && ./particles data/particles_only.txt 100) >"$work/answer"
    sed -n 's/^    \(.*, .*, [0-9]*, [0-9]*\)$/\1/p' README.md | grep -vFx -f "$work/answer")"

# What the tools for such texts say.
if command -v mandoc >/dev/null; then
    verdict "mandoc has nothing to say" "$(mandoc -Tlint -Wwarning "$BUILD/particles.1" 2>&1)"
    verdict "the page fits on 80 columns" "$(
        mandoc -Tascii -O width=78 "$BUILD/particles.1" |
        awk '{ gsub(".\b", "") } length > 78')"
else
    echo "skipped: the lint of the manual page, for there is no mandoc"
fi
if command -v bash >/dev/null; then
    bash tests/command/completion.bash $bash "$work/options" >"$work/log" 2>&1
    verdict "completion in bash" "$(grep -v '^[0-9]* answers$' "$work/log")"
    verdict "completion in bash: there are answers" "$(grep -qx '[1-9][0-9][0-9]* answers' "$work/log" || echo none)"
else
    echo "skipped: completion in bash, for there is none"
fi
if command -v zsh >/dev/null; then
    verdict "zsh reads its completion" "$(zsh -n $zsh 2>&1)"
    verdict "completion in zsh" "$(
        timeout 60 zsh -f tests/command/completion.zsh "$PWD/data/completions" "$work/options" 2>&1 ||
            echo "status $?")"
else
    echo "skipped: completion in zsh, for there is none"
fi

finish
