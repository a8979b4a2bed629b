#!/bin/sh
# make install, make uninstall and make dist.
. tests/support/expect.sh

# Make is the one that runs the tests, if it does: its variables are in the environment. It takes no
# names with spaces, which may be in the way to this directory.
make=${MAKE:-make}
place="BUILD=${BUILD#"$PWD/"} PROGRAM=${PROGRAM#"$PWD/"}"

# list DIRECTORY: every file and directory below it, with its rights
list() {
    (cd "$1" && find . -exec ls -ld {} + | awk '{ print substr($1, 1, 10), $9 }')
}

# Other files are there already, even a program of an earlier installation.
root="$work/the root"
mkdir -p "$root/usr/bin" "$root/usr/share/man/man1"
echo other >"$root/usr/bin/other"
echo other >"$root/usr/share/man/man1/other.1"

# put UMASK TARGET: runs make for TARGET; it says nothing on standard error
put() {
    # shellcheck disable=SC2086 # two words
    (umask "$1" && "$make" -s "$2" DESTDIR="$root" PREFIX=/usr $place >"$work/log" 2>&1) ||
        verdict "make $2" "$(cat "$work/log")"
}
sets_of_rights() {
    list "$root" | grep -v other | grep '^-' | sort -u
}

put 022 install
cat >"$work/expected" <<'END'
-rw-r--r-- ./usr/include/particles.h
-rw-r--r-- ./usr/lib/libparticles.a
-rw-r--r-- ./usr/lib/libparticles.so.0
-rw-r--r-- ./usr/lib/pkgconfig/particles.pc
-rw-r--r-- ./usr/share/bash-completion/completions/particles
-rw-r--r-- ./usr/share/man/man1/particles-sweep.1
-rw-r--r-- ./usr/share/man/man1/particles.1
-rw-r--r-- ./usr/share/particles/queue
-rw-r--r-- ./usr/share/particles/sweep.slurm
-rw-r--r-- ./usr/share/particles/sweep_gather
-rw-r--r-- ./usr/share/particles/sweep_run
-rw-r--r-- ./usr/share/zsh/site-functions/_particles
-rwxr-xr-x ./usr/bin/particles
-rwxr-xr-x ./usr/bin/particles-sweep
END
sets_of_rights >"$work/found"
verdict "what make install puts" "$(diff "$work/found" "$work/expected")"
# Where directories are, now that all of them have been made.
list "$root" | grep -v particles >"$work/before"
verdict "the link to the library" "$([ "$(readlink "$root/usr/lib/libparticles.so")" = libparticles.so.0 ] || ls -l "$root/usr/lib")"
verdict "where the library is" "$(grep -qx libdir=/usr/lib "$root/usr/lib/pkgconfig/particles.pc" || cat "$root/usr/lib/pkgconfig/particles.pc")"
verdict "the program is the one that was built" "$(cmp "$PROGRAM" "$root/usr/bin/particles" 2>&1)"
verdict "it runs" "$("$root/usr/bin/particles" data/walls_only.txt 10 |
    cmp - tests/command/expected/walls_only.t10.expected 2>&1)"
verdict "sweeps run" "$("$root/usr/bin/particles-sweep" --quiet --output="$work/sweep" --end-time=1 --generate=5 2>&1 ||
    echo "status $?"; ls "$work/sweep/runs/n5_f0.3_s1" 2>&1 >/dev/null)"
verdict "the page has its version" "$(grep -q '^\.Os particles [0-9.]*$' \
    "$root/usr/share/man/man1/particles.1" || echo no)"
list "$root" >"$work/first"
# Again, while the program runs, which is replaced.
{ sleep 5 && cat data/walls_only.txt; } | "$root/usr/bin/particles" - 1 >/dev/null 2>&1 &
running=$!
put 022 install
list "$root" >"$work/second"
verdict "make install, again" "$(diff "$work/first" "$work/second")"
verdict "make install while it runs" "$(cmp "$PROGRAM" "$root/usr/bin/particles" 2>&1)"
kill $running
rm -r "$root/usr/share/zsh"
put 077 install
sets_of_rights >"$work/found"
verdict "the umask withholds no rights" "$(diff "$work/found" "$work/expected"; find "$root/usr/share/zsh" -type d ! -perm 755)"

put 022 uninstall
list "$root" >"$work/after"
verdict "make uninstall removes what make install has put" "$(diff "$work/before" "$work/after")"
put 022 uninstall
list "$root" >"$work/after"
verdict "make uninstall, again" "$(diff "$work/before" "$work/after")"

mkdir "$root/usr/bin/particles"
# shellcheck disable=SC2086
"$make" -s install DESTDIR="$root" PREFIX=/usr $place >"$work/log" 2>&1
verdict "a directory in the way" "$(grep -q 'particles is a directory' "$work/log" || cat "$work/log")"
verdict "is left as it is" "$(ls -A "$root/usr/bin/particles")"

# The source, packed: in a tree without git, where the list of the files is that of the tree.
if ! tar --version 2>/dev/null | grep -q GNU || ! command -v xz >/dev/null || { [ -e .git ] && ! command -v git >/dev/null; }; then
    skip "make dist" tar xz-utils git
    finish
fi
export XZ_OPT=-0 # to be quick
sh scripts/dist "$work/one" >"$work/out" 2>/dev/null
packed=$(cat "$work/out")
verdict "make dist says what it has made" "$([ -s "$packed" ] || cat "$work/out")"
mkdir "$work/tree"
tar -xf "$packed" -C "$work/tree"
tree=$work/tree/particles-$(sed -n 's/.*VERSION "\(.*\)".*/\1/p' include/cli/options.h)
verdict "the top level" "$(cd "$tree" && find . -maxdepth 1 | sort | tr '\n' ' ' |
    grep -vx '\. .*\./Makefile ./README.md ./data ./findings ./include ./scripts ./src ./tests ')"
verdict "less than 700 files" "$(tar -tf "$packed" | awk '!/\/$/ { files++ } END { if (files >= 700) print files }')"
verdict "only the source" "$(cd "$tree" && find . -name build -o -name '*.o' -o -name .git)"
# An autograder, as data/grading/README.md packs it; what it unpacks is built elsewhere.
mkdir -p "$work/autograder/source" "$work/bin"
printf '#!/bin/sh\n' >"$work/bin/make"
chmod +x "$work/bin/make"
package=$(sed -n 's|^    cp .* build/\(particles-[^ ]*\) .*|\1|p' data/grading/README.md)
(cd "$work/one" && eval "cp $package ../autograder/source")
PATH="$work/bin:$PATH" AUTOGRADER="$work/autograder" sh data/grading/setup.sh >"$work/out" 2>&1
verdict "the autograder unpacks it" "$([ -f "$work/autograder/source/particles/scripts/grade" ] || cat "$work/out")"
chmod -R go-rwx "$tree"
(cd "$tree" && umask 077 && sh scripts/dist "$work/two") >"$work/out" 2>&1
verdict "the source packed, unpacked and packed is the same" "$(cmp "$packed" "$(cat "$work/out")" 2>&1)"
mkdir -p "$work/small/include/cli"
cp include/cli/options.h "$work/small/include/cli"
for source in one one other; do
    echo "$source" >"$work/small/Makefile"
    touch -d @0 "$work/small/Makefile"
    (cd "$work/small" && sh "$tree/scripts/dist" "$work/small/of_it") >"$work/out" 2>&1
    cksum <"$(cat "$work/out")" >>"$work/sums"
done
verdict "another source is another file" "$(uniq -c "$work/sums" | awk '{ print $1 }' | tr '\n' ' ' | grep -vx '2 1 ')"

finish
