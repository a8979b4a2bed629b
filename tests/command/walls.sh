#!/bin/sh
# --wall: what is refused, what the answer depends on, the balance of what walls give and take, logs,
# and runs that are interrupted.
. tests/support/expect.sh

cd "$work" || exit 1
cat >input <<'DATA'
5
0.5
20 20
5 5 1 .5
10 3 -1 .2
15 15 .3 -.7
3 12 2 0
17 3 -.4 1.1 0.5 3
DATA
sed -n '1s/5/4/; 1,7p' input >equal
printf '8 8\n12 7\n9 11\n\n4 16\n6 17\n' >obstacles
printf '0.2 0.2\n19.8 0.3\n19 19.5\n10 19.9\n0.5 19\n' >domain

while IFS='|' read -r pattern options; do
    eval "set -- $options"
    expect_usage "$pattern" "$@" input 1
done <<'CASES'
--wall: there is no wall '': use left, right, bottom, top, box, domain, obstacles or, with a number from 0, obstacle=N|--wall=
there is no wall 'middle'|--wall='middle temperature=1'
there is no wall 'temperature=1'|--wall=temperature=1
there is no wall 'Left'|--wall='Left temperature=1'
there is no wall 'left,'|--wall='left, temperature=1'
'left' says nothing of that wall: give a key|--wall=left
there is no wall 'left=1'|--wall='left=1 temperature=1'
there is no wall 'obstacle'|--wall='obstacle temperature=1'
there is no wall 'obstacle=-1'|--wall='obstacle=-1 temperature=1'
there is no wall 'obstacle=x'|--wall='obstacle=x temperature=1'
there is no wall 'obstacle=1.5'|--wall='obstacle=1.5 temperature=1'
--wall: 'temperature' should be KEY=VALUE|--wall='left temperature'
'temperature=' should be KEY=VALUE|--wall='left temperature='
'=2' should be KEY=VALUE|--wall='left =2'
'temperature' should be KEY=VALUE|--wall='left temperature = 2'
--wall has no 'heat': it has temperature, accommodation, speed, restitution|--wall='left heat=2'
--wall has no 'T': it has|--wall='left T=2'
--wall: 'temperature' is given twice|--wall='left temperature=2 temperature=2'
temperature takes a number from 1e-120 to 1e.116, and '0' is too small|--wall='left temperature=0'
temperature takes .* and '-1' is too small|--wall='left temperature=-1'
temperature takes .* and '1e117' is too large|--wall='left temperature=1e117'
temperature takes .* and 'hot' is not a number|--wall='left temperature=hot'
temperature takes .* and 'nan' is not|--wall='left temperature=nan'
temperature takes .* and 'inf' is|--wall='left temperature=inf'
accommodation takes a number from 0 to 1, and '1.1' is too large|--wall='left temperature=1 accommodation=1.1'
accommodation takes .* and '-0.1' is negative|--wall='left temperature=1 accommodation=-0.1'
speed takes a number from -1e.38 to 1e.38, and '1e39' is too large|--wall='left temperature=1 speed=1e39'
speed takes .* and '-1e39' is too small|--wall='left temperature=1 speed=-1e39'
restitution takes a number from 0 to 1, and '1.01' is too large|--wall='left restitution=1.01'
restitution takes .* and '-1' is negative|--wall='left restitution=-1'
the speed is that of a wall with a temperature, .*: give temperature=T, too|--rule=elastic --wall='left speed=1'
the speed is that of a wall with a temperature|--rule=elastic --wall='left temperature=1' --wall='box speed=1'
the accommodation is that of a wall with a temperature|--rule=elastic --wall='left accommodation=0.5 restitution=0.5'
'left' is no wall, for the box is periodic there|--rule=elastic --periodic=x --wall='left temperature=1'
'top' is no wall, for the box is periodic there|--rule=elastic --periodic=xy --wall='top temperature=1'
'box' is no wall, for the box is periodic there|--rule=elastic --periodic=xy --wall='box temperature=1'
'domain' is no wall without --domain=FILE|--rule=elastic --wall='domain temperature=1'
'domain' is no wall without --domain=FILE|--rule=elastic --obstacle=obstacles --wall='domain temperature=1'
'obstacles' is no wall without --obstacle=FILE|--rule=elastic --wall='obstacles temperature=1'
'obstacle=N' is no wall without --obstacle=FILE|--rule=elastic --domain=domain --wall='obstacle=0 temperature=1'
there is no obstacle 2: their numbers are from 0 to 1|--rule=elastic --obstacle=obstacles --wall='obstacle=2 temperature=1'
there is no obstacle 2|--rule=elastic --domain=domain --obstacle=obstacles --wall='obstacle=2 temperature=1'
option '--wall=box restitution=0.5' is not for --step: there walls are smooth, and --constraint=|--step=1 --wall='box restitution=0.5'
'--seed=3' is only for|--seed=3 --wall='box restitution=0.5'
'--contact-time=1' needs --rule=elastic and a --restitution below 1, or a --wall with one|--contact-time=1 --wall='box temperature=2'
CASES
expect_usage "'--wall=box temperature=1' is not for --resume: it is as in the checkpoint" --resume=x --wall='box temperature=1'
expect_usage "is for a simulation: --generate makes" --generate=9 --wall='box temperature=1'
expect_usage "option '--wall' needs a value" --wall
expect_usage "'--reverse' is not for --stream=U or a --wall with a temp" --reverse --wall='box temperature=1' input 1
expect_usage "'--reverse' is not for --stream=U" --reverse --rule=elastic --periodic=x --stream=1 input 1
particles --rule=elastic --reverse --wall='box restitution=1' input 1
verdict "back between walls without chance" "$([ "$status" = 0 ] && cat err || echo "$status $(cat err)")"
expect_usage "too long" --wall="$(printf '%05000d' 1)" input 1
printf 'rule elastic\nwall left temperature=0\n' >options
expect_usage "options:2: --wall: temperature takes" --config=options input 1
for temperature in 1e-100 1e100; do
    expect_error "thermal speeds at $temperature" 65 "a wall of temperature .* gives particles of mass [13] a thermal speed of" \
        --rule=elastic --wall="left temperature=$temperature" input 1
