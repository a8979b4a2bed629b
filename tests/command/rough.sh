#!/bin/sh
# --roughness and --friction: what is refused, spins in all files, the same bytes from all schedules, threads and stops.
. tests/support/expect.sh

cd "$work" || exit 1
cat >few <<'DATA'
3
0.5
20 20
5 5 1 .5
10 3 -1 .2 0.75 2 1 -3.5
15 15 .3 -.7 .5 1 0 0.25
DATA
sed '2s/.*/0/' few >points
while IFS='|' read -r pattern options; do
    eval "set -- $options"
    expect_usage "$pattern" "$@" few 10
done <<'CASES'
--roughness takes a number from -1 to 1, and '1.1' is too large|--rule=elastic --roughness=1.1
--roughness takes .* and '-1.1' is|--rule=elastic --roughness=-1.1
--roughness takes .* and 'nan' is|--rule=elastic --roughness=nan
--roughness takes .* and '' |--rule=elastic --roughness=
--friction takes a number from 0 to 1e.40, and '-1' is negative|--rule=elastic --roughness=0 --friction=-1
'--roughness=1' needs --rule=elastic: particles that switch velocities have no surfaces|--roughness=1
'--roughness=1' needs --rule=elastic|--roughness=1 --rule=swap
'--friction=1' needs --rule=elastic|--friction=1
--friction is only for --roughness=BETA|--rule=elastic --friction=1
--inertia takes a number from 1e-06 to 1, and '0' is too small|--rule=elastic --roughness=0 --inertia=0
--inertia takes .* and '1.01' is too large|--rule=elastic --roughness=0 --inertia=1.01
--inertia is only for --roughness=BETA|--rule=elastic --inertia=1
'--roughness=1' is not for --step|--roughness=1 --step=1
'--roughness=1' is not for --lattice|--roughness=1 --lattice=9
'--roughness=1' is not for --grow=RATE|--rule=elastic --roughness=1 --grow=1
'--roughness=1' is not for --stream=U or a --wall with a temp|--rule=elastic --roughness=1 --periodic=x --stream=1
'--roughness=1' is not for --stream=U or a --wall with a temp|--rule=elastic --roughness=1 --wall='left temperature=1'
'--sensitivity' is not for --roughness=BETA|--rule=elastic --roughness=1 --sensitivity
CASES
expect_usage "'--roughness=1' is not for --resume: it is as in the checkpoint" --resume=x --roughness=1
expect_usage "'--inertia=1' is not for --resume: it is as in the checkpoint" --resume=x --inertia=1
expect_usage "is for a simulation: --generate makes" --generate=9 --roughness=1
expect_error "a point" 65 "points:4: particle 0 is a point, of radius 0, and cannot turn: --roughness is for disks" \
    --rule=elastic --roughness=1 points 1
expect_error "a spin of a smooth disk" 65 \
    "few:5: expected the end of the line .*, found '-3.5', which would be a spin, and that needs --roughness" few 1
while IFS='|' read -r pattern spin; do
    sed "5s/-3.5/$spin/" few >bad
    expect_error "the spin $spin" 65 "bad:5: $pattern" --rule=elastic --roughness=1 bad 1
done <<'CASES'
expected the spin of particle 1 .2 of 3., found 'fast'|fast
expected the spin of particle 1 .2 of 3., found 'inf'|inf
particle 1 spins too fast: its rim has the speed 1.5e.40, and that must not exceed 1e.40|-2e40
expected the end of the line after x y u v radius mass species spin of particle 1, .*, found '5'|1 5
CASES

# Spins in files, at time 0: they are those of INPUT.
particles --rule=elastic --roughness=0.5 --final=final --trajectory=t.xyz --every=1 --stats=stats few 0
verdict "spins in --final" "$(awk 'NR > 3 { print $8 }' final | tr '\n' ' ' | grep -vx '0 -3.5 0.25 ')"
verdict "spins in a trajectory" "$(awk 'NR > 2 { print $(NF - 2), $(NF - 1), $NF }' t.xyz | tr '\n' ' ' |
    grep -vx '0 0 0 0 0 -3.5 0 0 0.25 ')"
verdict "their name there" "$(grep -q ':angular_velocity:R:3 Time=' t.xyz || cat t.xyz)"
particles --rule=elastic --roughness=0.5 --trajectory=t.lammpstrj --every=1 few 0
verdict "their names in a dump" "$(grep -q 'mass omegax omegay omegaz$' t.lammpstrj || cat t.lammpstrj)"
# With I = Q m R^2 the energy of rotation is Q m R^2 w^2 / 2.
for inertia in 0.5 0.3 1; do
    particles --rule=elastic --roughness=1 --inertia=$inertia --stats=stats few 30
    verdict "energy, with Q = $inertia" "$(awk -v q=$inertia '$1 == "energy_start" &&
        ($3 - (1.25 / 2 + 1.04 + .58 / 2 + q * (2 * .75 ^ 2 * 3.5 ^ 2 + .5 ^ 2 * .25 ^ 2) / 2)) ^ 2 > 1e-28 ||
        $1 == "energy_drift" && $3 ^ 2 > 1e-28' stats)"
    mv out "out$inertia"
done
particles --rule=elastic --roughness=1 few 30
verdict "Q = 0.5 is the default" "$(cmp out out0.5)"
particles --rule=elastic --roughness=1 --inertia=1 --report=report few 30
verdict "and 1 is not" "$(cmp -s out out0.5 && echo same)"
verdict "it is in the report" "$(grep -q 'roughness 1 of surfaces; moment of inertia 1 m R^2 of disks' report || echo none)"

# A page that plays the run takes velocities after collisions with walls from its file.
particles --rule=elastic --roughness=1 --animate=page few 20
verdict "walls in the animation" "$(grep -q '^"walls": \[\[0, 0\], \[0, 0\], \[0, 0\], \[0, 0\]\]' page || echo none)"

# All schedules, threads and stops; a final state from which a run goes on.
printf '30 30\n45 32\n38 45\n' >block
printf 'rule elastic\nroughness 0.4\nfriction 0.3\ninertia 0.25\nrestitution 0.95\nperiodic x\nobstacle block\n' >options
$RUN_WITH "$PROGRAM" --quiet --generate=150,100 --radius=1,1.4 --mass=1,3 --area-fraction=0.2 --periodic=x \
    --obstacle=block >mixture
for schedule in --schedule=array "--threads=2 --tile-side=4" --schedule=textbook --schedule=cells; do
    # shellcheck disable=SC2086
    particles --config=options --quiet $schedule --final=final --trajectory=frames --every=0.7 --events=log --stats=stats \
        --forces=forces mixture 20
    [ "$status" = 0 ] || verdict "$schedule" "$(cat err)"
    mkdir -p found
    mv out final frames log stats forces found
    sed -i '/^seconds = /d; /^collisions_per_second = /d' found/stats
    [ -d first ] || mv found first
    [ ! -d found ] || verdict "$schedule" "$(diff -rq first found)"
    rm -rf found
done
expect_success "the final state" --config=options --quiet first/final 1
finish
