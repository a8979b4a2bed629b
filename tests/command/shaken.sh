#!/bin/sh
# A floor that is shaken: what is refused, its work, pictures, and that all schedules, threads and stops give the
# same bytes.
. tests/support/expect.sh

cd "$work" || exit 1
"$PROGRAM" --quiet --generate=60 --area-fraction=0.25 --radius=0.5 --seed=4 |
    awk -v CONVFMT=%.17g -v OFMT=%.17g 'NR == 3 { $2 += 1 } NR > 3 { $2 += 1 } { print }' >input

while IFS='|' read -r pattern options; do
    eval "set -- $options"
    expect_usage "$pattern" "$@" input 1
done <<'CASES'
--wall: shake needs period, on the same wall|--wall='bottom shake=1'
--wall: period needs shake, on the same wall|--wall='bottom period=1'
--wall: up to END_TIME 1, period=1e-13 would be 1e.13 periods; the most is 1e.12|--wall='bottom shake=0.01 period=1e-13'
--wall: only the bottom is shaken|--wall='top shake=1 period=1'
--wall: only the bottom is shaken|--wall='box shake=1 period=1'
--wall: a bottom that is shaken has no temperature and no speed|--rule=elastic --wall='bottom shake=1 period=1 temperature=1 speed=1'
shake takes a number from 1e-40 to .* and '0' is too small|--wall='bottom shake=0 period=1'
period takes a number from 1e-40 to .* and '-1' is|--wall='bottom shake=1 period=-1'
'bottom' is no wall, for the box is periodic there|--periodic=xy --wall='bottom shake=1 period=1'
'--wall=bottom shake=1 period=1' is not for --step|--step=0.1 --wall='bottom shake=1 period=1'
'--wall=bottom shake=1 period=1' is not for --lattice|--lattice=20 --wall='bottom shake=1 period=1'
'--wall=bottom shake=1 period=1' is not for --stream|--rule=elastic --periodic=x --stream=1 --wall='bottom shake=1 period=1'
'--wall=bottom shake=1 period=1' is not for --grow|--rule=elastic --grow=1 --wall='bottom shake=1 period=1'
CASES
expect_error "an overlap with its highest place" 65 \
    'input:[0-9]*: particle [0-9]* overlaps the floor that is shaken, up to 3: y = [0-9.]*, must be at least 3.5' \
    --wall='bottom shake=3 period=1' input 1

# E(t) = E(0) + work, with and without gravity.
for gravity in 0,0 0,-1.5; do
    particles --rule=elastic --gravity=$gravity --wall='bottom shake=0.9 period=0.7' --stats=stats input 20
    verdict "work with --gravity=$gravity" "$(cat err; awk '{ value[$1] = $3 }
        END { off = value["energy_end"] - value["energy_start"] - value["energy_walls"]
            if (!(value["energy_walls"] > 0 && off ^ 2 < (1e-12 * value["energy_end"]) ^ 2)) print off }' stats)"
done

files='--events=events --trajectory=frames --every=0.7 --stats=stats --fields=fields.csv --fields-grid=5x5 --report=report
    --structure=structure --picture=picture --paths --final=final --animate=animation'
run() {
    # shellcheck disable=SC2086
    particles --quiet --gravity=0.2,-1.5 --rule=elastic --restitution=0.95 --wall='bottom shake=0.9 period=0.7 restitution=0.9' \
        $files "$@"
}
agree ../input 4
verdict "the floor in pictures" "$(cat cells/err; grep -q "stroke-width:2" cells/picture || echo "none"
    grep -q '"shake": \[0.9' cells/animation || echo none)"
particles --quiet --schedule=array --wall='bottom shake=0.9 period=0.7' input 9
mv out swapped
expect_output "with --rule=swap, at rest above" swapped --quiet --schedule=cells --wall='bottom shake=0.9 period=0.7' input 9

# A run that is interrupted goes on with the same floor.
end=$([ -n "$THOROUGH" ] && echo 2e3 || echo 1e3)
particles --quiet --gravity=0.2,-1.5 --rule=elastic --restitution=0.9 --wall='bottom shake=0.9 period=0.7' --stats=stats input $end
mkdir whole
mv out stats whole
launch --quiet --gravity=0.2,-1.5 --rule=elastic --restitution=0.9 --wall='bottom shake=0.9 period=0.7' --stats=stats \
    --checkpoint=saved --checkpoint-every=0.001 input $end
await test -e saved
stop INT
if [ "$status" -gt 128 ]; then
    particles --quiet --resume=saved --schedule=array --stats=stats
fi
expect_output "resumed" whole/out
verdict "its figures" "$(sed '/^seconds/d; /^collisions_per/d' whole/stats >w; sed '/^seconds/d; /^collisions_per/d' stats | diff w - | head -n 4)"
sed -n '1s/60/1/p; 2,4p' input >one
particles --quiet --wall='bottom shake=0.9 period=0.7' --sensitivity=5 one 30
verdict "perturbed runs" "$(grep -q 'sensitivity: stable: 5 of 5 perturbed runs' err || cat err)"
finish