done

# Extreme values that are meant.
for wall in 'temperature=1e-79' 'temperature=1 accommodation=0 speed=1' 'restitution=0' \
    'restitution=0 temperature=1 accommodation=0.5'; do
    particles --rule=elastic --obstacle=obstacles --wall="box $wall" --wall="obstacles $wall" input 50
    verdict "box $wall" "$([ "$status" = 0 ] && cat err || echo "$status $(cat err)")"
done

expect_silence "a fast wall" --rule=elastic --periodic=x --wall='top temperature=1e-3 speed=1e3' input 50
expect_error "walls that move towards a corner" 65 "have no room, or walls whose --wall has a speed press one into a corner" \
    --rule=elastic --wall='box temperature=1e-3 speed=1e3' input 50

printf '2\n0.5\n20 20\n5 5 1 0\n15 5 0 0 0.1 1e-40\n' >light
expect_error "thermal speeds of 1e20" 65 "are too fast for time to advance; particle 1 was" \
    --rule=elastic --wall='box temperature=1' light 100

# The answer depends on the walls and the seed, and on nothing else, whatever the schedule.
cat >usual <<'DATA'
rule elastic
restitution 0.9
obstacle obstacles
DATA
cat usual - >walls <<'DATA'
wall box temperature=0.5
wall left temperature=2 speed=0.3
wall obstacles temperature=1 accommodation=0.5 restitution=0.8 speed=-1
wall top restitution=0.5 accommodation=0.4
DATA
particles --config=walls input 200
cp out answer
found=$(cksum <answer)
verdict "the same bytes everywhere" "$([ "$found" = "4159227462 135" ] || echo "checksum $found")"
for options in --schedule=textbook --schedule=array --schedule=cells '--threads=1 --tile-side=4' \
    '--threads=3 --tile-side=4' '--threads=5 --tile-side=4' --seed=1; do
    particles --config=walls $options --events=log.csv input 200
    [ -e first.csv ] || cp log.csv first.csv
    expect_output "$options" answer
    verdict "its log" "$(cmp first.csv log.csv 2>&1)"
done
for wall in 'top temperature=0.501' 'right accommodation=0.1' 'obstacle=1 speed=0' 'obstacle=0 restitution=0.5' \
    'bottom speed=0.1'; do
    particles --config=walls --wall="$wall" input 200
    verdict "another answer with $wall" "$(cmp -s out answer && echo same; cat err)"
