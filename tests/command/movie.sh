#!/bin/sh
# scripts/movie: what it makes, as ffprobe sees it; what it refuses; and that nothing is left behind.
. tests/support/expect.sh

for tool in ffmpeg ffprobe rsvg-convert; do
    command -v $tool >/dev/null || {
        skip "movies, for there is no $tool" ffmpeg librsvg2-bin
        finish
    }
done
printf '2\n1\n20 20\n3 3 2 0.5\n15 9 -1 0.25\n' >"$work/input"
TMPDIR="$work/temporary files"
export TMPDIR
mkdir "$work/my movies" "$TMPDIR"

# movie ARGUMENT...: leaves what it says in $work/err and its status in $status
movie() {
    scripts/movie "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# expect_nothing NAME: no temporary file is left, and no movie that is not complete
expect_nothing() {
    verdict "$1: nothing is left behind" "$(ls -A "$TMPDIR"; find "$work/my movies" -name '.*')"
}

for end in mp4:h264 ${THOROUGH:+webm:vp9 gif:gif}; do
    name="$work/my movies/a movie.${end%:*}"
    movie --size=160x120 --fps=6 --seconds=1 "$name" -- "$PROGRAM" --paths "$work/input" 10
    verdict "${end%:*} is made" "$([ $status -eq 0 ] || cat "$work/err")"
    verdict "${end%:*} prints nothing" "$(cat "$work/out")"
    ffprobe -v error -count_frames -show_entries stream=codec_name,width,height,nb_read_frames:format=duration \
        -of csv "$name" >"$work/found" 2>&1
    verdict "${end%:*}: codec, size, frames" "$(grep -v ^format "$work/found" | grep -vx "stream,${end#*:},160,120,6")"
    verdict "${end%:*}: a second" "$(awk -F, '$1 == "format" && $2 > 0.97 && $2 < 1.03 { found = 1 }
        END { if (!found) print }' "$work/found")"
    expect_nothing "${end%:*}"
done

# Its frames differ, and the last one is at END_TIME: that of --picture.
name="$work/my movies/a movie.mp4"
differing=$(ffmpeg -v error -i "$name" -f framemd5 - | grep -v '^#' | awk '{ print $NF }' | sort -u | wc -l)
verdict "all frames differ" "$([ "$differing" -eq 6 ] || echo "$differing")"

# expect_refusal NAME STATUS MESSAGE ARGUMENT...
expect_refusal() {
    refused=$1 refused_status=$2 refused_message=$3
    shift 3
    movie "$@"
    verdict "$refused" "$([ $status -eq "$refused_status" ] && grep -q "$refused_message" "$work/err" ||
        echo "status $status: $(cat "$work/err")")"
    expect_nothing "$refused"
}
new="$work/my movies/new.mp4"
expect_refusal "no OUT" 64 "OUT is missing"
expect_refusal "no program" 64 "'-- PROGRAM INPUT END_TIME' is missing" "$new"
expect_refusal "another end" 64 "ends in .mp4, .webm or .gif" new.avi -- "$PROGRAM" "$work/input" 1
expect_refusal "no time" 64 "END_TIME must be a number above 0" "$new" -- "$PROGRAM" "$work/input" 0
expect_refusal "no size" 64 "takes pixels" --size=100 "$new" -- "$PROGRAM" "$work/input" 1
expect_refusal "an odd size" 64 "takes even numbers" --size=101x100 "$new" -- "$PROGRAM" "$work/input" 1
expect_refusal "too many frames for a .gif" 64 "from 1 to 50" --fps=60 "$work/new.gif" -- "$PROGRAM" "$work/input" 1
expect_refusal "no frames" 64 "draws no frames" "$new" -- true "$work/input" 1
expect_refusal "no rate" 64 "takes a whole number from 1 to 120" --fps=0 "$new" -- "$PROGRAM" "$work/input" 1
expect_refusal "frames of its own" 64 "'--every=1' is not for a movie" "$new" -- "$PROGRAM" --every=1 "$work/input" 1
expect_refusal "no directory" 74 "cannot be created" "$work/nowhere/x.gif" -- "$PROGRAM" "$work/input" 1
expect_refusal "the program's own message" 66 "particles: " "$new" -- "$PROGRAM" "$work/nothing" 1
verdict "and only that" "$(grep -v '^particles: ' "$work/err")"
verdict "no movie of what failed" "$([ ! -e "$new" ] || echo there)"

# A full disk: 4 kB where the movie should be.
mkdir "$work/small"
if unshare --user --map-root-user --mount mount -t tmpfs -o size=4k small "$work/small" 2>/dev/null; then
    unshare --user --map-root-user --mount sh -c 'mount -t tmpfs -o size=4k small "$1" && "$2" --size=640x480 \
        --fps=6 --seconds=1 "$1/full.mp4" -- "$3" "$4" 10; status=$?; find "$1" -type f; exit $status' \
        sh "$work/small" "$PWD/scripts/movie" "$PROGRAM" "$work/input" >"$work/out" 2>"$work/err"
    status=$?
    verdict "a full disk" "$([ $status -eq 74 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -q "full.mp4: cannot be written: there is no space left" "$work/err" || cat "$work/err"; cat "$work/out")"
    expect_nothing "a full disk"
fi

# Interrupted, it leaves nothing, and none of its processes.
"$BUILD/tests/command/with_signals" scripts/movie --size=320x240 --fps=10 --seconds=60 "$new" -- "$PROGRAM" "$work/input" 10 \
    >"$work/out" 2>"$work/err" &
process=$!
await sh -c 'ls "$1"/*/*.pixels' sh "$TMPDIR" >/dev/null 2>&1
stop TERM
verdict "SIGTERM" "$([ $status -eq 143 ] || echo "status $status: $(cat "$work/err")")"
expect_nothing "SIGTERM"
verdict "SIGTERM: it says nothing of its own" "$(grep -v -e '^particles: interrupted' -e '^movie: [0-9]* of' "$work/err")"
verdict "SIGTERM: no movie" "$([ ! -e "$new" ] || echo there)"
verdict "SIGTERM: no process is left" "$(ps -e -o args= | grep -F "$TMPDIR" | grep -v grep)"

# An ffmpeg that cannot draw SVG: rsvg-convert does.
mkdir "$work/plain" "$work/bin"
cat >"$work/plain/ffmpeg" <<TEXT
#!/bin/sh
case "\$*" in
*-decoders*) ;;
*) exec "$(command -v ffmpeg)" "\$@" ;;
esac
TEXT
chmod +x "$work/plain/ffmpeg"
PATH="$work/plain:$PATH" movie --size=160x120 --fps=2 --seconds=1 "$new" -- "$PROGRAM" "$work/input" 10
verdict "by rsvg-convert" "$([ $status -eq 0 ] || cat "$work/err")"
verdict "by rsvg-convert: frames" "$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$new" 2>&1 |
    grep -vx 2)"

# Without its tools it says which one is missing.
for tool in bash getconf awk env grep; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done
for missing in ffmpeg:ffmpeg rsvg-convert:librsvg2-bin; do
    PATH="$work/bin" scripts/movie "$new" -- "$PROGRAM" "$work/input" 1 >"$work/out" 2>"$work/err"
    status=$?
    verdict "no ${missing%:*}" "$([ $status -eq 69 ] &&
        grep -q "no ${missing%:*}: apt-get install ${missing#*:}" "$work/err" || cat "$work/err")"
    printf '#!%s\n' "$work/bin/bash" >"$work/bin/ffmpeg" # which can do nothing
    chmod +x "$work/bin/ffmpeg"
done
finish
