#!/bin/sh
# Yade 2023.02a (Debian 12: python3-yade 2023.02a-1), grains of ViscElMat, whose "en" is the coefficient of restitution, and
# collisions in a straight line with time steps of a thousandth of the contact or less.
# Seen: with en=0.5 and a contact time, two spheres part at 0.55 of their speed; with Young's modulus in place of the time
# at 0.50. From a wall, a facet, or a sphere that is fixed, a sphere comes back at 0.65 with the time and 0.60 with the
# modulus: the damper is computed with the mass of a pair of equal free spheres, half of what moves. From a box, which has
# the mass of its volume, it comes back as from a heavy sphere. Nothing is said.
# A good guess: en is what one measures, and what does not move is infinitely heavy, as in LIGGGHTS, where all is right.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p archives/partial
: >status
apt-get install -qq -y --download-only --no-install-recommends -o Debug::NoLocking=1 -o Dir::State::status="$work/status" \
    -o Dir::Cache::archives="$work/archives" python3-yade=2023.02a-1 libyade=2023.02a-1 \
    python3-ipython python3-setuptools >/dev/null 2>&1 ||
    { echo "python3-yade 2023.02a-1 cannot be had" && exit 2; }
rm archives/libc6_*
for package in archives/*.deb; do
    case $package in
        *-dev_* | */gcc-* | */g++-* | */cpp-* | */binutils* | */libllvm* | *-theme_* | */perl* | */libperl* | */systemd_*) ;;
        */libqt5webkit5_* | */libgl1-mesa-dri_* | */proj-data_* | */unicode-data_* | */python3-scipy_* | */libwx* | */iso-*) ;;
        *) dpkg -x "$package" root ;;
    esac
done
libraries=$(find "$PWD/root" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')
cat >rebound.py <<'END'
import os
import sys

sys.argv = ["rebound"]
import yade
import yade.config
from yade import utils
from yade.wrapper import *

O = Omega()


def rebound(target, **stiffness):
    """The relative speed of a sphere and its target after they met, as a part of that before."""
    O.reset()
    O.materials.append(ViscElMat(en=0.5, et=1, density=1000, frictionAngle=0, label="grain", **stiffness))
    O.bodies.append(utils.sphere((0, 0, 0), 0.05, material="grain"))
    O.bodies.append({
        "sphere": lambda: utils.sphere((0.11, 0, 0), 0.05, material="grain"),
        "fixed sphere": lambda: utils.sphere((0.11, 0, 0), 0.05, material="grain", fixed=True),
        "wall": lambda: utils.wall(0.06, axis=0, material="grain"),
        "facet": lambda: utils.facet([(0.06, -1, -1), (0.06, 1, -1), (0.06, 0, 1)], material="grain"),
        "box": lambda: utils.box((0.16, 0, 0), (0.1, 1, 1), material="grain", fixed=True),
    }[target]())
    O.bodies[0].state.vel = (1, 0, 0)
    O.engines = [
        ForceResetter(),
        InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb(), Bo1_Facet_Aabb(), Bo1_Box_Aabb()]),
        InteractionLoop(
            [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom(), Ig2_Box_Sphere_ScGeom()],
            [Ip2_ViscElMat_ViscElMat_ViscElPhys()], [Law2_ScGeom_ViscElPhys_Basic()]),
        NewtonIntegrator(damping=0)]
    O.dt = 1e-6
    O.run(60000, True)
    return O.bodies[1].state.vel[0] - O.bodies[0].state.vel[0]


print("Yade", yade.config.version)
seen = []
for target in "sphere", "fixed sphere", "wall", "facet", "box":
    seen.append([round(rebound(target, tc=1e-3), 2), round(rebound(target, young=1e6, poisson=0.3), 2)])
    print(f"en = 0.5, from a {target}: {seen[-1][0]} with a contact time, {seen[-1][1]} with Young's modulus", flush=True)
os._exit(seen != [[0.55, 0.5], [0.65, 0.6], [0.65, 0.6], [0.65, 0.6], [0.55, 0.5]])
END
OMP_NUM_THREADS=1 LD_LIBRARY_PATH=$libraries YADE_PREFIX=$PWD/root/usr \
    PYTHONPATH=$PWD/root/usr/lib/x86_64-linux-gnu/yade-double/py:$PWD/root/usr/lib/python3/dist-packages \
    root/usr/bin/python3 rebound.py 2>errors || { cat errors && exit 1; }
echo "as stated: a coefficient of 0.5 is 0.50 to 0.65, and larger where the other body is fixed"
