#!/usr/bin/env bash
# Builds the core modules of all choreographies, or of those named, into a folder: `build.sh FOLDER [NAME...]`.
# Says nothing when all goes well. `dcm-run build` makes components of them.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 FOLDER [NAME...]" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")"
triple=wasm32-unknown-unknown

names=("$@")
if [ ${#names[@]} = 0 ]; then
    for manifest in */Cargo.toml; do names+=("${manifest%/Cargo.toml}"); done
fi

# rustup's own library for the target if it is there; else Debian's compiler, which brings the library's sources.
build=()
if ! compgen -G "$(rustc --print target-libdir --target $triple 2>/dev/null)/libcore-*.rlib" >/dev/null; then
    if ! [ -x /usr/bin/rustc ] || ! [ -d /usr/lib/rustlib/src/rust/library ]; then
        {
            echo "There is no Rust library for $triple here. Either of these installs one:"
            echo "  rustup target add $triple"
            echo "  apt-get install --no-install-recommends rustc-web rust-web-src      (Debian)"
        } >&2
        exit 1
    fi
    linker="$(dirname "$(rustc --print target-libdir)")/bin/rust-lld"
    [ -x "$linker" ] || linker=$(command -v wasm-ld || command -v wasm-ld-19) || {
        echo "There is no linker for $triple here: apt-get install lld" >&2
        exit 1
    }
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
    build=(-Zbuild-std=core,panic_abort)
fi

# A folder of its own, so that two compilers do not undo each other's work.
target=${CARGO_TARGET_DIR:-../target}/guests
CARGO_TARGET_DIR=$target cargo build --quiet --locked --profile guest --target $triple "${build[@]}" "${names[@]/#/-p}"
for name in "${names[@]}"; do
    cp "$target/$triple/guest/${name//-/_}.wasm" "$folder/$name.wasm"
done
