#!/bin/sh
# The command line: operands, options, standard input, and output that cannot be written.
. tests/support/expect.sh

input=data/particles_only.txt
expected=tests/command/expected/particles_only.t10.expected

expect_output "plain" $expected "$input" 10.0
expect_output "after --" $expected -- "$input" 1e1
expect_output "options after operands" $expected "$input" --schedule array 10 --quiet
expect_output "the last of two schedules counts" $expected --schedule=array --schedule=cells "$input" 10
expect_output "the cells schedule, its name as a word of its own" $expected "$input" --schedule cells 10
particles - 10 <"$input"
expect_output "standard input" $expected
mkfifo "$work/pipe"
{ head -n 5 "$input"; sleep 0.2; tail -n +6 "$input"; echo "# late"; } >"$work/pipe" &
expect_output "a pipe that is slow" $expected "$work/pipe" 10
printf '1\n1\n20 20\n5 5 1 1' >"$work/one"
printf '6.000000, 6.000000, 0, 0\n' >"$work/expected"
expect_output "one particle, no line end" "$work/expected" "$work/one" 1
for begin in '' '#\n' '\n'; do
    { printf "\357\273\277$begin"; cat "$work/one"; } >"$work/marked"
    expect_output "a byte order mark before '$begin'" "$work/expected" "$work/marked" 1
done
printf '5.000000, 5.000000, 0, 0\n' >"$work/expected"
expect_output "END_TIME 0" "$work/expected" "$work/one" 0
printf '1\n-0\n10 10\n-0 5 -1 0\n' >"$work/zero"
printf '0.000000, 5.000000, 1, 0\n' >"$work/zero.expected"
expect_output "zero has no sign" "$work/zero.expected" "$work/zero" 0
expect_output "END_TIME 0, cells" "$work/expected" --schedule=cells "$work/one" 0

# Unequal particles, and the law.
printf '2\n1\n20 20\n5 5 1 0 1 3\n9 5 -1 0\n' >"$work/unequal"
printf '6.000000, 5.000000, 0, 1\n9.000000, 5.000000, 0, 1\n' >"$work/expected"
particles --rule=elastic "$work/unequal" 1.5 # at 1 the velocities 1 and -1 become 0 and 2
expect_output "masses 3 and 1" "$work/expected"
printf '5.500000, 5.000000, 0, 1\n8.500000, 5.000000, 0, 1\n' >"$work/expected"
printf '2\n1\n20 20\n5 5 1 0 1 3 7\n9 5 -1 0 1 3\n' >"$work/equal"
expect_output "equal masses may switch velocities" "$work/expected" "$work/equal" 1.5
expect_output "which is the elastic rule head-on" "$work/expected" "$work/equal" 1.5 --rule elastic
particles --rule=elastic --restitution=0 "$work/equal" 1.5
printf '6.000000, 5.000000, 0, 1\n8.000000, 5.000000, 0, 1\n' >"$work/expected"
expect_output "restitution 0" "$work/expected"
printf '2\n99\n20 20\n5 5 1 0 1\n9 5 -1 0 1\n' >"$work/own"
particles "$work/own" 0.5
printf '5.500000, 5.000000, 0, 0\n8.500000, 5.000000, 0, 0\n' >"$work/expected"
expect_output "the second line's radius need not fit if no particle has it" "$work/expected"
# The first one hits the wall at 1 and the second one at 1.5.
printf '2\n1\n20 20\n2 5 -1 0\n5 5 -1 0\n' >"$work/again"
printf '1.300000, 5.000000, 1, 1\n3.700000, 5.000000, 0, 1\n' >"$work/expected"
for option in --quiet --contact-time=0 --contact-time=0.4; do
    expect_output "restitution 0.5 $option" "$work/expected" --rule=elastic --restitution=0.5 $option "$work/again" 1.9
done
printf '1.100000, 5.000000, 1, 1\n3.900000, 5.000000, 0, 1\n' >"$work/expected"
particles --rule=elastic --restitution=0.5 --contact-time=0.6 "$work/again" 1.9
expect_output "restitution 0.5 --contact-time=0.6" "$work/expected"
for option in --rule=elastic "--rule=elastic --restitution=1" --rule=swap; do
    particles $option "$input" 10
    [ "$option" = --rule=swap ] && expect_output "$option" $expected
    verdict "$option" "$([ "$status" -eq 0 ] || cat "$work/err")"
done

# refuse_law PATTERN OPTION...: a law that makes no sense
refuse_law() {
    pattern=$1
    shift
    expect_error "$*" 64 "$pattern" "$@" "$input" 10
}
refuse_law "unknown rule 'bounce': use swap or elastic" --rule=bounce
refuse_law "unknown rule ''" --rule=
refuse_law "'--restitution=0.5' needs --rule=elastic" --restitution=0.5
refuse_law "'--restitution=1' needs --rule=elastic" --rule=elastic --restitution=1 --rule=swap
refuse_law "'--contact-time' needs .*--restitution below 1" --rule=elastic --contact-time 1
refuse_law "'--contact-time=1' needs" --rule=elastic --restitution=1 --contact-time=1
refuse_law "'--contact-time=1' needs" --contact-time=1
for value in -0.1 1.01 nan inf half ""; do
    refuse_law "--restitution takes a number from 0 to 1, and '$value' is" --rule=elastic --restitution="$value"
