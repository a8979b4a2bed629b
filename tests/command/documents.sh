#!/bin/sh
# The texts about the program agree with it and with each other: the options of --help, which is made of
# the table of options, are those of the manual page, with the same values, headings and order; so are
# the figures of --stats and the exit statuses; and there is one version. The README files name only what
# exists, and their commands work.
#
# An option is compared as --help has it: --schedule=KIND, --stats[=FILE], --quiet, -h.
. tests/support/expect.sh
LC_ALL=C
export LC_ALL

page=$BUILD/particles.1
bash=data/completions/particles.bash
zsh=data/completions/_particles
particles --help
mv "$work/out" "$work/help"
particles --completion
mv "$work/out" "$work/table"

# in_help, in_page: the options there, one a line, and the headings before them. In the help an option
# stands at the beginning of a line, after at most six blanks.
in_help() {
    sed -n 's/^\([A-Z][a-z ]*\):$/\1/p
        s/^ *\(-[a-zA-Z]\), /\1 /; s/^ \{0,6\}\(-[^ ]*\)\( --[^ ]*\)\{0,1\}.*/\1\2/p' "$work/help" | sed 's/ --/\n--/'
}
in_page() {
    sed -n '/^\.Sh OPTIONS/,/^\.Sh FILES/p' "$page" | sed -n '
        s/^\.Ss //p
        /^\.It Fl /{
            s/// ; s/ Ns Op Ns = Ns Ar \(.*\)/[=\1]/ ; s/ Ns = Ns Ar /=/ ; s/^/-/ ; s/ , Fl /\n-/ ; p
        }'
}
in_help >"$work/help.options"
in_page >"$work/page.options"
verdict "the options in the page are those of --help" "$(diff "$work/page.options" "$work/help.options")"
grep '^-' "$work/help.options" | sort >"$work/options"
verdict "there are options" "$([ "$(wc -l <"$work/options")" -ge 50 ] || cat "$work/options")"
verdict "an option for tests is in no text" "$(cat "$work/help" "$work/table" "$page" | grep tile-side)"
verdict "the options of --completion are those of --help" "$(
    sed -n 's/^\(-[^|]*\)|.*/\1/p' "$work/table" | sort | diff - "$work/options")"
verdict "the page has what --step refuses" "$(
    sed -n 's/^--\([a-z-]*\)[^|]*|\([^|]*\).*/\1 \2/p' "$work/table" |
        grep ' run' | grep -v step | sed 's/ .*//' >"$work/refused"
    sed -n '/^It refuses/,/^In$/s/^\.Fl //p' "$page" | grep -o -e '-[a-z-]*[a-z]' | sed 's/^-//' |
        diff - "$work/refused")"

verdict "the page has what --lattice refuses" "$(
    sed -n '/^What needs particles/,/^\.Sh/s/^\.Fl //p' "$page" | grep -o -e '-[a-z-]*[a-z]' |
        while read -r option; do
            option=-$option
            value=$(sed -n "s/^$option=*//p" "$work/options" | tr -d '[]=')
            value=${value:+=1}
            [ "$option" != --schedule ] || value="=cells"
            particles --lattice=20 --quiet "$option$value" data/particles_only.txt 1
            grep -q "is not for --" "$work/err" || { echo "$option is not refused"; cat "$work/err"; }
        done)"

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

# The words that an option takes, as the program says them when it gets another one.
for option in schedule rule fields-show; do
    particles "--$option=?" x 1
    words=$(sed -n 's/.*: use //; s/, / /g; s/ or / /gp' "$work/err")
    value=$(sed -n "s/^--$option=//p" "$work/options")
    verdict "--$option takes words" "$([ -n "$words" ] || cat "$work/err")"
    verdict "the words of --$option in the help" "$(
        grep -q "^ *$value: $words$" "$work/help" || echo "not: $words")"
    verdict "the words of --$option for completions" "$(
        grep -q "^--$option=$value|[^|]*|$words|" "$work/table" || echo "not: $words")"
    for word in $words; do
        verdict "--$option=$word in the page" "$(
            sed -n "/^\.It Fl -$option /,/^\.El/p" "$page" | grep -qx "\.It Cm $word" || echo missing)"
    done
done

# The figures: those that --stats=FILE writes, in their order, in a run with a polygon in a stream, and
# then in steps. Its sides along x are seams.
printf '1 1\n1 2\n' >"$work/polygon"
awk 'NR < 4 { print; next } { print $1, $2, $3, $4, 1, 1, NR % 2 }' data/particles_only.txt >"$work/species"
particles --stats="$work/figures" --obstacle="$work/polygon" --periodic=x --stream=1 \
    --wall='bottom temperature=1' "$work/species" 1
