#!/bin/sh
# XFOIL 6.99 (Debian 12: xfoil 6.99.dfsg+1-3+b1) and an airfoil in Lednicer's form, the second of the two forms in
# which the University of Illinois collection is kept: a name, a line with the numbers of points of the upper and
# lower surface, then both surfaces from nose to tail.
# Seen: it loads the file as a "labeled airfoil", takes the line of counts for a point of the surface, and joins the
# tail of one surface to the nose of the other. A foil of chord 1, 20 % thick, gets chord 1.8 and a thickness of 7.6.
# Nothing is refused or warned of: only these numbers, among what it prints, show it.
# A good guess: the leading program for airfoils reads that form, or says that it cannot.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for package in xfoil=6.99.dfsg+1-3+b1 libgfortran5 libx11-6 libxcb1 libxau6 libxdmcp6 libbsd0 libmd0; do
    apt-get download -q "$package" >/dev/null 2>&1 || { echo "$package cannot be had" && exit 2; }
done
for package in ./*.deb; do
    dpkg -x "$package" root
done
LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so.*' -exec dirname {} + | sort -u | tr '\n' ':')
export LD_LIBRARY_PATH
printf '%s\n' "Wedge" "      3.0       3.0" "" " 0.000000  0.000000" " 0.500000  0.100000" " 1.000000  0.000000" \
    "" " 0.000000  0.000000" " 0.500000 -0.100000" " 1.000000  0.000000" >wedge.dat
printf 'PLOP\nG F\n\nLOAD wedge.dat\n\nQUIT\n' | timeout 60 root/usr/bin/xfoil >said 2>&1 || true
grep -E 'XFOIL Version|Labeled|Number of input|Max thickness|Chord' said
grep -q 'Number of input coordinate points:   7' said
grep -q 'Max thickness =     7.62' said
grep -q 'Chord =   1.80030' said
echo "as stated: the six points are seven, the first of which is the line of counts"
