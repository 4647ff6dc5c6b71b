"""How late the loop wakes, beside cyclictest. Called by `tables`. The law: the same priority, period, processor and
time, turn and turn about; under load, the same load on the other processor."""
import functools
import json
import subprocess
import time

import prepare
from contest import PROCESSOR

PRIORITY = 80
QUANTILES = {"median": (0.5, "median_ns"), "99 %": (0.99, "p99_ns"), "99.9 %": (0.999, "p999_ns")}


def quantile(times, share):
    wanted, seen = share * sum(number for _, number in times), 0
    for microseconds, number in times:
        seen += number
        if seen >= wanted:
            # cyclictest counts whole microseconds: half of one is added, which is what is cut off.
            return microseconds * 1000 + 500
    raise prepare.Failed("cyclictest says nothing")


def theirs(program, seconds):
    said = prepare.do(program, "--quiet", "--threads=1", f"--priority={PRIORITY}", "--mlockall", "--interval=1000",
                      f"--affinity={PROCESSOR}", f"--duration={seconds}", "--histogram=10000")
    lines = [line.split() for line in said.splitlines()]
    return [(int(it[0]), int(it[1])) for it in lines if len(it) == 2 and it[0].isdigit()]


def ours(program, seconds):
    said = prepare.do(program, "bench", "--json", "--period", "1ms", "--for", f"{seconds}s", "--priority", PRIORITY,
                      "--processor", PROCESSOR)
    return json.loads(said.splitlines()[0])["waking"]


@functools.cache
def runs(loaded, rounds, quick):
    """All rounds, once for all quantiles."""
    seconds = 2 if quick else 5
    program, peer = prepare.dcm_run(), prepare.debian("rt-tests", "cyclictest")
    load = None
    if loaded:
        stress = prepare.debian("stress-ng", "stress-ng")
        load = subprocess.Popen([stress, "--quiet", "--cpu", "1", "--taskset", "0"])
        time.sleep(1)
    try:
        return [(ours(program, seconds), theirs(peer, seconds)) for _ in range(rounds)]
    finally:
        if load:
            load.terminate()
            load.wait()


def pairs(name, loaded):
    share, key = QUANTILES[name]
    return lambda rounds, quick: [(waking[key], quantile(times, share)) for waking, times in
                                  runs(loaded, 5 if quick else min(rounds, 9), quick)]