sed -n 's/ = .*//p' "$work/figures" | sed 's/_polygon_0$/_polygon_K/
    s/^\(temperature\|pressure\)_0/\1_I/; s/_0_1/_I_J/; /_[01]_[01]/d; /_1$/d; /_1_error$/d' >"$work/keys"
particles --stats="$work/figures" --step=1 data/particles_only.txt 1
sed -n 's/ = .*//p' "$work/figures" >>"$work/keys"
printf '6 6\n12 6\n6 12\n' >"$work/polygon"
particles --stats="$work/figures" --obstacle="$work/polygon" --periodic=x --stream=1 --stream-temperature=50 \
    --lattice=20 --viscosity=10 data/particles_only.txt 0
sed -n 's/ = .*//p' "$work/figures" | sed 's/_polygon_0$/_polygon_K/' >>"$work/keys"
sed -n '/^\.Sh STATISTICS/,/^\.Sh FORCES/s/^\.It Cm //p' "$page" | tr -d ',' |
    tr -s ' ' '\n' | grep -v -e '^heat_[lr]' -e '^shear_[lr]' -e '^potential_' \
    -e '^absorbed' -e '^jamming_' -e '^rotational_' -e '^contacts_mean' -e '^rattlers' -e '^psi6_' >"$work/page.keys"
verdict "there are figures" "$([ "$(wc -l <"$work/keys")" -ge 30 ] || cat "$work/keys")"
verdict "the figures in the page are those of --stats" "$(diff "$work/keys" "$work/page.keys")"
particles --stats="$work/figures" --rule=elastic --grow=0.01 data/particles_only.txt 0.1
verdict "the figures of disks that grow are in the page" "$(sed -n '/^jamming/,$s/ = .*//p' "$work/figures" |
    while read -r key; do grep -q "^\.It Cm .*$key" "$page" || echo "$key"; done)"
particles --stats="$work/figures" --gravity=0,-1 data/particles_only.txt 1
verdict "the figures of gravity are in the page" "$(sed -n 's/^\(potential_[a-z]*\) = .*/\1/p' "$work/figures" |
    while read -r key; do grep -q "^\.It Cm $key" "$page" || echo "$key"; done; grep -q ^potential_end "$work/figures" || echo none)"

particles --stats="$work/figures" --rule=elastic --roughness=1 data/particles_only.txt 1
verdict "the figure of rotation is in the page" "$(grep -q '^rotational_temperature' "$work/figures" &&
    grep -q '^\.It Cm rotational_temperature' "$page" || echo none)"

# A new figure comes into the page by its row alone; what the page has of figures that are not there is refused.
mkdir -p "$work/changed"
cp -R src "$work/changed"
manual() {
    (cd "$work/changed" && sh "$OLDPWD/scripts/manual" 1 page) >"$work/out" 2>"$work/err"
}
cp data/particles.1.in "$work/changed/page"
awk '{ print } /"The mean of their squares/ {
    print "FIGURE(NEW, MEASURED, \"new\", \"\", \"\", \"Its \"\n\"meaning, (new).\")" }' \
    src/observe/figure_list.h >"$work/changed/src/observe/figure_list.h"
manual
verdict "a new figure is in the page" "$(cat "$work/err"
    printf '.It Cm new , new_error\nIts meaning, (new).\n' >"$work/item"
    sed -n '/^\.It Cm new/,/^\.It Cm speed_ratio/p' "$work/out" | sed '$d' | diff "$work/item" -)"
for edit in 's/^\.It Cm collision_rate$/.It Cm mach/' 's/^\(\.It Cm box_width ,\) .*/\1 kinds/' \
    's/^\.It Cm mach$/.It Cm nonsense/' 's/@FIGURES@ particles/@FIGURES@ kinds/' \
    's,@FIGURES@ steps/particles,@FIGURES@ steps/kinds,' 's,@FIGURES@ lattice/.*,,'; do
    sed "$edit" data/particles.1.in >"$work/changed/page"
    manual
    verdict "a page with $edit is refused" "$([ -s "$work/err" ] || echo "it is not")"
done

# Interactions and constraints with their keys, in the order in which messages name them.
for option in interaction constraint; do
    particles --step=1 --$option=? data/particles_only.txt 1
    for name in $(sed 's/.*there are //; s/,//g' "$work/err"); do
        particles --step=1 --$option="$name ?=1" data/particles_only.txt 1
        keys=$(sed 's/.*: it has //; s/,//g' "$work/err")
        verdict "$name and its keys in the page" "$(
            sed -n "s/^\.It Cm $name Ns No ..//p" "$page" | sed 's/=[^ ]*//g' | grep -qx "$keys" || echo "not: $keys")"
        verdict "$name and its keys for completions" "$(
            sed -n "s/^$option $name|//p" "$work/table" | tr -d = | grep -qx "$keys" || echo "not: $keys")"
    done
