"""The start of a behaviour in Python: a process that reads 26 values and writes 26 commands. Called by `run`. The law:
it is over when its commands have come through the pipe."""
import subprocess
import sys
import time

SCRIPT = """
import sys
values = [float(it) for it in sys.stdin.readline().split()]
for place, value in enumerate(values):
    print(place, value)
"""
GIVEN = " ".join(str(it / 10) for it in range(26)) + "\n"


def start():
    said = subprocess.run([sys.executable, "-c", SCRIPT], input=GIVEN, capture_output=True, text=True, check=True).stdout
    assert len(said.splitlines()) == 26, said


print("ready", flush=True)
for line in sys.stdin:
    calls = int(line)
    begun = time.perf_counter_ns()
    for _ in range(calls):
        start()
    print((time.perf_counter_ns() - begun) / calls, flush=True)