done
particles --config=walls --seed=2 input 200
verdict "another answer with another seed" "$(cmp -s out answer && echo same; cat err)"
cat usual - >other <<'DATA'
wall left speed=0.3
wall box temperature=3
wall box temperature=0.5
wall left temperature=2
wall obstacles temperature=1 accommodation=0.5 restitution=0.8
wall obstacle=1 speed=-1
wall top restitution=0.5
wall top accommodation=0.4
wall obstacle=0 speed=-1
DATA
expect_output "key by key, the last one holds" answer --config=other input 200
particles --rule=elastic --periodic=x --wall='box temperature=1' input 50
cp out box
particles --rule=elastic --periodic=x --wall='bottom temperature=1' --wall='top temperature=1' input 50
expect_output "the walls of a box that is periodic along x" box
particles --rule=elastic input 50
cp out mirrored
expect_output "no accommodation" mirrored --rule=elastic --wall='box temperature=5 accommodation=0' input 50
expect_silence "the rule swap" --rule=swap --domain=domain --wall='domain temperature=1 speed=1' equal 200

# The speed along a polygon is counter-clockwise around obstacles, thin walls and holes, and clockwise around the
# inside of a domain, whatever the order of the vertices. A disk that comes from a side leaves it up or down.
# reverse FILE: prints it with the vertices of each polygon in the other order
reverse() {
    awk 'function flush() { for (; count > 0; count--) print line[count] }
        NF { line[++count] = $0; next } { flush(); print } END { flush() }' "$1"
}
printf '8 8\n12 8\n12 12\n8 12\n' >block
printf '10 8\n10 12\n' >thin
printf '2 2\n18 2\n18 18\n2 18\n' >room
cat room - block >ring <<'DATA'

DATA
while read -r sense x u option wall file; do
    printf '2\n0.1\n20 20\n%s 10 %s 0\n5 4 0 0.1\n' "$x" "$u" >disk
    reverse "$file" >"$file.reversed"
    for file in "$file" "$file.reversed"; do
        particles --rule=elastic "$option=$file" --wall="$wall temperature=1e-6 speed=1" disk 5
        verdict "$sense at $file from $x" "$(cat err; awk -F ', ' -v sense="$sense" \
            'NR == 1 && (sense == "up" ? !($2 > 11) : !($2 < 9))' out)"
        particles --lattice=40 --viscosity=1 --quiet "$option=$file" --wall="$wall temperature=1 speed=0.2" disk 4
        verdict "$sense at $file from $x in a flow" "$(cat err; awk -F ', ' -v sense="$sense" \
            'NR == 1 && (sense == "up" ? !($2 > 10.005) : !($2 < 9.995))' out)"
    done
done <<'CASES'
up 14 -1 --obstacle obstacles block
down 6 1 --obstacle obstacles block
up 12 -2 --obstacle obstacles thin
down 8 2 --obstacle obstacles thin
down 16 1 --domain domain room
up 4 -1 --domain domain room
up 14 -1 --domain domain ring
down 6 1 --domain domain ring
CASES

# So a run with all polygons reversed is the same but for rounding, with random stars, a thin wall, a domain and a
# hole; so are the forces and torques on obstacles.
# near NAME A B: all numbers in these files agree within 1e-6 of 1
near() {
    verdict "$1" "$(tr -s ' ,\t' '\n\n\n' <"$2" >a; tr -s ' ,\t' '\n\n\n' <"$3" | paste a - | awk '
        $1 - $2 > 1e-6 || $2 - $1 > 1e-6 || ($1 + 0 != $1 || $2 + 0 != $2) && $1 != $2' | head -n 3)"
}
for seed in 1 2 3; do
    awk -v seed=$seed 'function random() { seed = 48271 * seed % 2147483647; return seed / 2147483647 }
        function star(x, y,   k, r) {
            for (k = 0; k < 9; k++) {
                r = 1 + random()
                print x + r * cos(k * 0.698131), y + r * sin(k * 0.698131)
            }
            print ""
        }
        BEGIN { star(6, 12); star(14, 12); print 9, 8 + random() "\n" 11, 7.5 + random() }' >stars
    { cat domain && printf '\n9 5\n11 5\n10 6.5\n'; } >hole
    reverse stars >stars.reversed
    reverse hole >hole.reversed
    for order in '' .reversed; do
        particles --rule=elastic --seed=$seed --domain=hole$order --obstacle=stars$order --quiet --final=final$order \
            --wall='domain temperature=1 speed=0.7' --forces=forces.csv \
            --wall='obstacles temperature=2 speed=-0.5 accommodation=0.8' input 8
        verdict "seed $seed$order" "$(cat err)"
        awk -F , '$2 == "all"' forces.csv >forces$order
    done
    near "particles with seed $seed" final final.reversed
    near "forces with seed $seed" forces forces.reversed
