#!/bin/sh
# The README's first command as a newcomer runs it, its minute passing faster; and what a program without the server says
# of what it lacks: one sentence, and 2. Usage: tests/light/test.sh
set -eu
cd "$(dirname "$0")/../.."
words=$(sed -n 's/^cargo try \(run .*\)$/\1/p' README.md | head -n 1)
[ -n "$words" ] || { echo "the README has no first command" >&2; exit 1; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
DCM_RUN_DIR=$out
export DCM_RUN_DIR
# shellcheck disable=SC2086 # They are words.
cargo --quiet try $words --fast >"$out/said" || { cat "$out/said" >&2; exit 1; }
grep -q 'dance  finished' "$out/said" || { cat "$out/said" >&2; exit 1; }

# lacks WHAT WORD...
lacks() {
    what=$1
    shift
    status=0
    "${CARGO_TARGET_DIR:-target}/debug/dcm-run" "$@" >"$out/said" 2>&1 || status=$?
    if [ $status != 2 ] || [ "$(wc -l <"$out/said")" != 1 ] || ! grep -q "built without $what" "$out/said"; then
        echo "dcm-run $*: status $status, and it said:" >&2
        cat "$out/said" >&2
        exit 1
    fi
}
for verb in serve push pull ls rm tag rollback boot start robots pair tokens take-over audit keys service; do
    lacks 'the server' "$verb"
    lacks 'the server' "$verb" --help
    lacks 'the server' "$verb" something --robot nao --json
done
lacks 'the server' server
lacks 'the server' ps --robot 127.0.0.1:7878
lacks 'the server' swap blink kept
lacks 'the server' estop --robot robot.example:7878
lacks 'pictures' check choreographies/wave/wave.wasm --robot nao --strip "$out/strip.png"

# says STATUS WORDS WORD...: what has nothing to do with what is left out is told as ever.
says() {
    wanted=$1
    what=$2
    shift 2
    status=0
    "${CARGO_TARGET_DIR:-target}/debug/dcm-run" "$@" >"$out/said" 2>&1 || status=$?
    if [ $status != "$wanted" ] || ! grep -q "$what" "$out/said"; then
        echo "dcm-run $*: status $status, and it said:" >&2
        cat "$out/said" >&2
        exit 1
    fi
}
says 4 'no robot' estop
says 4 'no robot' estop --robot kitchen
says 1 'there is no file .nothere.wasm' load nothere.wasm
says 0 'built without it' help push
echo "the first command moves a robot, and each verb that is left out says so"
