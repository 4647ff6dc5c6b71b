#!/usr/bin/env bash
# Proves that `wire` and `board` need only Rust's core library: builds them for targets that have no other.
# `check-no-std.sh [TRIPLE...]`; default: a Cortex-M0, which is common on boards, and WebAssembly without a
# system.
# Prints the compiler that proved it. Without a suitable one, it prints what to install and fails.
set -euo pipefail
cd "$(dirname "$0")/../.."
triples=("$@")
[ ${#triples[@]} -gt 0 ] || triples=(thumbv6m-none-eabi wasm32-unknown-unknown)
target=${CARGO_TARGET_DIR:-target}/no-std

for triple in "${triples[@]}"; do
    library=$(rustc --print target-libdir --target "$triple" 2>/dev/null || true)
    # A target that also has a std proves nothing: a crate could use it.
    if compgen -G "$library/libcore-*.rlib" >/dev/null && ! compgen -G "$library/libstd-*.rlib" >/dev/null; then
        by=$(rustc --version)
        env=()
        build=()
    elif [ -x /usr/bin/rustc ] && [ -d /usr/lib/rustlib/src/rust/library ]; then
        # Debian's compiler comes with the library's sources, of which only core is built. As in
        # choreographies/build.sh.
        by=$(/usr/bin/rustc --version)
        env=(RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1)
        build=(-Zbuild-std=core)
    else
        {
            echo "There is no core library without std for $triple. Install one by either of:"
            echo "  rustup target add thumbv6m-none-eabi && $0 thumbv6m-none-eabi"
            echo "  apt-get install --no-install-recommends rustc-web rust-web-src      (Debian)"
        } >&2
        exit 1
    fi
    # A separate folder, so that two compilers do not overwrite each other's output.
    env "${env[@]}" CARGO_TARGET_DIR="$target" \
        cargo build --quiet --locked --release --target "$triple" "${build[@]}" -p wire -p board
    echo "wire and board need only core on $triple, says $by"
done
