#!/bin/sh
# LAMMPS 29 Sep 2021 Update 2 (Debian 12: lammps 20220106.git7586adbb6a+ds1-2+b2) and rough disks in the plane: fix
# nve/sphere with "disc" turns them with the moment of inertia of disks, m R^2/2; fix langevin with "omega yes" is a bath.
# Seen: disks in a bath of temperature 1 turn with m R^2/2 <omega^2> = 1, as they should, and compute temp/sphere says
# 0.8 of it, and compute erotate/sphere 0.8 of their energy: both take every particle for a sphere, 2/5 m R^2, also in
# two dimensions, and have no word "disc".
# A good guess: what is told to be disks is measured as disks; or temp/sphere warns of a fix that has another moment.
set -eu
version=20220106.git7586adbb6a+ds1-2+b2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p archives/partial
apt-get -q -y -o Dir::Cache::archives="$PWD/archives" --no-install-recommends --download-only --reinstall install \
    "lammps=$version" >/dev/null 2>&1 || { echo "it cannot be had" && exit 2; }
for package in archives/*.deb; do
    dpkg -x "$package" root
done
LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')
export LD_LIBRARY_PATH
cat >disks.in <<'END'
dimension 2
units lj
atom_style sphere
boundary p p p
lattice sq 1
region box block 0 40 0 40 -0.5 0.5
create_box 1 box
create_atoms 1 box
set group all diameter 1
set group all mass 1
set group all omega 0 0 1
pair_style zero 0.5
pair_coeff * *
comm_modify vel yes cutoff 1.5
neigh_modify delay 0 every 1000 check no
fix bath all langevin 1.0 1.0 0.5 4711 omega yes
fix move all nve/sphere disc
fix plane all enforce2d
compute said all temp/sphere dof rotate
compute energy all erotate/sphere
compute omega all property/atom omegaz
variable square atom c_omega*c_omega
compute mean all reduce ave v_square
variable disks equal 0.5*0.25*c_mean
variable energies equal c_energy/(0.5*0.5*0.25*c_mean*atoms)
thermo_style custom step v_disks c_said v_energies
thermo 100
timestep 0.01
run 400
run 4000 every 100 "print 'MEAN $(v_disks) $(c_said) $(v_energies)'"
END
root/usr/bin/lmp -in disks.in -log none -screen none -log said || { cat said && exit 1; }
head -n 1 said
awk '$1 == "MEAN" && $2 + 0 { disks += $2; said += $3; energies += $4; count++ }
    END {
        printf "m R^2/2 <omega^2> %.2f, compute temp/sphere %.2f, energy %.4f of that of disks\n",
            disks / count, said / count, energies / count
        bad = disks / count < 0.97 || disks / count > 1.03 || said / disks < 0.799 || said / disks > 0.801
        exit bad || energies / count < 0.7999 || energies / count > 0.8001
    }' said
echo "as stated: disks in the bath, spheres in the thermometer"
