#!/bin/sh
# Mol* 5.6.1 (npm: molstar) and a trajectory of LAMMPS whose atoms have ids, and come in another order in each frame, as
# LAMMPS writes them unless it is told to sort ("dump_modify ID sort id"), and always when atoms pass between processors.
# Seen: Mol* reads the ids, keeps those of the first frame, and takes the lines of all others in the order of the file: of
# two atoms that move by 0.5 it says that each has jumped across the box to the place of the other. Nothing is said.
# A good guess: atoms are told by their ids, as ASE and MDAnalysis do; or such files are refused.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . molstar@5.6.1 >/dev/null 2>&1 ||
    { echo "it cannot be had" && exit 2; }
cat >read.cjs <<'END'
const parts = "molstar/lib/commonjs";
const { parseLammpsTrajectory } = require(`${parts}/mol-io/reader/lammps/traj/parser.js`);
const { trajectoryFromLammpsTrajectory } = require(`${parts}/mol-model-formats/structure/lammps-trajectory.js`);

const frame = (step, atoms) =>
    `ITEM: TIMESTEP\n${step}\nITEM: NUMBER OF ATOMS\n${atoms.length}\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n-0.5 0.5\n` +
    "ITEM: ATOMS id type x y z\n" + atoms.map((atom) => atom.join(" ") + "\n").join("");

(async () => {
    console.log("Mol*", require("molstar/package.json").version);
    const text = frame(0, [[1, 1, 1, 5, 0], [2, 2, 8, 5, 0]]) + frame(100, [[2, 2, 8, 5.5, 0], [1, 1, 1, 5.5, 0]]);
    const file = await parseLammpsTrajectory(text).run();
    if (file.isError) throw new Error(file.message);
    const frames = await trajectoryFromLammpsTrajectory(file.result, "lj").run();
    for (let i = 0; i < frames.frameCount; i++) {
        const { atomId, x, y } = (await frames.getFrameAtIndex(i)).atomicConformation;
        console.log(`frame ${i}:`, [0, 1].map((k) => `atom ${atomId.value(k)} at (${x[k]}, ${y[k]})`).join(", "));
    }
})();
END
node read.cjs | tee said
cat >stated <<'END'
Mol* 5.6.1
frame 0: atom 1 at (1, 5), atom 2 at (8, 5)
frame 1: atom 1 at (8, 5.5), atom 2 at (1, 5.5)
END
cmp said stated
echo "as stated: the atoms have changed places"
