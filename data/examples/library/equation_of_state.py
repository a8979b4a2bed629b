"""The equation of state of hard disks: the compressibility factor Z = p A / (N T), measured in a loop over area fractions,
beside the fit of J. Kolafa and M. Rottner (Mol. Phys. 104, 2006, 3435) to their own simulations.

    make lib && python3 data/examples/library/equation_of_state.py [N] [TIME]

simulates N disks (1000) in a periodic box for TIME (300), after a fifth of it to reach equilibrium."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3, "scripts"))
import particles

# Of x^k, x = eta / (1 - eta).
FIT = dict(enumerate([1, 2, 1.12801775, 0.00181895291, -0.0526134737, 0.0504960168, -0.0325537792, 0.0134578632,
                      0.00140888182, -0.00834273601, 0.00694127367, -0.00262254723, 0.000355746352]))
FIT.update({22: -5.24672938e-9, 57: 5.88054639e-23})


def main():
    count, time = (int(word) for word in (sys.argv[1:] + ["1000", "300"][len(sys.argv) - 1:]))
    print("area fraction         Z    error       fit  difference / error")
    for eta in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65):
        gas = particles.Simulation(generate=count, area_fraction=eta, periodic="xy", rule="elastic", stats_from=time / 5)
        gas.advance(time * 1.2)
        measured, error = gas.stats["compressibility_virial"], gas.errors["compressibility_virial"]
        fit = sum(factor * (eta / (1 - eta)) ** k for k, factor in FIT.items())
        print(f"{eta:13} {measured:9.4f} {error:8.4f} {fit:9.4f} {(measured - fit) / error:19.1f}")


main()
