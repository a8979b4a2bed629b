#!/bin/sh
# --grow: what is refused, where runs end, radii in all files, the same bytes from all schedules, threads, stops and
# processors, with walls, polygons and periodic boxes.
. tests/support/expect.sh

cd "$work" || exit 1
cat >few <<'DATA'
5
0.5
20 20
5 5 1 .5
10 3 -1 .2
15 15 .3 -.7
3 12 2 0
17 3 -.4 1.1
DATA
sed '2s/.*/0/' few >points
printf '5 5\n15 5\n15 15\n5 15\n' >block
while IFS='|' read -r pattern options; do
    eval "set -- $options"
    expect_usage "$pattern" "$@" few 10
done <<'CASES'
--grow takes a number from 0 to 1e.40, and '-1' is negative|--rule=elastic --grow=-1
--grow takes .* and 'fast' is not a number|--rule=elastic --grow=fast
--grow takes .* and 'nan' is|--rule=elastic --grow=nan
--grow takes .* and 'inf' is|--rule=elastic --grow=inf
--grow takes .* and '1e41' is too large|--rule=elastic --grow=1e41
--grow takes .* and '' |--rule=elastic --grow=
'--grow=1' needs --rule=elastic: particles that switch velocities cannot part|--grow=1
'--grow=1' needs --rule=elastic|--grow=1 --rule=swap
'--rule=elastic' is not for --step|--rule=elastic --grow=1 --step=1
'--grow=1' needs --rule=elastic|--grow=1 --step=1
'--lattice=9' is not for --grow=RATE|--rule=elastic --grow=1 --lattice=9
'--stream=1' is not for --grow=RATE|--rule=elastic --grow=1 --periodic=x --stream=1
'--restitution=0.9' is not for --grow=RATE|--rule=elastic --grow=1 --restitution=0.9
'--restitution=1' is not for --grow=RATE|--rule=elastic --grow=1 --restitution=1
'--restitution=0.9' is not for --grow=RATE|--rule=elastic --grow=1 --restitution=0.9 --contact-time=1
'--wall=left temperature=1' is not for --grow=RATE|--rule=elastic --grow=1 --wall='left temperature=1'
'--gravity=0,-1' is not for --grow=RATE|--rule=elastic --grow=1 --gravity=0,-1
--colour-contacts is only for --picture=FILE|--rule=elastic --grow=1 --colour-contacts
--colour-contacts is only for --grow=RATE|--rule=elastic --colour-contacts --picture=drawing
'--rule=elastic' is not for --step|--rule=elastic --grow=1 --colour-contacts --picture=drawing --step=1
'--sensitivity' is not for --grow=RATE|--rule=elastic --grow=1 --sensitivity
'--sensitivity-status' is not for --grow=RATE|--rule=elastic --grow=1 --sensitivity-status
--grow-until is only for --grow=RATE|--rule=elastic --grow-until=0.5
--grow-until is only for --grow=RATE|--rule=elastic --grow-until=P10
--grow-until needs a --grow above 0|--rule=elastic --grow=0 --grow-until=0.5
--grow-until needs a --grow above 0|--rule=elastic --grow=0 --grow-until=P5
--grow-until takes an area fraction up to 0.9069, or P and .* and '0.91' is too large|--rule=elastic --grow=1 --grow-until=0.91
--grow-until takes .* and '-0.1' is|--rule=elastic --grow=1 --grow-until=-0.1
--grow-until takes .* and '0' is too small|--rule=elastic --grow=1 --grow-until=0
--grow-until takes .* and 'P' is|--rule=elastic --grow=1 --grow-until=P
--grow-until takes .* and 'p5' is not a number|--rule=elastic --grow=1 --grow-until=p5
--grow-until takes .* and 'P-5' is|--rule=elastic --grow=1 --grow-until=P-5
--grow-until takes .* and 'P0' is|--rule=elastic --grow=1 --grow-until=P0
--grow-until takes .* and '0.5 ' is|--rule=elastic --grow=1 --grow-until='0.5 '
--grow-until=0.009: the disks cover more at the start, 0.00981748|--rule=elastic --grow=1 --grow-until=0.009
--grow=3: at time 3 a periodic side is shorter than four radii|--rule=elastic --grow=3 --periodic=xy
--grow=9: at time 1 a periodic side is shorter than four radii|--rule=elastic --grow=9 --periodic=y --grow-until=P1e9
CASES
expect_usage "'--grow=1' is not for --resume: it is as in the checkpoint" --resume=x --grow=1
expect_usage "is for a simulation: --generate makes" --generate=9 --grow=1
expect_usage "option '--grow' needs a value" few 1 --rule=elastic --grow
expect_usage "--grow is for disks: these are points" --rule=elastic --grow=1 points 1
expect_error "a box without room" 65 "at time .* disks have grown until they have no room, at area fraction 0\.[3-6]" \
    --rule=elastic --grow=3 few 10