done
for value in -1 1e41 nan inf soon ""; do
    refuse_law "--contact-time takes a number from 0 to 1e.40, and '$value' is" \
        --rule=elastic --restitution=0.5 --contact-time="$value"
done

particles
expect_error "no operands" 64 "INPUT and END_TIME are missing"
expect_error "no END_TIME" 64 "END_TIME is missing" "$input"
particles 10 "$input"
expect_error "END_TIME before INPUT" 64 "'$input' is not a number; INPUT comes first: are '10' and '$input' swapped\?"
expect_error "INPUT as the value of an option" 64 \
    "END_TIME is missing after '1'; option '--animate' has taken '$input' as its FILE; try" \
    --animate "$input" 1
expect_error "INPUT as the value of an option, and no END_TIME" 64 \
    "INPUT and END_TIME are missing; option '--animate' has taken '$input' as its FILE; try" \
    --animate "$input"
particles --stats --stats-from=5.0000001 "$input" 5
expect_error "a number with many digits" 64 "--stats-from=5.0000001 is after END_TIME, 5: "
expect_error "an operand too many" 64 "extra argument '2'" "$input" 1 2
for time in -1 -1.5 -.5 -1e3; do
    expect_error "END_TIME $time" 64 "'$time' has a minus sign" "$input" $time
done
expect_error "END_TIME -1 after --" 64 "'-1' is negative" -- "$input" -1
for time in 10x 10,0 ten "10 " " 10" "" 1e400 inf nan 1e300 1e-400; do
    expect_error "END_TIME '$time'" 64 "END_TIME must be a number from 0 to 1e.40, and '$time' is" "$input" "$time"
done
for option in --fast --schedule=heap --schedule= --quiet=1 --help=1 -x -1x; do
    expect_error "option $option" 64 "(option|schedule) " $option "$input" 10
done
# refuse_option PATTERN ARGUMENT: an argument that is no option, and what the message says
refuse_option() {
    expect_error "option $2" 64 "$1" "$2" "$input" 10
}
refuse_option "unknown option '--spede'; the nearest: --speed, --seed; try" --spede
refuse_option "unknown option '--animation=a'; the nearest: --animate; try" --animation=a
refuse_option "unknown option '-quiet'; the nearest: --quiet; try" -quiet
refuse_option "unknown option '--frobnicate'; try" --frobnicate
refuse_option "unknown option '--=1'; try" --=1
refuse_option "unknown option '-x'; try" -x
refuse_option "ambiguous option '--r': it may be --rule, --restitution, --roughness, --reverse, --reference-length, --report, --resume, --radius; try" --r
refuse_option "option '--quiet' takes no value, and '--quiet=1' has one" --quiet=1
refuse_option "option '--prog' takes no value, and '--prog=a=1' has one" --prog=a=1
expect_error "a file that does not belong to --stats" 64 \
    "extra argument '10' after END_TIME; if 's.txt' is the value of --stats, write --stats=s.txt; try" \
    --stats s.txt "$input" 10
particles "$input" 10 --sensitivity 4
expect_error "a number that does not belong to --sensitivity" 64 "write --sensitivity=4; try"
particles --stats=s.txt "$input" 10 4
expect_error "an operand too many after an option with its value" 64 "extra argument '4' after END_TIME; try"
expect_error "an option without its value" 64 "'--schedule' needs a value" "$input" 10 --schedule
expect_error "control characters in a name" 66 "no\?such\?file: cannot open: " "$(printf 'no\nsuch\033file')" 10

for option in --help -h; do
    particles $option
    problem=$(cat "$work/err")
    grep -q '^Usage: particles ' "$work/out" || problem="no usage line"
    grep -q -- '--schedule=KIND' "$work/out" || problem="no --schedule"
    [ "$status" -eq 0 ] || problem="status $status"
    verdict "$option" "$problem"
done
for option in --version -V; do
    particles $option
    problem=$(cat "$work/err")
    grep -Eqx 'particles [0-9]+\.[0-9]+\.[0-9]+' "$work/out" || problem="prints $(cat "$work/out")"
    [ "$status" -eq 0 ] || problem="status $status"
    verdict "$option" "$problem"
done

# cannot_write NAME: the last run ended with status 74 and one message
cannot_write() {
    : >"$work/out"
    expect_error "$1" 74 "standard output: cannot write: $2"
}
if [ -c /dev/full ]; then
    $RUN_WITH "$PROGRAM" "$input" 10 >/dev/full 2>"$work/err"
    status=$?
    cannot_write "a full disk" "No space left"
    $RUN_WITH "$PROGRAM" --help >/dev/full 2>"$work/err"
    status=$?
    cannot_write "--help on a full disk" "No space left"
    # Enough lines that the disk is full before the last of them.
    { printf '300\n0\n1 1000\n'; seq 300 | sed 's/.*/0.5 & 0.1 0/'; } >"$work/many"
    $RUN_WITH "$PROGRAM" "$work/many" 10 >/dev/full 2>"$work/err"
    status=$?
    cannot_write "a full disk, many lines" "No space left"
fi
$RUN_WITH "$PROGRAM" "$input" 10 >&- 2>"$work/err"
status=$?
cannot_write "a closed standard output" ""

finish
