#!/bin/sh
# --picture with a pattern, a picture a frame, and --paths: names, scale, what may be overwritten, and
# that both go on in a run that was killed.
. tests/support/expect.sh

printf '2\n1\n20 20\n3 3 2 0.5\n15 9 -1 0.25\n' >"$work/input"
mkdir "$work/one" "$work/two" "$work/files" "$work/my frames"

# The frames of --trajectory have the same times.
particles --rule=elastic --picture="$work/one/%03d.svg" --every=3 "$work/input" 10
"$PROGRAM" --rule=elastic "$work/input" 10 >"$work/answer"
expect_output "frames leave the answer as it is" "$work/answer"
verdict "a frame at each time, and at the end" "$(
    (cd "$work/one" && grep -o '<title>2 .*</title>' ./*.svg) | sed 's|^./||' >"$work/titles"
    for frame in 0:0 1:3 2:6 3:9 4:10; do
        echo "00${frame%:*}.svg:<title>2 particles at time ${frame#*:}</title>"
    done | diff - "$work/titles")"
# The elements of legend and layout.
fixed() {
    grep -e '^<svg' -e 'class="card"' -e 'class="box"' -e 'class="number"' -e 'text-anchor="end"' "$1"
}
fixed "$work/one/000.svg" >"$work/fixed"
verdict "the legend says that speeds may be higher" "$(grep -q '>and above</text>' "$work/one/000.svg" || echo no)"
verdict "there are a box and a legend" "$([ "$(wc -l <"$work/fixed")" -ge 6 ] || cat "$work/fixed")"
for frame in "$work"/one/*.svg; do
    verdict "all to one scale, ${frame##*/}" "$(fixed "$frame" | diff - "$work/fixed")"
done
particles --rule=elastic --schedule=cells --picture="$work/my frames/%d of 4.svg" --every=3 "$work/input" 10
for k in 0 1 2 3 4; do
    verdict "the same with any schedule and name, $k" \
        "$(cmp "$work/one/00$k.svg" "$work/my frames/$k of 4.svg" 2>&1)"
done
expect_silence "earlier frames are replaced" --rule=elastic --picture="$work/one/%03d.svg" --every=3 "$work/input" 10
particles --picture="$work/two/%d" --every=1 "$work/input" 0
verdict "a run of no time has one frame" "$([ "$(ls "$work/two")" = 0 ] || ls "$work/two")"
printf '1\n1\n20 20\n3 3 0 0\n' >"$work/still"
particles --picture="$work/two/%d" --every=1 "$work/still" 1
verdict "all at rest: no nonsense" "$(grep -Ei '[^a-z](nan|inf)[^a-z]' "$work/two/1")"

# Names that are no patterns, options that miss, and directories.
for name in '%' 'a%' '%%d' '%s' '%x' '%5d' '%0d' '%00d' '%012d' '%06' '%d%' '%d%d' '%06d-%d' '%d/x'; do
    particles --picture="$work/files/$name" --every=1 "$work/input" 1
    expect_error "'$name'" 64 "--picture takes the name of a file or, for frames, .* has "
done
particles --picture="$work/files/%d" "$work/input" 1
expect_error "no --every" 64 "--picture with a '%' in its name needs --every=DT"
particles --picture="$work/files/one" --every=1 "$work/input" 1
expect_error "no pattern" 64 "--every is only for .*frames of --picture, such as %06d.svg"
expect_error "too many" 64 "the most is 1e\+06 for --picture" --picture="$work/files/%d" --every=1e-7 "$work/input" 1
particles --picture="$work/nowhere/%d" --every=1 "$work/input" 1
expect_error "no directory" 74 "nowhere/%d: cannot open: No such file"
verdict "no file is left" "$(ls "$work/files")"

# Files that frames must not overwrite.
cp "$work/input" "$work/files/2.svg"
particles --picture="$work/files/%d.svg" --every=1 "$work/files/2.svg" 5
expect_error "INPUT" 64 "--picture would overwrite '.*/files/2.svg', which is no picture"
verdict "INPUT stays" "$(cmp "$work/input" "$work/files/2.svg" 2>&1)"
expect_silence "a number that no frame has" --picture="$work/files/%d.svg" --every=1 "$work/input" 1
mv "$work/files/2.svg" "$work/files/02.svg"
expect_silence "digits that no frame has" --picture="$work/files/%d.svg" --every=1 "$work/input" 5
rm "$work"/files/*
ln -s "$work/input" "$work/files/1"
expect_error "a link" 64 "would overwrite '.*/files/1'" --picture="$work/files/%d" --every=1 "$work/input" 5
rm "$work/files/1"
for option in --events --final --animate; do
    particles --picture="$work/files/%02d" --every=1 $option="$work/two/../files/03" "$work/input" 5
    expect_error "$option as a frame" 64 " need a file each, and '.*03' and '.*%02d' are the same file|'.*%02d' and '.*03' are"
