#!/usr/bin/env python3
"""Says how many times as fast as one thread 2, 4, 8 and 16 cores would be, from costs that were measured on two.

A window of time takes, on P cores:

    rounds of tiles (tiles / P, rounded up) * a tile, with its halo: copied in, simulated, copied out
    + what one thread does alone, for each particle + two barriers

The tiles are chosen as src/schedule/tiling.c does, and walls are all around. Assumed: cores that do not slow each
other down, and have memory enough to themselves (a window moves some 400 bytes of each particle: at 10^8
collisions a second that is 40 GB/s); tiles of equal work, but for what threads were seen to wait; and no window
done again. One thread alone is the cells schedule.
"""
import math

CORES = (2, 4, 8, 16)
COLLISIONS = 2.2  # of each particle in a window
HALO_COPIED, HALO_SIMULATED = 9, 6.5  # cells at a side with a neighbour
WAITED = 0.03  # of the time of a tile, on average; it grows as the root of twice the logarithm of the cores
ALONE = 0.5e-3  # microseconds for each particle: counts, what came from other tiles
BARRIER = 12  # microseconds, with the comparison of records; and more on more cores:
BARRIER_OF_CORE = 1

# Measured on two virtual cores of an AMD EPYC on 2026-11-23, microseconds: a collision with the cells schedule on
# one thread, and inside a tile; copying a particle in and out. With 10^7 disks tiles are assumed to cost what they
# do with 10^6, and the cells 1.29 times as much, as in earlier runs.
MEASURED = {
    0.3: {10**4: (0.183, 0.183, 0.030), 10**5: (0.272, 0.232, 0.065),
          10**6: (0.666, 0.274, 0.072), 10**7: (0.86, 0.274, 0.072)},
    0.65: {10**4: (0.145, 0.145, 0.026), 10**5: (0.210, 0.166, 0.040),
           10**6: (0.624, 0.281, 0.046), 10**7: (0.80, 0.281, 0.046)},
}


def widened(cells, tiles, halo):
    """How many times as many cells there are in all tiles of an axis with their halos."""
    return 1 + 2 * halo * (tiles - 1) / cells


def choose(count, side, cores):
    """The columns and rows of tiles that cost least; see find_cost."""
    def cost(columns, rows):
        tiles = columns * rows
        result = (1 + (count / tiles / 37000) ** 2) * (math.ceil(tiles / cores) + 0.1) / tiles
        for number in (columns, rows):
            result *= 1 + min(number - 1, 2) * 7 * number / side
        return result
    most = min(int(side), int(math.sqrt(cores) + side / 60) + 8)
    return min(((x, y) for x in range(1, most) for y in range(1, x + 1)), key=lambda tiles: cost(*tiles))


def speed(count, area_fraction, cores):
    alone, collision, copy = MEASURED[area_fraction][count]
    side = math.sqrt(min(1.2, math.pi / 4 / area_fraction) * count)
    columns, rows = choose(count, side, cores)
    copies = widened(side, columns, HALO_COPIED) * widened(side, rows, HALO_COPIED)
    simulated = widened(side, columns, HALO_SIMULATED) * widened(side, rows, HALO_SIMULATED)
    tiles = columns * rows
    tile = count / tiles * (COLLISIONS / 2 * collision * simulated + copy * copies)
    waited = WAITED * math.sqrt(2 * math.log(cores))
    window = tile * (math.ceil(tiles / cores) + waited) + ALONE * count + 2 * (BARRIER + BARRIER_OF_CORE * cores)
    return count * COLLISIONS / 2 * alone / window


def main():
    print("| N | area fraction | " + " | ".join(f"{cores} cores" for cores in CORES) + " |")
    print("|---:|---:|" + "---:|" * len(CORES))
    for area_fraction, costs in MEASURED.items():
        for count in costs:
            speeds = " | ".join(f"{speed(count, area_fraction, cores):.1f}" for cores in CORES)
            print(f"| {count:,} | {area_fraction} | {speeds} |".replace(",", " "))


main()
