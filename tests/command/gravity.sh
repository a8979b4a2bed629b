#!/bin/sh
# --gravity: what is refused, that all schedules, threads and stops give the same bytes, and what a pile does.
. tests/support/expect.sh

cd "$work" || exit 1
particles --generate=60 --area-fraction=0.25 --radius=0.5 --seed=4
mv out input
cat >ball <<'DATA'
1
0.5
10 10
5 5.5 0 0
DATA

while IFS='|' read -r pattern options; do
    eval "set -- $options"
    expect_usage "$pattern" "$@" input 1
done <<'CASES'
--gravity takes two numbers as in '0.1,0', not '1'|--gravity=1
--gravity takes a number from -1e.40 to 1e.40, and 'down' is not a number|--gravity=0,down
--gravity takes a number from -1e.40 to 1e.40, and '-1e41' is too small|--gravity=0,-1e41
'--gravity=0,-1' is not for --step: in steps it is --interaction='gravity g=G'|--gravity=0,-1 --step=0.1
'--gravity=0,-1' is not for --lattice, which has --lattice-force|--gravity=0,-1 --lattice=20
'--gravity=0,-1' is not for --stream|--gravity=0,-1 --periodic=x --stream=1
--gravity acts along y, and --periodic makes that axis endless|--gravity=0,-1 --periodic=xy
--gravity acts along x, and --periodic makes that axis endless|--gravity=1,0 --periodic=x
CASES

files='--events=events --trajectory=frames --every=0.7 --stats=stats --fields=fields.csv --fields-grid=5x5
    --structure=structure --picture=picture --paths --final=final --animate=animation'
run() {
    # shellcheck disable=SC2086
    particles --quiet --gravity=0.2,-1.5 --rule=elastic --restitution=0.95 --wall='box restitution=0.9' $files "$@"
}
agree ../input 4

particles --quiet --gravity=0,-1 --schedule=array input 3
mv out swapped
particles --quiet --gravity=0,-1 --rule=elastic --report=page input 1
verdict "its report" "$(grep -q 'gravity is (0, -1)' page || echo none)"
expect_output "with --rule=swap" swapped --quiet --gravity=0,-1 --schedule=cells input 3
# A run that is interrupted goes on along the same parabolas.
end=$([ -n "$THOROUGH" ] && echo 2e3 || echo 1e3)
particles --quiet --gravity=0.2,-1.5 --rule=elastic --stats=stats --fields=f.csv --fields-grid=1x5 input $end
mkdir whole
mv out stats f.csv whole
launch --quiet --gravity=0.2,-1.5 --rule=elastic --stats=stats --fields=f.csv --fields-grid=1x5 \
    --checkpoint=saved --checkpoint-every=0.001 input $end
await test -e saved
stop INT
if [ "$status" -gt 128 ]; then
    particles --quiet --resume=saved --schedule=array --stats=stats --fields=f.csv --fields-grid=1x5
fi
expect_output "resumed" whole/out
verdict "its fields" "$(cmp f.csv whole/f.csv 2>&1)"
verdict "its figures" "$(sed '/^seconds/d; /^collisions_per/d' whole/stats >w; sed '/^seconds/d; /^collisions_per/d' stats | diff w - | head -n 4)"

# A ball with half of its energy lost in each bounce rests after three times its fall, and time goes on.
particles --gravity=0,-10 --wall='bottom restitution=0.5' --events=hops ball 3.5
verdict 'a ball at rest' "$(cut -d , -f 1,2 out | grep -vx '5.000000, 0.500000')"
verdict 'its hops' "$(awk -F, 'END { if (NR < 150000 || NR > 165000) print NR }' hops)"
# The energy with its potential part.
particles --quiet --gravity=0,-10 --stats=figures ball 0.7
verdict 'energy' "$(awk '$1 == "energy_start" && $3 != 55 || $1 == "potential_start" && $3 != 55 ||
    $1 == "energy_drift" && ($3 > 1e-15 || $3 < -1e-15)' figures)"
finish
