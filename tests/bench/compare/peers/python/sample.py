"""Sampling in Python: numpy and Ruckig. Called by `run` with the name and the number of joints. The law: as
`peers/c/sample.c`: points of every 100 ms, a clock that goes on by 1 ms; numpy samples all joints in one expression."""
import sys
import time

POINTS, APART = 1000, 100
name, joints = sys.argv[1], int(sys.argv[2])


def numpy_lines():
    import numpy
    at = numpy.arange(POINTS) * float(APART)
    values = numpy.array([[point * 7 % 13 / 10 for _ in range(joints)] for point in range(POINTS)])
    now = float(APART)

    def sample():
        nonlocal now
        now = now + 1.0 if now < APART * (POINTS - 2) else float(APART)
        place = numpy.searchsorted(at, now, side="right") - 1
        share = (now - at[place]) / APART
        return values[place] + (values[place + 1] - values[place]) * share
    return sample


def ruckig_steps():
    from ruckig import InputParameter, OutputParameter, Ruckig
    otg, given, out = Ruckig(joints, 0.001), InputParameter(joints), OutputParameter(joints)
    given.max_velocity = given.max_acceleration = given.max_jerk = [1.0] * joints
    # So far that the way does not end while it is timed: then only the sampling is in the time.
    given.target_position = [5e3 + joint / joints for joint in range(joints)]
    otg.update(given, out)

    def sample():
        result = otg.update(given, out)
        out.pass_to_input(given)
        return result
    return sample


sample = {"numpy": numpy_lines, "ruckig": ruckig_steps}[name]()
print("ready", flush=True)
for line in sys.stdin:
    calls = range(int(line))
    begun = time.perf_counter_ns()
    for _ in calls:
        sample()
    print(f"{(time.perf_counter_ns() - begun) / len(calls):.3f}", flush=True)
