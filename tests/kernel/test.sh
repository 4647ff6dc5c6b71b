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
MEM=1G cargo test --quiet --workspace --test devices --test wired -- --test-threads=1
