#!/usr/bin/env bash
# Proves that `wire` and `board` need nothing but Rust's core library: builds them for targets that have no other.
# `check-no-std.sh [TRIPLE...]`; by default a Cortex-M0, on which boards are made, and WebAssembly without a system.
# Says which compiler proved it; says what to install, and fails, where none can.
set -euo pipefail
cd "$(dirname "$0")/../.."
triples=("$@")
[ ${#triples[@]} -gt 0 ] || triples=(thumbv6m-none-eabi wasm32-unknown-unknown)
target=${CARGO_TARGET_DIR:-target}/no-std

for triple in "${triples[@]}"; do
    library=$(rustc --print target-libdir --target "$triple" 2>/dev/null || true)
    # A target for which there is a std, too, proves nothing: a crate could use it.
    if compgen -G "$library/libcore-*.rlib" >/dev/null && ! compgen -G "$library/libstd-*.rlib" >/dev/null; then
        by=$(rustc --version)
        env=()
        build=()
    elif [ -x /usr/bin/rustc ] && [ -d /usr/lib/rustlib/src/rust/library ]; then
        # Debian's compiler brings the library's sources, of which only core is built. As in choreographies/build.sh.
        by=$(/usr/bin/rustc --version)
        env=(RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1)
        build=(-Zbuild-std=core)
    else
        {
            echo "There is no core library alone for $triple here. Either of these installs one:"
            echo "  rustup target add thumbv6m-none-eabi && $0 thumbv6m-none-eabi"
            echo "  apt-get install --no-install-recommends rustc-web rust-web-src      (Debian)"
        } >&2
        exit 1
    fi
    # A folder of its own, so that two compilers do not undo each other's work.
    env "${env[@]}" CARGO_TARGET_DIR="$target" \
        cargo build --quiet --locked --release --target "$triple" "${build[@]}" -p wire -p board
    echo "wire and board need only core on $triple, says $by"
done