# A rate of 0 is no growth; a time is as long as the fraction takes.
particles --rule=elastic few 10
mv out plain
expect_output "--grow=0" plain --rule=elastic --grow=0 few 10
particles --rule=elastic --grow=1 --grow-until=0.0392699081698724 --final=end --stats=stats --report=page \
    --structure=structure --every=0.7 few 10
verdict "the last area fraction of the equation of state" "$(awk -F , '$1 == "reduced_pressure" { last = $3 }
    END { if ((last / 0.00981747704 / 1.85 ^ 2 - 1) ^ 2 > 1e-16) print last }' structure)"
particles --rule=elastic --periodic=xy --grow=1 --structure=structure --every=0.7 few 1
verdict "what has no value while disks grow" "$(grep -q '^viscosity_none_growth,all,,,$' structure || echo viscosity
    grep '^g_contact,' structure)"
verdict "the report names the rule" "$(grep -q 'as seen from their rims, which grow' page || echo no)"
verdict "the radius at the end" "$(awk 'NR == 2 && ($1 - 1) ^ 2 > 1e-29' end)"
verdict "the time of the end" "$(awk '$1 == "end_time" && ($3 - 1) ^ 2 > 1e-29' stats)"
verdict "the area fraction at the end" "$(awk '$1 == "area_fraction" && ($3 - 0.03926990817) ^ 2 > 1e-20' stats)"

# Mixtures, walls, seams, polygons: the same bytes, and a final state that a run accepts.
$RUN_WITH "$PROGRAM" --quiet --generate=60,40 --radius=1,1.4 --mass=1,3 --area-fraction=0.2 --periodic=xy >mixture
$RUN_WITH "$PROGRAM" --quiet --generate=80 --radius=1~0.4 --area-fraction=0.2 >spread
$RUN_WITH "$PROGRAM" --quiet --generate=60 --radius=0.5 --area-fraction=0.1 --obstacle=block >around
$RUN_WITH "$PROGRAM" --quiet --generate=40 --radius=0.4 --domain=block >within
sleep_while_waiting
while read -r input until options; do
    for schedule in "--schedule=array" "--threads=2 --tile-side=4" "--schedule=textbook" "--schedule=cells"; do
        [ -z "$QUICK" ] || [ "$schedule" = "--schedule=array" ] || [ "$schedule" = "--threads=2 --tile-side=4" ] || continue
        # Up to a pressure the textbook schedule takes as long as all others: it has each input up to a fraction.
        case $schedule$until in *textbookP*) [ -n "$THOROUGH" ] || continue ;; esac
        # Nor has a page all: its many frames take narrow tiles longer than all else.
        page=--animate=page
        case $until in P*) [ -n "$THOROUGH" ] || page= ;; esac
        # shellcheck disable=SC2086
        particles --rule=elastic --quiet --grow=0.05 --grow-until="$until" $schedule $options --final=final \
            --trajectory=frames --every=0.7 --events=log --stats=stats --structure=structure $page "$input" 1000
        [ "$status" = 0 ] || verdict "$input $schedule" "$(cat err)"
        mkdir -p found
        (cd found && rm -rf ./*)
        mv out final frames log stats structure ${page:+page} found
        sed -i '/^seconds = /d; /^collisions_per_second = /d' found/stats
        [ -d first ] || mv found first
        [ ! -d found ] || verdict "$input $schedule" "$(diff -rq first found)"
    done
    # shellcheck disable=SC2086
    expect_success "the final state of $input" --rule=elastic --quiet $options first/final 0.1
    rm -rf first found
done <<'RUNS'
mixture 0.7 --periodic=xy
mixture P20 --periodic=xy
spread 0.6
spread P5 --periodic=x
around 0.5 --obstacle=block
around P4 --obstacle=block --periodic=xy
within 0.5 --domain=block
RUNS

# Figures of packings that are known: a lattice; one with a small disk in a cage, whose six neighbours lack a contact;
# two disks across a square with walls, which hold them; and a run too short to tell.
for small in 0.45 0.2; do
    awk -v small=$small 'BEGIN { OFMT = "%.17g"; print 16; print 0.45; print 4, 4 * sqrt(0.75)
        for (k = 0; k < 16; k++) print (k % 4 + int(k / 4) % 2 / 2) % 4, int(k / 4) * sqrt(0.75), sin(k), sin(7 * k + 1),
            k == 5 ? small : 0.45, 1 }' >lattice
    expect_success "a lattice with a radius $small" --rule=elastic --periodic=xy --grow=0.01 --grow-until=P1e7 \
        --stats=stats --picture=drawing --colour-contacts --quiet lattice 100
    verdict "colours of a lattice with a radius $small" "$(sed -n "s/.*>\([0-9a-z]*\)<tspan class=\"quiet\"> · /\1 /; t found
        d; : found; s/<.*//p" drawing | tr '\n' ' ' | grep -Fqx "$([ $small = 0.45 ] && echo '6 16 ' || echo 'rattlers 1 5 6 6 9 ')" ||
        cat drawing)"
    verdict "figures of a lattice with a radius $small" "$(awk -v small=$small '
        function check(expected, bound) { if (($3 / expected - 1) ^ 2 > bound ^ 2) print }
        $1 == "jamming_fraction" { check(3.14159265358979 / sqrt(12) * (small < 0.4 ? (15 + (small / 0.45) ^ 2) / 16 : 1), 1e-6); n++ }
        $1 == "contacts_mean" { check(small < 0.4 ? 5.6 : 6, 1e-12); n++ }
        $1 == "rattlers" { if ($3 != (small < 0.4)) print; n++ }
        small > 0.4 && /^psi6_/ { check(1, 1e-9); n++ }
        END { if (n < 3) print n }' stats)"
