#!/bin/sh
# librsvg 2.54.7 (Debian 12: librsvg2-bin 2.54.7+dfsg-1~deb12u2) and a picture of more than a million small things.
# Seen: rsvg-convert refuses documents of more than 1 000 000 elements, also with --unlimited, its option to "allow
# huge SVG files". What that option lifts is the other limit: without it an attribute of more than 10 000 000 bytes,
# such as one path of a million points, is refused with the message that its start tag has no end.
# A good guess: with --unlimited there is no limit; and a path that is too long is said to be too long.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q librsvg2-bin=2.54.7+dfsg-1~deb12u2 librsvg2-2=2.54.7+dfsg-1~deb12u2 >/dev/null 2>&1 ||
    { echo "it cannot be had" && exit 2; }
mkdir -p archives/partial
apt-get -q -y -o Dir::Cache::archives="$PWD/archives" --no-install-recommends --download-only install \
    librsvg2-2 >/dev/null 2>&1 || { echo "what it needs cannot be had" && exit 2; }
for package in archives/*.deb ./*.deb; do
    [ ! -e "$package" ] || dpkg -x "$package" root
done
LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so.*' -exec dirname {} + | sort -u | tr '\n' ':')
export LD_LIBRARY_PATH
begin='<svg xmlns="http:&#47;/www.w3.org/2000/svg" width="10" height="10">'
for elements in 990000 1100000; do
    awk -v begin="$begin" -v count="$elements" \
        'BEGIN { print begin; for (k = 1; k < count; k++) print "<g/>"; print "</svg>" }' >"$elements.svg"
done
awk -v begin="$begin" 'BEGIN { printf "%s<path stroke=\"red\" stroke-linecap=\"round\" d=\"", begin
    for (k = 0; k < 1700000; k++) printf "M5 5h0"
    print "\"/></svg>" }' >path.svg
# draw FILE OPTION...: how that ends, in a line
draw() {
    file=$1
    shift
    if root/usr/bin/rsvg-convert "$@" "$file.svg" -o picture.png >error 2>&1; then
        echo "$file $*: drawn"
    else
        echo "$file $*: $(cat error)"
    fi
}
root/usr/bin/rsvg-convert --version | tee said
{
    draw 990000
    draw 1100000
    draw 1100000 --unlimited
    draw path
    draw path --unlimited
} >>said
cat said
grep -q 'version 2.54.7' said
grep -q '^990000 : drawn' said
grep -q '^1100000 --unlimited: .*cannot load more than 1000000 XML elements' said
grep -q "^path : .*Couldn't find end of Start Tag path" said
grep -q '^path --unlimited: drawn' said
echo "as stated: --unlimited has a limit, and a long attribute is said to be a tag without an end"
