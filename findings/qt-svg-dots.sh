#!/bin/sh
# Qt 5.15.8's SVG module (Debian 12: libqt5svg5 5.15.8-3, python3-pyqt5.qtsvg 5.15.9+dfsg-1), with which programs of
# desktops show SVG, and the shortest way to write many round points, as in pictures of particles and stars: one path
# "M x y h0 M x y h0 ..." with stroke-linecap="round".
# SVG 1.1 (11.4) and SVG 2 ask for a dot for such a subpath of no length, if its caps are round or square.
# Seen: nothing is drawn of the whole path, without a message; a circle beside it is drawn. With h0.01 all are there.
# librsvg 2.54.7 (Debian 12) draws both, as browsers do, so that the file seems right.
# A good guess: a renderer draws them; Qt's own profile, SVG Tiny 1.2, has the same rule.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p archives/partial
: >status
apt-get install -qq -y --download-only --no-install-recommends -o Debug::NoLocking=1 -o Dir::State::status="$work/status" \
    -o Dir::Cache::archives="$work/archives" libqt5svg5=5.15.8-3 python3-pyqt5.qtsvg=5.15.9+dfsg-1 \
    librsvg2-bin=2.54.7+dfsg-1~deb12u2 >/dev/null 2>&1 ||
    { echo "libqt5svg5 5.15.8-3, python3-pyqt5.qtsvg 5.15.9+dfsg-1 and librsvg2-bin 2.54.7 cannot be had" && exit 2; }
rm archives/libc6_*
for package in archives/*.deb; do
    dpkg -x "$package" root
done
libraries=$(find "$PWD/root" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')

# dots LENGTH: a picture of two red dots, each a subpath of this length, and a blue circle
dots() {
    cat <<END
<svg xmlns="http:&#47;/www.w3.org/2000/svg" width="60" height="20" viewBox="0 0 60 20">
<path d="M10 10h$1M30 10h$1" fill="none" stroke="#f00" stroke-width="10" stroke-linecap="round"/>
<circle cx="50" cy="10" r="5" fill="#00f"/>
</svg>
END
}
dots 0 >none.svg
dots 0.01 >short.svg
cat none.svg
LD_LIBRARY_PATH=$libraries root/usr/bin/rsvg-convert none.svg >none.png
cat >draw.py <<'END'
import sys
from PyQt5.QtCore import QT_VERSION_STR
from PyQt5.QtGui import QGuiApplication, QImage, QPainter
from PyQt5.QtSvg import QSvgRenderer

application = QGuiApplication(["draw"])


def colours(image):
    return [image.pixelColor(x, 10).name() for x in (10, 30, 50)]


def draw(name):
    image = QImage(60, 20, QImage.Format_RGB32)
    image.fill(0xffffffff)
    painter = QPainter(image)
    QSvgRenderer(name).render(painter)
    painter.end()
    return colours(image)


print("Qt", QT_VERSION_STR, "of no length:", draw("none.svg"), "of length 0.01:", draw("short.svg"))
print("librsvg, of no length:", colours(QImage("none.png")))
assert draw("none.svg") == ["#ffffff", "#ffffff", "#0000ff"]
assert draw("short.svg") == colours(QImage("none.png")) == ["#ff0000", "#ff0000", "#0000ff"]
END
QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR="$work" QT_PLUGIN_PATH=$(find "$PWD/root" -path '*qt5/plugins' -type d) \
    LD_LIBRARY_PATH=$libraries root/usr/bin/python3 draw.py
echo "as stated: of a path of dots Qt draws none"
