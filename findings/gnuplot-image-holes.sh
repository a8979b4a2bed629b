#!/bin/sh
# gnuplot 5.4 patchlevel 4 (Debian 12: gnuplot-nox 5.4.4+dfsg1-2+b2) and a map on a grid, "plot ... with image", of
# comma-separated values in which cells behind a wall have none, as maps of flows past bodies have.
# Seen: it leaves out the rows of these cells, and arranges the other values on whatever grid their number makes.
# Four cells without a value in the middle of 4 x 4 leave twelve, which it draws as 4 x 3 over the whole area: the second
# row of values and the third share one row of the picture, side by side, and no hole is to be seen. Nothing is said.
# Where the number makes no grid, as with one cell missing, the message is "Unexpected line of data in matrix encountered".
# A good guess: x and y are given with each value, so that a value is drawn there, and a hole is a hole.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p archives/partial
: >status
apt-get install -qq -y --download-only --no-install-recommends -o Debug::NoLocking=1 -o Dir::State::status="$work/status" \
    -o Dir::Cache::archives="$work/archives" gnuplot-nox=5.4.4+dfsg1-2+b2 >/dev/null 2>&1 ||
    { echo "gnuplot-nox 5.4.4+dfsg1-2+b2 cannot be had" && exit 2; }
rm archives/libc6_*
for package in archives/*.deb; do
    dpkg -x "$package" root
done
libraries=$(find "$PWD/root" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')
gnuplot() {
    LD_LIBRARY_PATH=$libraries root/usr/bin/gnuplot-nox "$@"
}

# draw FILE VALUE: the image, as it stands in the picture
draw() {
    gnuplot -e "set terminal svg; set datafile separator ','; plot '$1' using 'x':'y':$2 with image" 2>said |
        sed -n "s/.*data:image\/png;base64,\([^']*\).*/\1/p" | base64 -d >image.png
}

# size: the width and height of the image, from the head of the file
size() {
    od -A n -t u1 -j 16 -N 8 image.png | awk '{ print $4 " x " $8 }'
}

gnuplot --version
{
    echo x,y,z
    for y in 0 1 2 3; do
        for x in 0 1 2 3; do
            case $y$x in 11 | 12 | 21 | 22) echo "$x,$y," ;; *) echo "$x,$y,$y" ;; esac
        done
    done
} >map.csv
cat map.csv
draw map.csv "'z'"
echo "16 cells, of which 4 have no value, are drawn as $(size); said: '$(cat said)'"
[ "$(size)" = "4 x 3" ] && [ ! -s said ]
draw map.csv "(strcol('z') eq '' ? NaN : column('z'))"
echo "with NaN for these, as $(size)"
[ "$(size)" = "4 x 4" ]
sed 's/^1,1,$/1,1,1/; s/^2,1,$/2,1,1/; s/^1,2,$/1,2,2/' map.csv >one.csv
gnuplot -e "set terminal svg; set datafile separator ','; plot 'one.csv' using 'x':'y':'z' with image" \
    >picture 2>said || true
cat said
grep -q 'Unexpected line of data in matrix' said
echo "as stated: the picture of a map with holes is another map"
