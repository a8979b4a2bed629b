"""A thermostat of one's own. Grains lose energy in each collision; between advances their velocities are changed, so that
the temperature stays: all by one factor (rescale), or of half of them to those of a gas (andersen).

    make lib && python3 data/examples/library/thermostat.py [rescale|andersen]"""
import math
import os
import random
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3, "scripts"))
import particles

TEMPERATURE = 1.0
chance = random.Random(1)


def measure(gas):
    """The temperature: the mean energy of a disk, whose mass is 1, in two dimensions."""
    return sum(u * u + v * v for u, v in zip(gas.u, gas.v)) / (2 * len(gas))


def rescale(gas):
    factor = math.sqrt(TEMPERATURE / measure(gas))
    gas.change(u=[factor * u for u in gas.u], v=[factor * v for v in gas.v])


def andersen(gas):
    u, v = list(gas.u), list(gas.v)
    for k in range(len(gas)):
        if chance.random() < 0.5:
            u[k], v[k] = (chance.gauss(0, math.sqrt(TEMPERATURE)) for _ in range(2))
    gas.change(u=u, v=v)


def main():
    thermostat = {"rescale": rescale, "andersen": andersen}[sys.argv[1] if len(sys.argv) > 1 else "rescale"]
    gas = particles.Simulation(generate=500, area_fraction=0.3, speed=1.5, rule="elastic", restitution=0.97, periodic="xy")
    for time in range(1, 21):
        gas.advance(time)
        cold = measure(gas)
        thermostat(gas)
        print(f"time {time:2}: temperature {cold:.4f}, after the thermostat {measure(gas):.4f}")


main()
