"""A live plot: a window shows disks while they are simulated, coloured by their speeds.

    make lib && python3 data/examples/library/live_plot.py [PICTURE]

needs matplotlib (Debian: python3-matplotlib). With PICTURE, such as gas.png, there is no window: ten frames are drawn,
and the last goes there."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3, "scripts"))
import particles

try:
    import matplotlib
except ImportError:
    sys.exit("live_plot.py draws nothing: it needs matplotlib (apt-get install python3-matplotlib)")
if len(sys.argv) > 1:
    matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.collections import PatchCollection


def main():
    gas = particles.Simulation(generate=[300, 5], radius=[1, 4], mass=[1, 16], area_fraction=0.4, rule="elastic", seed=2)
    figure, axes = pyplot.subplots()
    if len(sys.argv) == 1 and matplotlib.get_backend().lower() == "agg":
        sys.exit("live_plot.py draws nothing: there is no display for a window")
    frame = 0
    while pyplot.fignum_exists(figure.number) and (len(sys.argv) == 1 or frame < 10):
        gas.advance(0.2 * frame)
        disks = PatchCollection([pyplot.Circle(place, radius) for place, radius in zip(gas.positions, gas.radius)])
        disks.set(array=[(u * u + v * v) ** 0.5 for u, v in gas.velocities], clim=(0, 2))
        axes.clear()
        axes.add_collection(disks)
        axes.set(aspect="equal", xlim=(0, gas.box[0]), ylim=(0, gas.box[1]),
                 title=f"time {gas.time:.1f}, {sum(gas.counts.pairs) // 2} collisions")
        if len(sys.argv) == 1:
            pyplot.pause(0.01)
        else:
            figure.savefig(sys.argv[1])
        frame += 1


main()