done
particles --picture="$work/files/%02d" --every=1 --final="$work/files/06" "$work/input" 5
verdict "a file after the last frame" "$([ -s "$work/files/06" ] || cat "$work/err")"

# A run that is killed and resumed, as often as it takes, leaves the same frames.
$PROGRAM --quiet --generate=40 --seed=4 >"$work/gas"
mkdir "$work/plain" "$work/resumed"
run="--rule=elastic --periodic=xy --stream=1 --paths"
expect_silence "a run with many frames" $run --picture="$work/plain/%d" --every=0.02 "$work/gas" 6
frames="--picture=$work/resumed/%d --every=0.02 --paths"
launch $run $frames --checkpoint="$work/saved" --checkpoint-every=0.001 "$work/gas" 6
await test -e "$work/resumed/40"
stop KILL
verdict "killed in the middle" "$([ ! -e "$work/resumed/300" ] && [ -e "$work/saved" ] || ls "$work/resumed")"
particles --resume="$work/saved" --picture="$work/files/%d" --every=0.02
expect_error "without --paths" 64 "checkpoint of a run with --paths: give it again"
particles --resume="$work/saved" --picture="$work/files/%d" --every=0.03 --paths
expect_error "another DT" 64 "frames and --every=0.02"
expect_error "one picture" 64 "frames and --every=0.02" --resume="$work/saved" --picture="$work/files/one" --paths
expect_error "no picture" 64 "checkpoint of a run with --picture: give it again" --resume="$work/saved"
particles --resume="$work/saved" $frames
rm -f "$work"/resumed/*.* # what the kill may have left of a frame
verdict "the same frames as without a break" "$(cat "$work/err"; diff -rq "$work/plain" "$work/resumed")"

# Paths: coordinates are those of the picture, 36 pixels a unit of length from 32, 102 on.
printf '1\n1\n20 20\n5 19 4 0\n' >"$work/wall"
particles --paths --picture="$work/wall.svg" "$work/wall" 4
verdict "a path to the wall and back" "$(tr '\n' ' ' <"$work/wall.svg" |
    grep -q 'd="M212.00 138.00L716.00 138.00 L644.00 138.00 "' || grep 'class="path"' -A 2 "$work/wall.svg")"
verdict "its time" "$(grep -q '>t = 3.5</text>' "$work/wall.svg" || echo no)"
particles --paths --periodic=x --picture="$work/seam.svg" "$work/wall" 10
verdict "a path that is cut at seams" "$(tr '\n' ' ' <"$work/seam.svg" |
    grep -q 'M212.00 156.00L752.00 156.00 M32.00 156.00L752.00 156.00 M32.00 156.00L212.00 156.00 "' ||
    grep 'class="path"' -A 3 "$work/seam.svg")"
for option in picture animate report; do
    for end in png pdf; do
        expect_error "--$option as $end" 64 "'rsvg-convert --format=$end --output=FILE.$end FILE.svg'" \
            --$option="$work/x.$end" "$work/wall" 4
    done
    expect_error "--$option as a movie" 64 "with 'scripts/movie FILE.mp4 -- particles INPUT END_TIME'" \
        --$option="$work/x.mp4" "$work/wall" 4
done
expect_error "frames as PNG" 64 "--picture does not write '$work/%d.png'" \
    --picture="$work/%d.png" --every=1 "$work/wall" 4
expect_error "paths without a picture" 64 "--paths is only for --picture=FILE" --paths "$work/wall" 4
expect_error "paths of steps" 64 "--paths' is not for --step" --paths --picture="$work/x.svg" --step=1 "$work/wall" 4
$PROGRAM --quiet --generate=101 >"$work/many"
particles --paths --picture="$work/x.svg" "$work/many" 4
expect_error "too many particles" 64 "--paths is for up to 100 particles, and there are 101"
particles --paths --picture="$work/x.svg" "$work/gas" 10000
expect_error "too many collisions" 64 "--paths is for up to 20000 straight pieces of paths, and up to time "
particles --paths --periodic=x --picture="$work/x.svg" "$work/wall" 1e6
expect_error "too many seams" 64 "--paths is for up to 20000 straight pieces of paths, and up to time "
verdict "no picture is left" "$([ ! -e "$work/x.svg" ] || echo "x.svg")"
finish
