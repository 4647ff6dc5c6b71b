#!/usr/bin/env bash
# What guests cost, beside wasm3 in the same run; and what a hundred uploads do to a loop that runs.
# Usage: tests/bench/guests.sh [SECONDS]     (of idling, and of uploading; 100 if it is not said)
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD seconds=${1:-100}
folder=$(mktemp -d)
trap 'rm -rf "$folder"; [ -z "${loop:-}" ] || kill "$loop" 2>/dev/null || true' EXIT

MODULE=$folder/sets.wasm WRITTEN=$folder/written.wasm UPLOAD=$folder/upload.wasm cargo bench --quiet -p tests --bench guests | tee "$folder/ours"

# wasm3 comes from the registry as sources, inside the crate that wraps it.
mkdir -p "$folder/peer/src"
printf '[package]\nname = "peer"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\nwasm3-sys = "=0.3.0"\n[workspace]\n' >"$folder/peer/Cargo.toml"
touch "$folder/peer/src/lib.rs"
sources=$(cd "$folder/peer" && cargo metadata --quiet --format-version 1 |
    python3 -c 'import json, sys; print(next(it["manifest_path"] for it in json.load(sys.stdin)["packages"] if it["name"] == "wasm3-sys"))')
sources=$(dirname "$sources")/wasm3/source
# This version prints the result of each call: without that, so that the interpreter alone is measured.
printf '#include <stdio.h>\n#define fprintf(...) ((void) 0)\n' >"$folder/silence.h"
cc -O3 -w -include "$folder/silence.h" -I"$sources" -o "$folder/wasm3" "$root/tests/bench/wasm3.c" "$sources"/m3_*.c -lm
looped=$("$folder/wasm3" "$folder/sets.wasm")
written=$("$folder/wasm3" "$folder/written.wasm")
awk -v looped="$looped" -v written="$written" '
    /26 commands sent/ { printf "%s: 26 commands in a loop in %s ns, wasm3 in %s ns: %.2f times\n", $1, $6, looped, $6 / looped }
    /26 sent, written out/ { printf "%s: 26 commands written out in %s ns, wasm3 in %s ns: %.2f times\n", $1, $7, written, $7 / written }
    ' "$folder/ours"

# Late turns of a loop at 1 kHz: while nothing happens, and while something is uploaded each second.
cargo build --quiet --release -p dcm-run
run=target/release/dcm-run
export DCM_RUN_DIR=$folder/run
printf 'format = 1\nname = "quick"\nbase = "nao"\nperiod = "1ms"\n' >"$folder/quick.toml"
"$run" run --robot "$folder/quick.toml" --sim --quiet --json >"$folder/events" &
loop=$!
until "$run" get turn --json >/dev/null 2>&1; do sleep 0.1; done
sleep 3
late() { grep -c '"event":"overrun"' "$folder/events" || true; }
before=$(late)
sleep "$seconds"
idle=$(($(late) - before))
before=$(late)
for ((number = 1; number <= 100; number++)); do
    # Different bytes each time, so that each is compiled.
    cp "$folder/upload.wasm" "$folder/it.wasm"
    printf '\0\7\4note%02d' "$((number % 100))" >>"$folder/it.wasm"
    "$run" load "$folder/it.wasm" --json >>"$folder/loaded"
    "$run" stop "$(tail -1 "$folder/loaded" | python3 -c 'import json, sys; print(json.load(sys.stdin)["told"]["loaded"]["id"])')" >/dev/null
    sleep "$(python3 -c "print($seconds / 100)")"
done
busy=$(($(late) - before))
python3 - "$folder/loaded" "$idle" "$busy" "$seconds" <<'PYTHON'
import json, sys
took = sorted(json.loads(line)["told"]["loaded"]["took_ns"] / 1e6 for line in open(sys.argv[1]))
print(f"100 uploads: from bytes to running {took[50]:.1f} ms in the middle, {took[-1]:.1f} ms at most")
print(f"late turns of 1 ms: {sys.argv[2]} in {sys.argv[4]} idle seconds, {sys.argv[3]} during 100 uploads")
PYTHON
"$run" stop >/dev/null
wait "$loop"
loop=
