#!/usr/bin/env bash
# Builds this crate for wasm32-unknown-unknown and for this machine, and prints the paths of both: the words of `guest.py`.
# Cargo writes into the folder that the first word names.
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")"
export CARGO_TARGET_DIR=$folder
cargo build --quiet --release
triple=wasm32-unknown-unknown
# As in `choreographies/build.sh`: rustup's library for the target, else Debian's compiler.
build=()
if ! compgen -G "$(rustc --print target-libdir --target $triple 2>/dev/null)/libcore-*.rlib" >/dev/null; then
    linker="$(dirname "$(rustc --print target-libdir)")/bin/rust-lld"
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
    build=(-Zbuild-std=core,panic_abort)
fi
cargo build --quiet --release --target $triple "${build[@]}"
echo "$folder/$triple/release/kinematics_guest.wasm $folder/release/libkinematics_guest.so"
