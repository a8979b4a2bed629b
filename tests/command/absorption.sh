#!/bin/sh
# Walls that absorb: what is refused, the lines of the answer, logs, figures and files without what has left, and that
# all schedules and threads give the same bytes.
. tests/support/expect.sh

cd "$work" || exit 1
printf '3\n0.1\n10 5\n1 1 1 0\n2 2.5 1 0\n3 4 1 0.1\n' >three
printf '4 4\n6 4\n5 5\n' >obstacle

while IFS='|' read -r pattern options; do
    eval "set -- $options"
    expect_usage "$pattern" "$@" three 1
done <<'CASES'
--wall: absorb is 1, or 0, and not 0.5|--wall='left absorb=0.5'
absorb takes a number from 0 to 1, and '2' is too large|--wall='left absorb=2'
--wall: from needs absorb, on the same wall|--wall='left from=1'
--wall: to needs absorb, on the same wall|--wall='left to=1' --wall='right absorb=1'
--wall: from=3 is beyond to=2|--wall='left absorb=1 from=3 to=2'
from takes a number from 0 to .* and '-1' is negative|--wall='left absorb=1 from=-1'
--wall: only sides of the box absorb|--obstacle=obstacle --wall='obstacle=0 absorb=1'
'--wall=left absorb=1' is not for --lattice: there walls neither absorb|--lattice=20 --wall='left absorb=1'
'--wall=left absorb=1' is not for --grow=RATE|--rule=elastic --grow=0.1 --wall='left absorb=1'
'--wall=left absorb=1' is not for --step|--step=0.1 --wall='left absorb=1'
CASES

# The second one leaves through the slit at 7.9.
particles --wall='right absorb=1 from=2 to=3' --events=log --stats=stats --final=final --trajectory=frames --every=7.9 three 15.8
printf '%s\n' '3.000000, 1.000000, 1, 0' '9.900000, 2.500000, 1, 0' '2.800000, 4.220000, 3, 0' >expected
sed -n 1,2p out >two
sed -n 1,2p expected | diff two - >differences
verdict "the answer" "$(cat differences err)"
verdict "the log" "$(grep absorbed log | diff - /dev/fd/3 3<<'LINE'
7.9,absorbed,1,,right,9.9,2.5,1,0,,,,
LINE
)"
verdict "the final state" "$(awk 'NR == 1 && $1 != 2; END { if (NR != 5) print NR " lines" }' final)"
verdict "the frames" "$(grep -c . frames | grep -vx 13; grep -x '[0-9]' frames | tr -d '\n' | grep -vx 322)"
verdict "the figures" "$(awk '/^absorbed/ && !/error/ { printf "%s %.4g;", $1, $3 }' stats | grep -vFx \
    'absorbed 1;absorbed_rate 0.06329;absorbed_energy 0.5;absorbed_momentum_x 1;absorbed_momentum_y 0;')"
particles --wall='right absorb=1 from=2 to=3' --wall='right absorb=0' three 15.8
cp out kept
expect_output "absorb=0 takes it back" kept three 15.8
particles --wall='box absorb=1' three 50
mv out kept
expect_output "all leave" kept --wall='box absorb=1' --final=none three 50
verdict "nobody is left in the final state" "$([ "$(head -n 1 none)" = 0 ] || cat none)"
expect_error "which is no INPUT" 65 "expected the number of particles" none 1

"$PROGRAM" --quiet --generate=60 --area-fraction=0.25 --radius=0.5 --seed=4 >input
files='--events=events --trajectory=frames --every=1.7 --stats=stats --fields=fields.csv --fields-grid=5x5 --report=report
    --structure=structure --picture=picture --final=final --animate=animation --trajectory-columns=psi6,unwrapped'
run() {
    # shellcheck disable=SC2086
    particles --quiet --gravity=0.1,-0.3 --rule=elastic --restitution=0.95 --wall='right absorb=1' \
        --wall='bottom absorb=1 from=3 to=8' --wall='top temperature=1' $files "$@"
}
agree ../input 8
verdict "many leave" "$(cat cells/err; awk '$1 == "absorbed" && $3 < 20' cells/stats)"
finish