done
printf '2\n1\n10 10\n2 3 .3 .7\n7 6 -.5 .2\n' >two
expect_success "two wedged disks" --rule=elastic --grow=0.001 --grow-until=P1e6 --stats=stats --events=log \
    --trajectory=frames --every=7 --quiet two 1e4
verdict "radii in the log" "$(awk -F , 'function differ(a, b) { return (a / b - 1) ^ 2 > 1e-20 }
    NR == 1 { if ($14 != "a_radius" || $15 != "b_radius") print; next }
    { side = ($5 == "left" || $5 == "bottom") ? 0 : 10 }
    differ($14, 1 + $1 / 1000) || ($2 == "wall" && $15 != "") { print }
    $2 == "wall" && differ($5 ~ /left|right/ ? ($6 - side) ^ 2 : ($7 - side) ^ 2, $14 ^ 2) { print }
    $2 == "particle" && ($14 != $15 || differ(($6 - $10) ^ 2 + ($7 - $11) ^ 2, ($14 + $15) ^ 2)) { print }
    END { if (NR < 300) print NR }' log)"
verdict "radii in the trajectory" "$(awk 'sub(/.*Time=/, "") { radius = 1 + $1 / 1000; next }
    NF > 7 { n++; if (($8 / radius - 1) ^ 2 > 1e-30) print } END { if (n < 100) print n }' frames)"
verdict "figures of two wedged disks" "$(awk '
    $1 == "jamming_fraction" { if (($3 / (2 * 3.14159265358979 / (2 + sqrt(2)) ^ 2) - 1) ^ 2 > 1e-10) print; n++ }
    $1 == "contacts_mean" { if ($3 != 3) print; n++ }
    $1 == "rattlers" { if ($3 != 0) print; n++ }
    END { if (n < 3) print n }' stats)"
expect_success "a run too short to tell" --rule=elastic --grow=0.1 --stats=stats --quiet two 0.1
verdict "figures of a run too short to tell" "$(awk '$1 ~ /^(jamming_fraction|contacts_mean)$/ && $3 != "none" ||
    $1 == "rattlers" && $3 != 2' stats)"
