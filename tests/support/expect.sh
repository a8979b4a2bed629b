# shellcheck shell=sh
# Helpers for test scripts, read with "." by each of them: they run the command under test and
# compare what it does with what is expected. See tests/run.sh for BUILD, PROGRAM and RUN_WITH.
LC_ALL=C
export LC_ALL
: "${BUILD:=build}" "${PROGRAM:=particles}"
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac # scripts may change the directory
case $PROGRAM in /*) ;; *) PROGRAM=$PWD/$PROGRAM ;; esac

passed=0
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# verdict NAME PROBLEM: counts one test, which passed if PROBLEM is empty
verdict() {
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1: $2"
    fi
}

# particles ARGUMENT...: the command under test; leaves its output in $work/out and $work/err and
# its status in $status
particles() {
    $RUN_WITH "$PROGRAM" "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# sleep_while_waiting: threads of the program do, as in unit tests (tests/run.sh)
sleep_while_waiting() {
    [ -n "$THOROUGH" ] || export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
}

# take DIRECTORY: moves what the last run has printed, and the files here, to $work/DIRECTORY; of the
# files stats and report without the figures that a clock made
take() {
    rm -rf "${work:?}/$1"
    mkdir "$work/$1"
    mv "$work/out" "$work/err" .
    for file in stats report; do
        [ ! -e $file ] || sed -i '/^seconds = /d; /^collisions_per_second = /d; /class="run"/d' $file
    done
    mv ./* "$work/$1"
}

# agree ARGUMENT...: whether the test's own `run` with them writes the same files by all schedules; $work/cells has them
agree() {
    sleep_while_waiting
    mkdir "$work/files"
    cd "$work/files" || exit 1
    for schedule in cells textbook array tiles; do
        case $schedule in
        tiles) run --threads=2 --tile-side=3 "$@" ;;
        *) run --schedule=$schedule "$@" ;;
        esac
        take $schedule
        [ $schedule = cells ] || verdict "$schedule" "$(diff -r "$work/cells" "$work/$schedule" 2>&1 | head -n 3)"
    done
    cd .. || exit 1
}

# launch ARGUMENT...: the same as particles, but without waiting for its end; it is $process then, and may be sent
# signals, which a shell lets processes in the background ignore
launch() {
    "$BUILD/tests/command/with_signals" $RUN_WITH "$PROGRAM" "$@" >"$work/out" 2>"$work/err" &
    process=$!
}

# await COMMAND...: until this succeeds, or what was launched has ended
await() {
    until "$@"; do
        kill -0 "$process" || break
        sleep 0.02
    done
}

# stop SIGNAL: sends it to what was launched, and waits for the end
stop() {
    kill -"$1" "$process"
    wait "$process" 2>/dev/null
    status=$?
}

# expect_output NAME FILE [ARGUMENT]...: the last run, or one with these arguments, printed exactly FILE, and
# nothing on standard error
expect_output() {
    expected_name=$1 expected_file=$2
    shift 2
    [ $# -eq 0 ] || particles "$@"
    expected_problem=
    if [ "$status" -ne 0 ]; then
        expected_problem="status $status: $(cat "$work/err")"
    elif ! cmp -s "$work/out" "$expected_file"; then
        expected_problem="printed $(head -n 5 "$work/out") instead of $(head -n 5 "$expected_file")"
    elif [ -s "$work/err" ]; then
        expected_problem=$(cat "$work/err")
    fi
    verdict "$expected_name" "$expected_problem"
}

# check_error STATUS PATTERN: whether the last run ended with STATUS, printed nothing, and said one line
# on standard error that begins with "particles: " and matches PATTERN (as grep -E has it); leaves
# what is wrong in $problem
check_error() {
    problem=
    if [ "$status" -ne "$1" ]; then
        problem="status $status instead of $1: $(cat "$work/err")"
    elif [ -s "$work/out" ]; then
        problem="standard output is not empty"
    elif ! { read -r _ && ! read -r _; } <"$work/err"; then
        problem="not one line on standard error: $(cat "$work/err")"
    elif ! grep -Eq "^particles: .*$2" "$work/err"; then
        problem="the message is: $(cat "$work/err")"
    fi
}

# expect_error NAME STATUS PATTERN [ARGUMENT]...: that check as a test, of the last run, or of one with
# these arguments
expect_error() {
    expected_name=$1 expected_status=$2 expected_pattern=$3
    shift 3
    [ $# -eq 0 ] || particles "$@"
    check_error "$expected_status" "$expected_pattern"
    verdict "$expected_name" "$problem"
}

# expect_silence NAME ARGUMENT...: a run with these arguments succeeds, and says nothing on standard error
expect_silence() {
    expected_name=$1
    shift
    particles "$@"
    verdict "$expected_name" "$([ "$status" -eq 0 ] || echo "status $status: ")$(cat "$work/err")"
}

# expect_success NAME ARGUMENT...: a run with these arguments succeeds
expect_success() {
    expected_name=$1
    shift
    particles "$@"
    verdict "$expected_name" "$([ "$status" -eq 0 ] || echo "status $status: $(cat "$work/err")")"
}

# expect_usage PATTERN ARGUMENT...: a run with these arguments is refused as wrong usage
expect_usage() {
    expected_pattern=$1
    shift
    expect_error "$*" 64 "$expected_pattern" "$@"
}

# python_with MODULE: prints which Python has it, if any. It is not loaded, which takes up to half a second.
python_with() {
    for python_tried in python3 /usr/bin/python3; do
        "$python_tried" -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec(sys.argv[1]))' "$1" 2>/dev/null || continue
        echo "$python_tried"
        return
    done
}

# skip WHAT [PACKAGE]...: says what is not tested here, and which packages of Debian it needs
skip() {
    what=$1
    shift
    echo "skipped: $what${1:+ (needs $*)}"
}

# finish: the counts, as the last line
finish() {
    echo "$passed passed, $failed failed"
    exit $((failed > 0))
}
