#!/bin/sh
# matter-js 0.20.0 (npm: matter-js), a physics engine of two dimensions, and smooth equal disks, Bodies.circle() without
# friction, one of which hits another at rest 10 % of a diameter off its centre.
# Seen: a "circle" is a polygon, for a radius of up to 10, whatever maxSides says, one of 10 sides: its mass and area are
# 6.45 % too small. The disks part along the normal of a side: after that hit nothing goes sideways, as if it had been
# head-on, and at 30 % the disk at rest leaves at 36 degrees, not at 17.5; and the other, which nothing rubs, turns. With a
# radius of 100 it has 26 sides, 0.97 % are missing, and the hit at 10 % is head-on, too.
# A good guess: disks collide as disks (the engine has the radius, as circleRadius), so that smooth ones do not turn.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . matter-js@0.20.0 >/dev/null 2>&1 ||
    { echo "matter-js 0.20.0 cannot be had" && exit 2; }
cat >collide.cjs <<'END'
const { Bodies, Body, Composite, Engine } = require("matter-js");

const disk = (radius, maxSides) =>
    Bodies.circle(0, 0, radius, { restitution: 1, friction: 0, frictionStatic: 0, frictionAir: 0, slop: 0 }, maxSides);

// The angle in degrees at which a disk at rest leaves, and the spin of the one that hits it, off by a part of a diameter.
function collide(radius, off) {
    const engine = Engine.create({ gravity: { x: 0, y: 0 } });
    const [moving, still] = [disk(radius), disk(radius)];
    Body.setPosition(still, { x: 4 * radius, y: off * 2 * radius });
    Body.setVelocity(moving, { x: 5, y: 0 });
    Composite.add(engine.world, [moving, still]);
    for (let k = 0; k < 100 + 2 * radius; k++) Engine.update(engine, 1000 / 60);
    const angle = Math.atan2(still.velocity.y, still.velocity.x) * 180 / Math.PI;
    return `${angle.toFixed(1)}, of disks ${(Math.asin(off) * 180 / Math.PI).toFixed(1)}, ` +
        (Math.abs(moving.angularVelocity) > 1e-3 ? "it turns" : "it does not turn");
}
console.log("matter-js", require("matter-js/package.json").version);
for (const [radius, maxSides] of [[5], [10], [10, 1000], [100]]) {
    const { vertices, mass, density } = disk(radius, maxSides);
    console.log(`radius ${radius}${maxSides ? ", maxSides " + maxSides : ""}: ${vertices.length} sides,`,
        `mass ${(mass / (density * Math.PI * radius * radius)).toFixed(4)} of that of a disk`);
}
for (const [radius, off] of [[10, 0.1], [10, 0.3], [100, 0.1]])
    console.log(`radius ${radius}, off by ${off}: ${collide(radius, off)}`);
END
node collide.cjs | tee said
cat >stated <<'END'
matter-js 0.20.0
radius 5: 10 sides, mass 0.9354 of that of a disk
radius 10: 10 sides, mass 0.9355 of that of a disk
radius 10, maxSides 1000: 10 sides, mass 0.9355 of that of a disk
radius 100: 26 sides, mass 0.9903 of that of a disk
radius 10, off by 0.1: 0.0, of disks 5.7, it turns
radius 10, off by 0.3: 36.0, of disks 17.5, it turns
radius 100, off by 0.1: 0.0, of disks 5.7, it turns
END
cmp said stated
echo "as stated: circles are polygons, and part as polygons do"