$RUN_WITH "$PROGRAM" --quiet --generate=20,20 --radius=1,1.4 --area-fraction=0.3 --periodic=xy >gas
expect_success "a gas" --rule=elastic --periodic=xy --grow=0.001 --stats=stats --quiet gas 300
verdict "no jamming, no theory and no contact values" "$(awk '
    /^(jamming_fraction|pressure_reduced|contact_value|.*enskog)/ { n++; if ($3 != "none") print }
    END { if (n < 12) print n }' stats)"
expect_success "no growth" --rule=elastic --grow=0 --stats=stats --quiet two 1
verdict "no figures of growth without it" "$(grep '^jamming\|^contacts\|^rattlers\|^psi6' stats)"

# One size follows the equation of state of the fluid (A. Kolafa and M. Rottner, Mol. Phys. 104, 3435, 2006: Z at
# area fractions 0.5498 and 0.6676), and a mixture jams at 0.842 or so (C. O'Hern and others, Phys. Rev. E 68, 2003).
if [ -n "$THOROUGH" ]; then
    $RUN_WITH "$PROGRAM" --quiet --generate=2000 --area-fraction=0.5 --periodic=xy --disordered >fluid
    expect_success "a slow compression" --rule=elastic --periodic=xy --grow=7.07e-5 --grow-until=0.69 --every=40 \
        --structure=structure --threads=1 --quiet fluid 1e6
    verdict "the equation of state" "$(awk -F , '$1 == "reduced_pressure" && $3 > 0.5398 && $3 < 0.5598 { a += $4; m++ }
        $1 == "reduced_pressure" && $3 > 0.6576 && $3 < 0.6776 { b += $4; n++ }
        END { if (!m || (a / m / 5.0823 - 1) ^ 2 > 1e-4 || !n || (b / n / 9.2458 - 1) ^ 2 > 1e-4) print a / m, b / n }' \
        structure)"
    $RUN_WITH "$PROGRAM" --quiet --generate=500,500 --radius=1,1.4 --area-fraction=0.4 --periodic=xy >loose
    for rate in 0.005 0.001; do
        expect_success "a packing at rate $rate" --rule=elastic --periodic=xy --grow=$rate --grow-until=P1e8 --stats=stats \
            --threads=1 --quiet loose 1e6
        verdict "where it jams" "$(awk '$1 == "area_fraction" && ($3 - 0.842) ^ 2 > 1e-4' stats)"
        # Contacts that bear little collide too seldom to be seen where growth is fast.
        [ $rate = 0.005 ] || verdict "contacts just hold it" "$(awk '$1 == "contacts_mean" && ($3 / 4 - 1) ^ 2 > 9e-4' stats)"
    done
fi

# Stopped again and again, and killed.
files="out final frames log stats page drawing structure"
set -- --final=final --trajectory=frames --structure=structure --every=0.7 --events=log --stats=stats --animate=page --picture=drawing \
    --colour-contacts --quiet
particles --grow=0.05 --rule=elastic --periodic=xy --grow-until=P300 "$@" mixture 1000
sed -i '/^seconds = /d; /^collisions_per_second = /d' stats
mkdir whole
# shellcheck disable=SC2086
mv $files whole
for signal in TERM KILL; do
    stops=0
    status=1
    while [ "$status" -ne 0 ] && [ $stops -lt 1000 ]; do
        if [ -e saved ]; then
            launch --resume=saved --checkpoint=saved --checkpoint-every=0.001 "$@"
        else
            launch --grow=0.05 --rule=elastic --periodic=xy --grow-until=P300 --checkpoint=saved \
                --checkpoint-every=0.001 "$@" mixture 1000
        fi
        if [ $stops -le 8 ]; then
            await test -e saved
            sleep 0.03
            kill -$signal "$process" 2>"$work/killed"
        fi
        wait "$process" 2>/dev/null
        status=$?
        [ -e kept ] || cp saved kept
        stops=$((stops + 1))
    done
    verdict "stops by signal $signal" "$([ $stops -gt 2 ] || echo "$stops")"
    sed -i '/^seconds = /d; /^collisions_per_second = /d' stats
    for file in $files; do
        verdict "$file after signals $signal" "$(cmp "$file" "whole/$file" 2>&1)"
        rm -f "$file"
    done
    rm -f saved ./*.??????
done
expect_usage "kept is the checkpoint of a run with --picture: give it again" --resume=kept --final=final \
    --trajectory=frames --structure=structure --every=0.7 --events=log --stats=stats --animate=page --picture=drawing
finish
