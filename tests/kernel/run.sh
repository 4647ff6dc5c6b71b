#!/bin/sh
# Runs a program as root in the kernel of build.sh, prints its output and ends with its status; 125 when the kernel
# died or ran out of time ($LIMIT seconds). Usage: tests/kernel/run.sh PROGRAM [ARG...]; fits cargo as a runner.
here=$(cd "$(dirname "$0")" && pwd)
linux=${DCM_RUN_LINUX:-$("$here/build.sh")} || exit 125
out=$(mktemp -d "${TMPDIR:-/tmp}/kernel.XXXXXX")
trap 'rm -rf "$out"' EXIT
quoted() { printf "%s" "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/"; }
{
    printf 'cd %s\n' "$(quoted "$PWD")"
    [ -z "${RUST_BACKTRACE:-}" ] || echo "export RUST_BACKTRACE=$RUST_BACKTRACE"
    printf 'exec'
    for word in "$@"; do printf ' %s' "$(quoted "$word")"; done
    echo
} >"$out/cmd"
# The kernel's memory is a file that must be executable; /dev/shm is often not.
case $(findmnt -no OPTIONS -T /dev/shm 2>/dev/null) in *noexec* | "")
    TMPDIR=$out
    export TMPDIR
    ;;
esac
timeout -k 5 "${LIMIT:-900}" "$linux" mem="${MEM:-256M}" root=/dev/root rootfstype=hostfs rootflags=/ ro quiet panic=-1 \
    con=null con0=null,fd:2 ssl=null uml_dir="$out" umid=g init="$here/init.sh" out="$out" </dev/null >"$out/console" 2>&1
[ -f "$out/log" ] && cat "$out/log"
[ -s "$out/rc" ] && exit "$(cat "$out/rc")"
echo "the kernel ended without a result:"
tail -n 30 "$out/console"
exit 125
