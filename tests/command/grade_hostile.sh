#!/bin/sh
# scripts/grade: submissions that mean harm, or do it without meaning it, by their Makefiles and programs.
# None may reach beyond its own run, and each must still be classified rightly.
. tests/support/expect.sh
. tests/support/grading.sh

mkdir "$work/one"
"$PROGRAM" --generate=6 --area-fraction=0.1 --seed=2 --quiet >"$work/one/gas.txt"
"$PROGRAM" "$work/one/gas.txt" 20 >"$work/one/gas.t20.expected"

# hand_in_make NAME: the right program, whose Makefile does what is on standard input, too
hand_in_make() {
    hand_in "$1"
    cat >>"$class/$1/Makefile"
}

seconds=1000.$$ # which no other test sleeps for
hand_in right
OUTLIVE_SECONDS=$seconds
for fault in outlive spoof free_twice status ignore_limit stop_parent; do
    hand_in_faulty $fault
done
# The right program, and what others have handed in, which is in their folders, and packed for grading.
hand_in_make peek <<TEXT
	! test -r "$class/right/main.c"
	! test -r ../../source.tar
	! "$PROGRAM" --version
TEXT
hand_in_make sparse <<'TEXT'
	for k in 1 2 3; do truncate -s 3M big$$k; done
TEXT
hand_in_make prints <<'TEXT'
	yes | head -c 70000000
TEXT
hand_in_make not_writable <<'TEXT'
	mkdir -p a/b && touch a/b/c && chmod 000 a/b a && chmod 555 .
TEXT
hand_in_make says <<'TEXT'
	@printf 'Result: all is well\n' && rm particles
TEXT
hand_in deep
mkdir -p "$class/deeper/1/2/3"
mv "$class/deep" "$class/deeper/1/2/3"
chmod 000 "$class/deeper/1/2/3/deep/main.c"
(cd "$class/deeper" && zip -qry ../deep.zip .)

# no_process NAME: nothing is left that sleeps as long
no_process() {
    verdict "$1: no process is left" "$(grep -lsaz "^$seconds\$" /proc/[0-9]*/cmdline)"
}

set -- outlive peek sparse not_writable says
[ -z "$THOROUGH" ] || set -- "$@" right prints
grade "$work/out put" "$work/one" --valgrind=0 --build-time=20 --disk=8 "$@" deep.zip
verdict "all are graded" "$([ $status -eq 0 ] || cat "$work/said")"
for name in ${THOROUGH:+right} outlive not_writable; do
    expect_result $name gas pass
done
no_process namespaces
if grep -q '^grade: without namespaces' "$work/said"; then
    skip "what namespaces hide: there are none"
else
    expect_result peek gas pass
fi
[ "$(id -u)" -ne 0 ] || expect_result deep gas pass # another user cannot pack what has no access rights
expect_result sparse build "did not build" "larger than 8 MB when it is built"
[ -z "$THOROUGH" ] || expect_result prints build "did not build" "make prints more"
expect_result says build "did not build" "no program with the name"
verdict "what make prints is not the result" "$(grep 'all is well' "$work/said")"

set -- outlive
[ -z "$THOROUGH" ] || set -- "$@" not_writable
grade "$work/plain" "$work/one" --valgrind=0 --no-namespaces --disk=8 ${THOROUGH:+sparse} "$@"
for name; do
    expect_result "$name" gas pass
done
[ -z "$THOROUGH" ] || expect_result sparse build "did not build" "larger than 8 MB when it is built"
[ "$(id -u)" -ne 0 ] || no_process "without namespaces" # another user cannot find what has no environment
for process in $(grep -lsaz "^$seconds\$" /proc/[0-9]*/cmdline | tr -dc '0-9\n'); do
    kill "$process"
done

if [ -n "$THOROUGH" ] && command -v valgrind >/dev/null; then # grade.sh has an error of memory
    grade "$work/memory" "$work/one" --valgrind=1 spoof status free_twice
    for name in spoof status; do
        expect_result "$name" "valgrind gas" pass
    done
    expect_result free_twice "valgrind gas" "memory error" "Invalid free() .*, in main (main.c"
    verdict "nothing is wrong in the scripts" "$(grep -v '^grade: ' "$work/said")"
fi

# Limits of time. The user of a namespace can stop what watches the time, which takes longer to end.
set -- ignore_limit
[ -z "$THOROUGH" ] || set -- "$@" stop_parent
grade "$work/limits" "$work/one" --valgrind=0 --time=5 "$@"
for name; do
    expect_result $name gas "too slow" "more than \(1 s of the processor\|2 s in all\),"
done
if [ -n "$THOROUGH" ] && [ "$(id -u)" -eq 0 ]; then
    shared=$(mktemp -d /tmp/grade_test.XXXXXX)
    trap 'rm -rf "$work" "$shared"' EXIT
    cp -R "$class/stop_parent" "$work/one" "$shared"
    chmod -R a+rwX "$shared"
    (cd "$shared" && TMPDIR="$shared" setpriv --reuid=65534 --regid=65534 --clear-groups sh "$top/scripts/grade" \
        --program="$PROGRAM" --cases=one --output=out --valgrind=0 --time=5 stop_parent) >"$work/said" 2>&1
    cp "$shared/out/grades.csv" "$work/table"
    expect_result stop_parent gas "too slow"
    # Without namespaces, as where a container has none: folders that cannot be written are taken back.
    mkdir -m 755 "$shared/bin" && printf '#!/bin/sh\nexit 1\n' >"$shared/bin/unshare" && chmod 755 "$shared/bin/unshare"
    mkdir -m 777 "$shared/files"
    cp -R "$class/not_writable" "$class/right" "$shared" && chmod -R a+rwX "$shared"
    (cd "$shared" && PATH="$shared/bin:$PATH" TMPDIR="$shared/files" setpriv --reuid=65534 --regid=65534 --clear-groups \
        sh "$top/scripts/grade" --program="$PROGRAM" --cases=one --output=out --valgrind=0 --jobs=1 not_writable right) >"$work/said" 2>&1
    cp "$shared/out/grades.csv" "$work/table"
    expect_result not_writable gas pass
    expect_result right gas pass
    verdict "and nothing stays" "$(ls "$shared/files")"
fi
finish
