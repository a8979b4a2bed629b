#!/bin/sh
# The library as a user has it: the header, the two files, and the examples built with these alone.
. tests/support/expect.sh

header=include/particles.h
static=$BUILD/lib/libparticles.a
shared=$BUILD/lib/libparticles.so
examples=$PWD/data/examples/library

# Nothing but what the header declares can be seen, and nothing of it changes.
grep -oE '^(int|void|size_t|double|const char|struct particles) .*particles_[a-z_]*\(' $header | sed 's/.*[ *]//; s/(//' | sort >"$work/declared"
nm -D --defined-only "$shared" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"
verdict "the shared library exports what the header declares" "$(diff "$work/declared" "$work/exported")"
nm -g --defined-only "$static" | awk 'NF == 3 { print $3 }' | sort >"$work/global"
verdict "and so does the static one" "$(diff "$work/declared" "$work/global")"
verdict "there is no variable" "$(objdump -h "$BUILD/lib/particles.o" |
    awk '$2 ~ /^\.t?(data|bss)$/ && $3 !~ /^0*$/ { print $2, $3 }')"
verdict "the shared library has the number of its interface" "$(objdump -p "$shared" |
    grep -q "SONAME *libparticles.so.$(sed -n 's/.*PARTICLES_ABI //p' $header)$" || echo no)"
verdict "it prints nothing, ends nothing, asks for no signal, and sets nothing of the process" "$(nm -D --undefined-only "$shared" |
    grep -E ' (exit|_exit|abort|signal|sigaction|printf|puts|putchar|raise|kill|setlocale|fork|mallopt)(@|$)')"
verdict "the header includes nothing of ours" "$(grep '#include' $header | grep -v '^ \*' |
    grep -v '<std[a-z]*.h>')"
sed -n '/^ \*     #include/,/^ \*     }$/p' $header | sed 's/^ \*     //; s/^ \*$//' >"$work/shown"
verdict "the program in the header is the first example" "$(tail -n +2 "$examples/first.c" | diff "$work/shown" -)"

# build NAME COMPILER...: makes an example in a folder with the header and the static library
mkdir "$work/alone"
cp $header "$static" "$work/alone"
build() {
    name=$1
    shift
    cp "$examples/$name.c" "$work/alone"
    (cd "$work/alone" && "$@" -Wall -Wextra -Wpedantic -Wconversion -Werror -I. "$name.c" -L. -lparticles -lm -pthread -o "$name") >"$work/log" 2>&1 ||
        cat "$work/log"
}
cc=${CC:-cc}
verdict "first is built" "$(build first "$cc" -std=c11)"
"$work/alone/first" >"$work/out" 2>&1
printf '2\n0.5\n10 5\n2 2.4 1 0\n8 2.6 -1 0\n' >"$work/input"
for time in 1 2 3 4 5 6 7 8 9 10; do
    "$PROGRAM" --rule=elastic "$work/input" $time |
        awk -F ', ' -v time=$time 'NR == 1 { x = $1; y = $2 } NR == 2 { printf "%d: %.3f %.3f, %.3f %.3f\n", time, x, y, $1, $2 }'
done >"$work/expected"
verdict "first prints what the command does" "$(diff "$work/out" "$work/expected")"
verdict "piston is built" "$(build piston "$cc" -std=c11)"
verdict "piston keeps energy times area" "$("$work/alone/piston" 2>&1 |
    awk '{ ratio = $(NF - 4); if (ratio < 0.99 || ratio > 1.01) print } END { if (NR != 8) print NR }')"
verdict "threads is built" "$(build threads "$cc" -std=c11)"
verdict "threads finds a pressure that grows" "$("$work/alone/threads" 2>&1 | tr ':(' '  ' |
    awk '{ if ($4 <= last) print; last = $4 } END { if (NR != 10 || last < 3.5) print NR, last }')"

# A program in C++, and one with the shared library.
if [ "$cc" = musl-gcc ]; then
    skip "C++ with another C library"
elif command -v g++ >/dev/null; then
    verdict "first is built as C++" "$(build first g++ -x c++ -std=c++11)"
else
    skip "C++" g++
fi
verdict "first is built with the shared library" "$("$cc" -std=c11 -Iinclude "$examples/first.c" -L"$BUILD/lib" -lparticles -o "$work/linked" 2>&1)"
LD_LIBRARY_PATH=$BUILD/lib "$work/linked" >"$work/out" 2>&1
verdict "and prints the same" "$(diff "$work/out" "$work/expected")"
if command -v pkg-config >/dev/null; then
    verdict "pkg-config knows what to link" "$(PKG_CONFIG_PATH=$BUILD/lib pkg-config --static --libs particles 2>&1 |
        grep -vx -E '(-L.* )?-lparticles -lm -pthread *')"
else
    skip "pkg-config" pkg-config
fi
if command -v valgrind >/dev/null && [ -z "$RUN_WITH" ]; then
    strip "$work/alone/first" # valgrind 3.19 cannot read all that clang says of lines
    verdict "first under valgrind" "$(valgrind --quiet --error-exitcode=9 --leak-check=full "$work/alone/first" 2>&1 >/dev/null)"
fi

finish