done

# The exit statuses; a signal's is no status of the program's own.
sed -n 's/^ *STATUS_[A-Z_]* = \([0-9]*\),.*/\1/p' include/base/error.h >"$work/statuses"
tr '\n' ' ' <"$work/help" | sed 's/.*Exit status: //' |
    tr ',' '\n' | sed 's/^ *\([0-9]*\).*/\1/' | xargs -n 1 >"$work/help.statuses"
sed -n '/^\.Sh EXIT STATUS/,/^\.Sh SIGNALS/s/^\.It //p' "$page" >"$work/page.statuses"
for text in help page; do
    verdict "the exit statuses in the $text" "$(diff "$work/statuses" "$work/$text.statuses")"
done

# The format of checkpoints is that of its version: tests/unit/observe/test_checkpoint_format.c compares
# a checkpoint of each observer that saves something.
format=$(sed -n 's/.*define RECORD_VERSION *"\(.*\)".*/\1/p' include/io/record.h)
verdict "a checkpoint of all observers is kept" "$(
    grep -l '\.state = ' src/*/*.c | xargs sed -n 's/^    \.\(option =\|kind = {\) *"\([^"]*\)".*/\2/p' | sort -u >"$work/savers"
    sed -n 's/^observers //p' "tests/unit/observe/checkpoint.$format" \
        "tests/unit/observe/stepped.$format" "tests/unit/observe/lattice.$format" | tr ' ' '\n' | sort -u |
        diff "$work/savers" -)"

# The version.
version=$(sed -n 's/.*PARTICLES_VERSION "\(.*\)".*/\1/p' include/cli/options.h)
particles --version
verdict "the program's version" "$([ "particles $version" = "$(cat "$work/out")" ] || cat "$work/out")"
verdict "the page's version" "$(grep -qx "\.Os particles $version" "$page" || grep '^\.Os' "$page")"

# The README files: the options that they name; the files that they link to or name; their commands.
find . -name '*.md' ! -path './build/*' | sed 's/^\.\///' >"$work/documents"
{
    sed 's/[=[].*//' "$work/options"
    echo --tile-side # for tests
    for script in sweep polygon movie grade cases; do
        scripts/$script --help | grep -o -e '--[a-z-]*[a-z]'
    done
    grep -o -e '--[a-z-]*[a-z]' scripts/plot # whose --help needs Python
} >"$work/names"
while read -r document; do
    folder=$(dirname "$document")
    verdict "the options in $document" "$(sed '/^```/,/^```$/d' "$document" | grep -v sbatch | grep -o -e '--[a-z-]*[a-z]' |
        grep -vFx -f "$work/names")"
    verdict "the links in $document" "$(grep -o -e '](\([^):]*\))' -e 'src="[^"]*"' "$document" |
        sed 's/^](//; s/^src="//; s/[)"]$//' | while read -r link; do
            [ -e "$folder/$link" ] || echo "$link"
        done)"
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

# Checks by the tools for such texts.
if command -v mandoc >/dev/null; then
    verdict "mandoc has nothing to say" "$(mandoc -Tlint -Wwarning "$page" 2>&1)"
    verdict "the page fits on 80 columns" "$(
        mandoc -Tascii -O width=78 "$page" |
        awk '{ gsub(".\b", "") } length > 78')"
else
    skip "the lint of the manual page" mandoc
fi
if command -v bash >/dev/null; then
    bash tests/command/completion.bash $bash "$work/options" >"$work/log" 2>&1
    verdict "completion in bash" "$(grep -v '^[0-9]* answers$' "$work/log")"
    verdict "completion in bash: there are answers" "$(grep -qx '[1-9][0-9][0-9]* answers' "$work/log" || echo none)"
else
    skip "completion in bash" bash
fi
if command -v zsh >/dev/null; then
    verdict "zsh reads its completion" "$(zsh -n $zsh 2>&1)"
    mkdir "$work/bin"
    ln -s "$PROGRAM" "$work/bin/particles"
    verdict "completion in zsh" "$(PATH=$work/bin:$PATH
        timeout 60 zsh -f tests/command/completion.zsh "$PWD/data/completions" "$work/options" 2>&1 ||
            echo "status $?")"
else
    skip "completion in zsh" zsh
fi

finish
