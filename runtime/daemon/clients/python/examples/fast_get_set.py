"""Reads and moves a robot as a script for NAO does: aliases, ALMemory, timed commands a little ahead of their time.

    dcm-run serve --robot nao --sim       # in another terminal; a real body is given force by `dcm-run arm`
    python3 fast_get_set.py --seconds 4

It stiffens the joints where they stand, moves one of them to and fro, and prints how long a get and a set took.
Apart from the first import and `robot=`, nothing here is of this client: these are the calls of NAOqi.
"""

import argparse
import math
import statistics
import sys
import time

from dcm_run import ALMemoryProxy, DCMProxy

SENSOR = "/Position/Sensor/Value"
POSITION = "/Position/Actuator/Value"
STIFFNESS = "/Hardness/Actuator/Value"

STEP = 20  # ms between two points of the sine
POINTS = 5  # points that are sent at once; only the first two are played before others replace the rest
SPREAD = 0.3  # rad, from one end of the sine to the other


def elapsed(earlier, later):
    """Ms between two times of the DCM, which begins again after 2^32 ms."""
    return (later - earlier + 2**31) % 2**32 - 2**31


def timed(call, *arguments):
    """What a call returns, and how many ms it took."""
    start = time.perf_counter()
    result = call(*arguments)
    return result, (time.perf_counter() - start) * 1000


def joints_with(dcm, memory, suffix):
    """The joints that have a key with this ending."""
    prefix = dcm.getPrefix()[0]
    keys = [it for it in memory.getDataList(suffix) if it.endswith(suffix)]
    return {it.replace(prefix, "", 1)[: -len(suffix)] for it in keys}


def joints_of(dcm, memory):
    """The joints that can be moved and read."""
    names = sorted(joints_with(dcm, memory, SENSOR) & joints_with(dcm, memory, POSITION))
    places = memory.getListData([it + SENSOR for it in names])
    names = [name for name, place in zip(names, places) if place is not None]
    dcm.createAlias(["ExamplePositions", [it + POSITION for it in names]])
    return names


def stiffen(dcm, memory, names):
    """Raises the stiffness over a second. The joints are first commanded to stay, so that none of them jumps."""
    places = memory.getListData([it + SENSOR for it in names])
    dcm.setAlias("ExamplePositions", dcm.getTime(0), places)
    stiffened = joints_with(dcm, memory, STIFFNESS).intersection(names)
    if not stiffened:
        return
    dcm.createAlias(["ExampleStiffness", [it + STIFFNESS for it in stiffened]])
    dcm.set(["ExampleStiffness", "ClearAll", [[1.0, dcm.getTime(1000)]]])
    time.sleep(1.1)


def swing(dcm, memory, joint, seconds):
    """Moves a joint in a sine that begins and ends where it stands; how long each get and each set took, ms."""
    dcm.createAlias(["ExampleSwing", [joint + POSITION]])
    place = memory.getData(joint + SENSOR)
    # Whole swings of about two seconds each.
    period = 1000.0 * seconds / max(1, round(seconds / 2))
    end = 1000.0 * seconds

    def sine(at):
        return place + SPREAD / 2 * (1 - math.cos(2 * math.pi * min(at, end) / period))

    gets, sets, worst = [], [], 0.0
    start = dcm.getTime(0)
    now = 0
    while now < end:
        ahead = [now + STEP * (it + 1) for it in range(POINTS)]
        commands = ["ExampleSwing", "ClearAll", "time-separate", 0, [start + it for it in ahead],
                    [[sine(it) for it in ahead]]]
        sets.append(timed(dcm.setAlias, commands)[1])
        read, took = timed(memory.getData, joint + SENSOR)
        gets.append(took)
        worst = max(worst, abs(read - sine(now)))
        time.sleep(2 * STEP / 1000)
        now = elapsed(start, dcm.getTime(0))
    # The last word: where it stood before.
    dcm.set(["ExampleSwing", "ClearAll", [[place, dcm.getTime(100)]]])
    time.sleep(0.2)
    return gets, sets, worst


def main():
    parser = argparse.ArgumentParser(description="Reads and moves a robot, and prints how long that took.")
    parser.add_argument("--robot", help="a robot's name, HOST:PORT, a URL, or unix:/path")
    parser.add_argument("--seconds", type=float, default=4.0, help="how long the joint moves; default: 4")
    parser.add_argument("--joint", default="HeadYaw", help="which one; default: HeadYaw")
    options = parser.parse_args()
    if not 0 < options.seconds < 3600:
        parser.error("--seconds is above 0, and below an hour")
    try:
        dcm = DCMProxy(robot=options.robot)
        memory = ALMemoryProxy(robot=options.robot)
        names = joints_of(dcm, memory)
        if options.joint not in names:
            print(f"there is no joint {options.joint}; fix: --joint, with one of {', '.join(names)}", file=sys.stderr)
            return 1
        for name, place in zip(names, memory.getListData([it + SENSOR for it in names])):
            print(f"{name:16} {place:8.4f}")
        stiffen(dcm, memory, names)
        gets, sets, worst = swing(dcm, memory, options.joint, options.seconds)
    except RuntimeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"get: median {statistics.median(gets):.2f} ms of {len(gets)}")
    print(f"set: median {statistics.median(sets):.2f} ms of {len(sets)}")
    print(f"{options.joint} was {worst:.3f} rad away from the sine at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
