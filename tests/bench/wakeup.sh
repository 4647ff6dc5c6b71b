#!/usr/bin/env bash
# How late the loop wakes, beside cyclictest: the same priority, period and minute, turn and turn about.
# Usage: tests/bench/wakeup.sh [ROUNDS] [SECONDS] [PRIORITY]
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${1:-5} seconds=${2:-5} priority=${3:-80}

command -v cyclictest >/dev/null || {
    echo "cyclictest is missing: apt-get install rt-tests" >&2
    exit 1
}
cargo build --quiet --release -p dcm-run
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for ((round = 1; round <= rounds; round++)); do
    cyclictest --quiet --threads=1 --priority="$priority" --mlockall --interval=1000 --duration="$seconds" \
        --histogram=10000 >"$folder/cyclictest.$round"
    target/release/dcm-run bench --json --period 1ms --for "${seconds}s" --priority "$priority" >"$folder/loop.$round"
done

python3 - "$folder" "$rounds" <<'PYTHON'
import json, sys

folder, rounds = sys.argv[1], int(sys.argv[2])
EDGES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]

def cyclictest(round):
    times = []
    for line in open(f"{folder}/cyclictest.{round}"):
        words = line.split()
        if len(words) == 2 and words[0].isdigit():
            times += [(int(words[0]), int(words[1]))]
    return times

def quantile(times, share):
    wanted, seen = share * sum(number for _, number in times), 0
    for time, number in times:
        seen += number
        if seen >= wanted:
            return time
    return float("nan")

theirs = [cyclictest(round) for round in range(1, rounds + 1)]
ours = [json.loads(open(f"{folder}/loop.{round}").readline()) for round in range(1, rounds + 1)]
for lack in ours[0]["lacks"]:
    print("not the same rights:", lack)

def middle(values):
    values = sorted(values)
    return values[len(values) // 2]

print(f"{'woke after its instant, µs':<28} {'cyclictest':>12} {'dcm-run':>12} {'ratio':>8}")
for name, share, key in [("median", 0.5, "median_ns"), ("99 %", 0.99, "p99_ns"), ("99.9 %", 0.999, "p999_ns")]:
    # cyclictest counts whole microseconds: half of one is added, which is what is cut off.
    a = middle([quantile(times, share) + 0.5 for times in theirs])
    b = middle([bench["waking"][key] / 1000 for bench in ours])
    print(f"{name + ' (median of rounds)':<28} {a:>12.1f} {b:>12.1f} {b / a:>8.2f}")

print("\nall rounds together:")
left, right = [0] * (len(EDGES) + 1), [0] * (len(EDGES) + 1)
place = lambda time: sum(time >= edge for edge in EDGES)
for times in theirs:
    for time, number in times:
        left[place(time)] += number
for bench in ours:
    for start, _, number in bench["waking"]["buckets_ns"]:
        # Buckets of powers of two, from 1 µs on; 1,000 ns and 1,024 ns are taken as one.
        right[place(start / 1000)] += number
for at, (a, b) in enumerate(zip(left, right)):
    if a or b:
        low = EDGES[at - 1] if at else 0
        high = EDGES[at] if at < len(EDGES) else "more"
        bars = ["#" * -(-number * 30 // max(1, max(side))) for number, side in ((a, left), (b, right))]
        print(f"{low:>6} to {high:>5} µs  {a:>8} {bars[0]:<30}  {b:>8} {bars[1]}")
PYTHON