done

# Pictures have the walls' colours, in strips on the edges of the box, and no path is empty.
drawn() {
    wanted=$1
    shift
    particles --rule=elastic "$@"
    verdict "$wanted coloured lines with $*" "$(cat err; [ "$(grep -c 'style="stroke:#' drawn.svg)" = "$wanted" ] || grep stroke: drawn.svg; grep 'id="obstacles"' -A 9 drawn.svg | grep 'd=""')"
}
printf '1\n0.5\n120 4\n5 1 1 0.3\n' >long
printf '1\n0.5\n4 120\n1 5 1 0.3\n' >tall
drawn 10 --wall='box temperature=1' --picture=drawn.svg long 1 # 4 strips: 4 times both level sides
drawn 10 --wall='box temperature=1' --picture=drawn.svg tall 1
drawn 1 --wall='left temperature=1' --picture=drawn.svg long 1
drawn 3 --obstacle=obstacles --wall='box temperature=1' --wall='obstacle=0 temperature=2' --periodic=x --picture=drawn.svg input 1
drawn 2 --domain=domain --obstacle=obstacles --wall='domain temperature=1' --wall='obstacle=1 temperature=2' \
    --picture=drawn.svg input 1

# What walls give and take explains the changes of energy and momentum, but for rounding.
balance() {
    rm -f stats
    particles --stats=stats "$@" input 300
    [ -e stats ] || cp err stats
    verdict "the balance with $*" "$(awk '
        $1 ~ /^(energy_balance|momentum_drift)$/ { seen++; if (!($3 < 1e-13 && $3 > -1e-13)) print }
        END { if (seen != 2) print "not there" }' stats)"
}
balance --config=walls
balance --rule=elastic --periodic=y --wall='left restitution=0.5'
balance --rule=elastic --domain=domain --obstacle=obstacles --wall='domain temperature=2 speed=1' \
    --wall='obstacle=1 temperature=9'
balance --config=usual --periodic=y --domain=domain --wall='domain temperature=1e-9'
balance --config=usual --periodic=x --stream=1 --stream-temperature=1 --wall='box temperature=2' \
    --wall='obstacles temperature=1'

# The log tells how particles move: each line has the velocity after a hit.
cat >follow <<'AWK'
    NR == FNR { if (FNR > 3) { id = FNR - 4; split($0, n, " "); x[id] = n[1]; y[id] = n[2]; u[id] = n[3]; v[id] = n[4] } next }
    FNR > 1 { check($3, $6, $7, $8, $9) }
    FNR > 1 && $4 != "" { check($4, $10, $11, $12, $13) }
    function check(id, at_x, at_y, new_u, new_v,    dx, dy) {
        dx = x[id] + u[id] * ($1 - t[id]) - at_x
        dy = y[id] + v[id] * ($1 - t[id]) - at_y
        if (dx * dx + dy * dy > 1e-20) print "line " FNR ": off by " dx " " dy
        t[id] = $1; x[id] = at_x; y[id] = at_y; u[id] = new_u; v[id] = new_v
    }
AWK
verdict "the log tells how particles move" "$(awk -F, -f follow input first.csv | head -n 3)"

# What --stats and --forces say of walls is what the log adds up to: of points of masses 1 and 3, around a square
# whose sides 0 and 2 are level, so that its friction along x is what these two take.
printf '4\n0\n10 8\n1 1 1 .5\n8 2 -1 .2\n2 7 .3 -.7\n9 6 .4 .9 0 3\n' >points
printf '4 3\n6 3\n6 5\n4 5\n' >square
particles --rule=elastic --obstacle=square --wall='box temperature=1' --wall='left temperature=3 speed=1' \
    --wall='obstacles temperature=2 speed=-1' --events=log.csv --stats=stats --forces=forces.csv points 200
