#!/usr/bin/env python3
"""Builds the program, and measures on this machine how fast it is and how much memory it takes.

In about five minutes on 16 cores: how many collisions a second one core finds (bench rates, which names the machine);
one run on 1, 2, 4 and more threads, as far as there are cores, whose answers must be equal byte by byte; and steps
on one core and on all. Cases for which there is too little memory are left out. Times are by the clock, the least of
some runs; "run" is the difference of two with other end times, without input, first predictions and output.
"""
import hashlib
import math
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PROGRAM = os.path.join(ROOT, "particles")
BENCH = os.path.join(ROOT, "build/tests/measure/bench")
CORES = len(os.sched_getaffinity(0))
MEMORY = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
MEMORY_EACH = 600  # bytes a disk, with the files and what the system keeps of them
# Disks, area fraction, collisions of each that are measured, runs
RUNS = ((10**5, 0.3, 60, 3), (10**5, 0.65, 80, 3), (10**6, 0.3, 8, 1), (10**6, 0.65, 10, 1), (10**7, 0.5, 3, 1))
WARM = 1  # collisions of each before that
STEP = ("--step=0.001", "--substeps=1")
# What is computed, options, disks, first and second end time
STEPS = (
    ("lennard-jones", (*STEP, "--interaction=lennard-jones epsilon=1 sigma=1.7"), 10**5, 0.02, 0.17),
    ("contact", (*STEP, "--constraint=contact", "--constraint=walls"), 10**5, 0.02, 0.17),
    ("contact, falling", (*STEP, "--constraint=contact", "--constraint=walls", "--interaction=gravity g=-1"),
     10**5, 0.02, 0.17),
    ("sph", (*STEP, "--interaction=sph density=0.3 sound-speed=20 smoothing=4 alpha=0.1"), 10**5, 0.02, 0.05),
    ("lattice, 1000 columns", ("--rule=elastic", "--lattice=1000"), 1000, 1, 6),
)


def collision_rate(fraction):
    """Collisions of a disk in a unit of time, as --generate makes them: Enskog's, with Henderson's contact value."""
    return 4 * fraction / math.pi * math.sqrt(math.pi / 2) * (1 - 7 * fraction / 16) / (1 - fraction) ** 2


def run(arguments, threads, rounds=1):
    """The least time by the clock of some runs, bytes of memory, and a digest of the answer."""
    least, digest, memory = math.inf, hashlib.sha256(), 0
    for _ in range(rounds):
        with tempfile.TemporaryFile() as answer:
            begun = time.monotonic()
            child = subprocess.Popen((PROGRAM, f"--threads={threads}", *arguments), stdout=answer)
            _, status, usage = os.wait4(child.pid, 0)
            least = min(least, time.monotonic() - begun)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                sys.exit(f"machine.py: the program failed: {arguments}")
            memory = max(memory, usage.ru_maxrss * 1024)
            digest = hashlib.sha256()
            answer.seek(0)
            while block := answer.read(1 << 20):
                digest.update(block)
    return least, memory, digest.hexdigest()


def generate(path, count, *options):
    with open(path, "w", encoding="ascii") as file:
        subprocess.run((PROGRAM, "--quiet", f"--generate={count}", *options), stdout=file, check=True)


def measure_threads(path):
    print("| disks, area fraction | threads | run, s | times one thread | command, s | times one thread | bytes a disk |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for count, fraction, collisions, rounds in RUNS:
        if count * MEMORY_EACH > MEMORY:
            print(f"| {count}, {fraction} | too little memory |")
            continue
        generate(path, count, f"--area-fraction={fraction}", "--periodic=xy")
        options = ("--quiet", "--rule=elastic", "--periodic=xy", path)
        ends = [collisions_each / collision_rate(fraction) for collisions_each in (WARM, WARM + collisions)]
        first = None
        for threads in [1 << k for k in range(CORES.bit_length()) if 1 << k < CORES] + [CORES]:
            start = run((*options, str(ends[0])), threads, rounds)[0]
            whole, memory, digest = run((*options, str(ends[1])), threads, rounds)
            first = first or (whole - start, whole, digest)
            differs = "" if digest == first[2] else " **other bytes**"
            print(f"| {count}, {fraction} | {threads} | {whole - start:.2f} | {first[0] / (whole - start):.2f} | {whole:.2f} |"
                  f" {first[1] / whole:.2f} | {memory / count:.0f} |{differs}", flush=True)


def measure_steps(path):
    print(f"\n| steps | disks | one core, s | {CORES} cores, s | times one core |\n|---|---:|---:|---:|---:|")
    for name, options, count, *ends in STEPS:
        generate(path, count, "--area-fraction=0.3")
        times = [[run(("--quiet", *options, path, str(end)), threads, 2) for end in ends] for threads in (1, CORES)]
        one, all_cores = (long[0] - short[0] for short, long in times)
        differs = "" if times[0][1][2] == times[1][1][2] else " **other bytes**"
        print(f"| {name} | {count} | {one:.2f} | {all_cores:.2f} | {one / all_cores:.2f} |{differs}", flush=True)


def main():
    subprocess.run(("make", "-s", f"-j{CORES}", "-C", ROOT, "particles", "build/tests/measure/bench"), check=True)
    subprocess.run((BENCH, "rates"), check=True)
    print(f"\n{CORES} cores, {MEMORY / 2**30:.0f} GiB\n", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "disks")
        measure_threads(path)
        measure_steps(path)


main()
