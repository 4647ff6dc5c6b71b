#!/bin/sh
# The drivers on real device nodes: builds or finds the kernel, and runs the tests that need one in it.
# Usage: tests/kernel/test.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
DCM_RUN_LINUX=$("$here/build.sh")
export DCM_RUN_LINUX
CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=$here/run.sh
export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER
cd "$here/../.."
# All of the workspace is meant, so that nothing is built a second time with other features.
cargo test --quiet --workspace --no-run --test devices --test wired
# The folder of what tests compile (`tests/harness/process.rs`): in the kernel, this disk cannot be written.
program=${CARGO_TARGET_DIR:-target}/debug/dcm-run
mkdir -p "$program.test-cache/$(date -r "$program" +%s%N)"
MEM=1G cargo test --quiet --workspace --test devices --test wired -- --test-threads=1
