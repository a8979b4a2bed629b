#!/bin/sh
# The options that watch a run: none changes the answer, each leaves its file complete or not at
# all, and all names are checked.
. tests/support/expect.sh

input=data/particles_only.txt
mkdir "$work/files"

# left NAME FILE...: exactly these files are in $work/files
left() {
    name=$1
    shift
    verdict "$name" "$(ls -A "$work/files" | sort | tr '\n' ' ' |
        awk -v wanted="$(printf '%s\n' "$@" | sort | tr '\n' ' ')" \
            '{ found = $0 } END { if (found != wanted && found wanted != " ") print "left " found }')"
}

# Each of the inputs, for both schedules, with each set of options: the same bytes.
{ echo 3; echo 0; echo "5 5"; echo "0 1 1 0"; echo "2 1 0 0"; echo "5 1 -1 0"; } >"$work/points"
printf '2\n1\n20 20\n5 5 0 0\n7 5 0 0\n' >"$work/rest"
cases=$([ -n "$THOROUGH" ] && seq 12 || echo 1)
for seed in $cases; do
    "$BUILD/tests/command/make_case" "$seed" >"$work/case$seed"
done
for file in data/*.txt "$work/points" "$work/rest" "$work"/case*; do
    for end in 0 37.5; do
        "$PROGRAM" "$file" $end >"$work/plain"
        for kind in array cells; do
            rm -f "$work"/files/*
            log=$work/files/log.$kind
            frames=$work/files/frames.$kind
            expect_output "$file $end $kind --events" "$work/plain" --schedule=$kind --events="$log" "$file" $end
            particles --schedule=$kind --trajectory="$frames" --every=0.7 "$file" $end
            expect_output "$file $end $kind --trajectory" "$work/plain"
            particles --schedule=$kind --progress --quiet "$file" $end
            expect_output "$file $end $kind --progress --quiet" "$work/plain"
            cp "$log" "$work/log.$kind"
            cp "$frames" "$work/frames.$kind"
            particles --schedule=$kind --trajectory="$frames" --every 0.7 --events "$log" \
                --progress "$file" $end
            grep -Eqx 'particles: time .* of .* \(100.0 %\), [0-9]* events, .* left' "$work/err" &&
                : >"$work/err"
            expect_output "$file $end $kind, all" "$work/plain"
            left "$file $end $kind, all: files" log.$kind frames.$kind
            cmp -s "$log" "$work/log.$kind" && cmp -s "$frames" "$work/frames.$kind"
            verdict "$file $end $kind: the files do not depend on other options" \
                "$([ $? -eq 0 ] || echo "they do")"
        done
        cmp -s "$work/log.array" "$work/log.cells" && cmp -s "$work/frames.array" "$work/frames.cells"
        verdict "$file $end: the files do not depend on the schedule" \
            "$([ $? -eq 0 ] || echo "they do")"
        verdict "$file $end: the log has every collision" "$(awk -F '[,]' '
            NR == FNR { walls += $3; pairs += $4; next }
            $2 == "wall" { walls-- }
            $2 == "particle" { pairs -= 2 }
            END { if (walls != 0 || pairs != 0) print walls " and " pairs " are missing" }
            ' "$work/plain" "$work/log.array")"
    done
done
rm -f "$work"/files/*

# Any two options that watch a run, or every second pair of them.
"$PROGRAM" "$input" 50 >"$work/plain"
awk 'NR == 3 { print 0, 0; print $1, 0 }' "$input" >"$work/floor" # as the box has one: it changes nothing
set -- --stats --stats="$work/files/stats" --sensitivity=2 --progress --quiet \
    --events="$work/files/log" --trajectory="$work/files/frames --every=9" --structure="$work/files/structure --every=9" \
    --fields="$work/files/fields.csv --fields-grid=4x3" --picture="$work/files/picture" --animate="$work/files/page" --report="$work/files/report" \
    --final="$work/files/final" --forces="$work/files/forces" \
    --checkpoint="$work/files/saved --checkpoint-every=0.001"
turn=0
while [ $# -gt 0 ]; do
    one=$1
    for other; do
        turn=$((turn + 1))
        [ -n "$THOROUGH$QUICK" ] || [ $((turn % 2)) -eq 0 ] || continue
        rm -f "$work"/files/*
        particles --obstacle="$work/floor" $one $other "$input" 50
        problem=$(cmp "$work/out" "$work/plain" 2>&1)
        [ "$status" -eq 0 ] || problem="status $status: $(cat "$work/err")"
        verdict "$one with $other" "$problem"
    done
    shift
done
rm -f "$work"/files/*

# Other readers of such files read a trajectory.
python=$(python_with ase)
if [ -n "$python" ]; then
    printf '2\n1 10 10\n2 2 0.5 -1 0.5 3 1\n7 7 -2 0.25 0.25 0.5 0\n' >"$work/masses"
    particles --rule=elastic --periodic=x --trajectory="$work/masses.xyz" --every=1 "$work/masses" 0.5
    particles --periodic=x --trajectory="$work/periodic.xyz" --every=7 data/particles_walls.txt 500
    for columns in species unwrapped; do
        for ending in xyz lammpstrj; do
            particles --periodic=xy --trajectory="$work/$columns.$ending" --trajectory-columns=$columns --every=7 \
                data/particles_walls.txt 500
        done
    done
    particles --trajectory="$work/frames.xyz" --every=1 data/particles_walls.txt 10
    verdict "ASE reads trajectories, velocities and masses, and those of periodic boxes" "$("$python" - "$work" 2>&1 <<'PYTHON'
import sys
from ase.io import read
work = sys.argv[1]
frames = read(work + "/frames.xyz", index=":")
ends = [[float(word) for word in line.split(",")] for line in open(work + "/out")]
box = [float(word) for word in open("data/particles_walls.txt").read().split()[2:4]]
assert [frame.info["Time"] for frame in frames] == list(range(11))
for frame in frames:
    assert list(frame.arrays["id"]) == list(range(len(ends)))
    assert list(frame.cell.lengths()) == box + [1] and not any(frame.pbc)
    assert frame.arrays["velo"].shape == (len(ends), 3) and len(frame.arrays["radius"]) == len(ends)
for position, end in zip(frames[-1].positions, ends):
    assert ["%.6f" % x for x in position] == ["%.6f" % x for x in end[:2] + [0]]

frame = read(work + "/masses.xyz", index=0)
assert (frame.get_masses() == [3, 0.5]).all() and list(frame.pbc) == [True, False, False]
assert (frame.get_velocities() == [[0.5, -1, 0], [-2, 0.25, 0]]).all()
assert (frame.get_velocities() == frame.arrays["velo"]).all()

for frame in read(work + "/periodic.xyz", index=":"):
    apart = frame.arrays["unwrapped_position"] - frame.positions
    width = frame.cell.lengths()[0]
    assert list(frame.pbc) == [True, False, False] and (0 <= frame.positions).all()
    assert abs(apart[:, 0] / width - (apart[:, 0] / width).round()).max() < 1e-9 and not apart[:, 1:].any()
assert abs(apart).max() > width

wrapped = read(work + "/species.xyz", index=":")
unwrapped = read(work + "/unwrapped.xyz", index=":")
dump = read(work + "/unwrapped.lammpstrj", index=":", format="lammps-dump-text", units="ASE")
assert len(wrapped) == len(unwrapped) == len(dump) == 73
for frame, free, other in zip(wrapped, unwrapped, dump):
    assert (free.positions == frame.arrays["unwrapped_position"]).all() and "unwrapped_position" not in free.arrays
    assert (free.get_velocities() == other.get_velocities()).all() and list(other.pbc) == [True, True, False]
    assert (frame.positions == other.positions).all() and abs(other.cell.lengths() - frame.cell.lengths()).max() < 1e-12
    assert (frame.arrays["mass"] == frame.get_masses()).all()
PYTHON
    )"
else
    skip "reading a trajectory with ASE" python3-ase
fi
if command -v lmp >/dev/null; then
    printf '2\n1 10 10\n2 2 0.5 -1 0.5 3 1\n7 7 -2 0.25 0.25 0.5 0\n' >"$work/masses"
    particles --rule=elastic --periodic=x --trajectory="$work/masses.lammpstrj" --every=1 --trajectory-columns=time \
        "$work/masses" 3
    printf '%s\n' 'units lj' 'dimension 2' 'region box block 0 1 0 1 -0.5 0.5' 'create_box 2 box' 'mass * 1' \
        "read_dump $work/masses.lammpstrj 3 x y vx vy box yes replace no purge yes add keep" \
        "write_dump all custom $work/lammps id type x y vx vy modify sort id format float %.15g" >"$work/script"
    (cd "$work" && lmp -in "$work/script" -log none >"$work/log" 2>&1)
    verdict "LAMMPS reads a trajectory with velocities" "$(sed -n 2p "$work/lammps" | grep -vx 3
        tail -n 2 "$work/masses.lammpstrj" | cut -d ' ' -f 1-4,6,7 >"$work/wanted"
        sed 's/ $//' "$work/lammps" | tail -n 2 | cmp - "$work/wanted" 2>&1)"
else
    skip "reading a trajectory with LAMMPS" lammps
fi

# Names that make no sense.
cp "$input" "$work/input"
ln -s input "$work/link"
usage() {
    expect_error "$*" 64 "$pattern" "$@"
    cmp -s "$input" "$work/input"
    verdict "$*: INPUT is as it was" "$([ $? -eq 0 ] || echo "it is not")"
}
pattern="--(events|trajectory) takes the name of a file to write"
usage --events=- "$input" 1
usage --events= "$input" 1
usage --trajectory=- --every=1 "$input" 1
pattern="would overwrite INPUT"
usage --events="$work/input" "$work/input" 1
usage --events="$work/link" "$work/input" 1
usage --trajectory="$work/files/../input" --every=1 "$work/link" 1
pattern="need a file each"
usage --events="$work/files/new" --trajectory="$work/files/../files/new" --every=1 "$input" 1
pattern="--trajectory needs --every"
usage --trajectory="$work/files/new" "$input" 1
pattern="--every is only for --trajectory"
usage --every=1 "$input" 1
pattern="--every takes a positive number, and '.*' is"
for every in 0 -1 x inf 1e300 ""; do
    usage --trajectory="$work/files/new" --every="$every" "$input" 1
done
pattern="would be 1e.10 frames; the most is 1e.09"
usage --trajectory="$work/files/new" --every=1e-9 "$input" 10
pattern="--generate makes an INPUT"
usage --generate=5 --events="$work/files/new"
usage --generate=5 --every=1
expect_error "standard output, by its name" 64 "is standard output" --events=/dev/stdout "$input" 1
$RUN_WITH "$PROGRAM" --events="$work/input" - 1 <"$work/input" >"$work/out" 2>"$work/err"
status=$?
expect_error "the file behind standard input" 64 "is standard input"
left "no files after wrong usage" ""

# Files that cannot be written.
echo old >"$work/files/old"
expect_error "no such directory" 74 "none/new: cannot open: No such file" --events="$work/none/new" "$input" 10
expect_error "a directory" 74 "files: cannot open: Is a directory" --trajectory="$work/files" --every=1 "$input" 10
for file in new old; do
    (ulimit -f 8 && $RUN_WITH "$PROGRAM" --trajectory="$work/files/$file" --every=0.1 "$input" 100 \
        >"$work/out" 2>"$work/err")
    status=$?
    expect_error "a file that gets too large, $file" 74 "files/$file: cannot write: File too large"
done
if [ -c /dev/full ]; then
    particles --events=/dev/full --trajectory="$work/files/new" --every=1 "$input" 100
    expect_error "a full disk" 74 "/dev/full: cannot write: No space left"
fi
mkfifo "$work/pipe"
head -c 1000 "$work/pipe" >/dev/null &
particles --events="$work/pipe" --trajectory="$work/files/new" --every=1 "$input" 10000
expect_error "a pipe without a reader" 74 "pipe: cannot write: Broken pipe"
left "no new files where one cannot be written" old
verdict "the old file is as it was" "$([ "$(cat "$work/files/old")" = old ] || echo "it is not")"
particles --events="$work/files/old" --trajectory=/dev/null --every=1 "$input" 10
expect_output "a file that is replaced, and a device" tests/command/expected/particles_only.t10.expected
verdict "it is replaced" "$(grep -q ^time "$work/files/old" || echo "it is not")"
rm "$work/files/old"

# A file that a user may have taken for INPUT.
cp data/particles_walls.txt "$work/files/other"
for option in --animate --events --picture --stats --checkpoint; do
    particles "$option=$work/files/other" "$input" 10
    expect_error "$option over an INPUT" 64 "(would overwrite '.*other', which looks like an INPUT|is there already)"
done
cmp -s data/particles_walls.txt "$work/files/other"
verdict "it stays" "$([ $? -eq 0 ] || echo "it does not")"
rm "$work/files/other"

# is_there [TEST...]: whether the temporary file of $work/files/big is, and passes the TEST of find
is_there() {
    [ -n "$(find "$work/files" -name 'big.*' "$@")" ]
}

# interrupt NAME STATUS OPTION...: sends the signal NAME to a run that writes $work/files/big, and
# would do so for hours
interrupt() {
    signal=$1
    wanted=$2
    shift 2
    launch "$@" "$input" "$end"
    await is_there -size +0
    stop "$signal"
    expect_error "SIG$signal, $*" "$wanted" "interrupted at time [0-9.e+]+"
    left "SIG$signal, $*: no files" ""
}
end=1e11
interrupt INT 130 --events="$work/files/big"
interrupt TERM 143 --events="$work/files/big" --progress
for name in USR1=138 USR2=140 ALRM=142 XCPU=152; do # as batch systems send; the numbers are Linux's
    interrupt ${name%=*} ${name#*=} --events="$work/files/big"
done
interrupt HUP 129 --events=/dev/null --trajectory="$work/files/big" --every=1000
printf '1\n1\n9 9\n5 5 0 0\n' >"$work/still"
end=1e9
input=$work/still # without any event, and hence as many frames as there are without a break
interrupt INT 130 --trajectory="$work/files/big" --every=1

# Of files that are written when the run is over, not even a kill leaves anything; here after the log
# has been begun, which is made after them.
launch --picture="$work/files/p.svg" --stats="$work/files/s.txt" \
    --trajectory="$work/files/big" --every=1 "$input" "$end"
await is_there -size +0
stop KILL
rm -f "$work"/files/big.*
left "SIGKILL: no picture, no statistics" ""


# While the first predictions are made, of which there are 2 * 10^8 in one cell.
awk 'BEGIN {
    print "20000 0 100 100"
    for (k = 1; k <= 20000; k++) print 50, 50, k % 141 - 70, k % 97 - 48
}' >"$work/one_place"
interrupt_waiting() {
    launch --events="$work/files/big" "$@" "$work/one_place" 1
    await is_there
    stop TERM
    expect_error "SIGTERM before the first collision, $*" 143 "interrupted at time 0$"
    left "SIGTERM before the first collision, $*: no files" ""
}
interrupt_waiting --schedule=cells

finish