awk -F '[ ,]' 'FILENAME == "points" { if (FNR > 3) { u[FNR - 4] = $3; v[FNR - 4] = $4; mass[FNR - 4] = $6 ? $6 : 1 } next }
    FNR > 1 && $4 == "" {
        x = mass[$3] * (u[$3] - $8); y = mass[$3] * (v[$3] - $9)
        energy = (x * (u[$3] + $8) + y * (v[$3] + $9)) / 2
        if ($5 == "left") { heat += energy; shear += y }
        if ($2 != "wall") { taken += energy; force += x; friction += ($15 % 2 == 0) * x }
    }
    FNR > 1 { u[$3] = $8; v[$3] = $9; if ($4 != "") { u[$4] = $12; v[$4] = $13 } }
    END {
        printf "heat_left = %.9g\nshear_left = %.9g\n", heat / 8 / 200, shear / 8 / 200
        printf "force_x = %.9g\nfriction_x = %.9g\nheat = %.9g\n", force / 200, friction / 200, taken / 200
    }' points log.csv >expected
{
    awk '/^(heat|shear)_left = / { printf "%s = %.9g\n", $1, $3 }' stats
    awk -F , '$2 == "all" && $3 ~ /^(force_x|friction_x|heat)$/ { printf "%s = %.9g\n", $3, $4 }' forces.csv
} >found
verdict "heat and friction" "$(diff expected found)"

# A disk of radius 1 and another one of 2, so that the mean is 1.5. The first one comes to the left side at 2 with
# the energy 2, of which the side takes three quarters; centres touch 20 - 2 1.5 of it, or between seams all.
printf '2\n1\n10 20\n5 5 -2 0\n5 14 0 0 2\n' >lossy
for length in 17:none 20:y; do
    seams=${length#*:}
    [ "$seams" = y ] || seams=
    particles --rule=elastic ${seams:+"--periodic=y"} --wall='left restitution=0.5' --stats=stats lossy 3
    verdict "heat for each length of ${length%:*}" "$(
        awk -v length_="${length%:*}" '/^heat_left = / { found = 1; if (($3 * length_ * 3 - 1.5) ^ 2 > 1e-24) print }
            END { if (!found) print "none" }' stats; cat err)"
done

# Perturbed runs draw the same numbers.
sed -n '1s/5/1/p; 2,4p' input >one
particles --quiet --wall='box temperature=1' --sensitivity=5 one 30
verdict "perturbed runs" "$(grep -q 'sensitivity: stable: 5 of 5 perturbed runs' err || cat err)"

# A run that is interrupted goes on with the same draws.
particles --quiet --rule=elastic --wall='box temperature=1' --wall='left restitution=0.9 accommodation=0.5' \
    --stats=stats --fields=f.csv --fields-grid=1x5 input 3e4
mkdir whole
mv out stats f.csv whole
launch --quiet --rule=elastic --wall='box temperature=1' --wall='left restitution=0.9 accommodation=0.5' \
    --stats=stats --fields=f.csv --fields-grid=1x5 --checkpoint=saved --checkpoint-every=0.001 input 3e4
await test -e saved
stop INT
if [ "$status" -gt 128 ]; then
    particles --quiet --resume=saved --schedule=textbook --stats=stats --fields=f.csv --fields-grid=1x5
fi
expect_output "resumed" whole/out
verdict "its fields" "$(cmp f.csv whole/f.csv 2>&1)"
verdict "its figures" "$(sed '/^seconds/d; /^collisions_per/d' whole/stats >w; sed '/^seconds/d; /^collisions_per/d' stats | diff w - | head -n 4)"
# A rate that goes up and down with the temperature leaves the contact value as it is.
"$PROGRAM" --quiet --generate=100 --area-fraction=0.2 >warm
particles --rule=elastic --wall="left temperature=1" --wall="right restitution=0.9" --stats=figures --stats-from=100 warm 1100
verdict "the error of the contact value" "$(awk -F ' = ' '
    { value[$1] = $2 }
    END {
        rate = value["collision_rate_error"] / value["collision_rate"]
        contact = value["contact_value_error"] / value["contact_value"]
        if (!(contact > 0 && contact < rate / 2)) print contact " of itself, and the rate " rate
    }' figures)"

finish
