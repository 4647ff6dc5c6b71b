#!/usr/bin/env bash
# Makes the tables in this folder from the robots' descriptions and the arms' URDFs: `make.sh DCM_RUN RUST_TABLE`, the built
# program and the built example. A table that is made again is the same unless its description has changed.
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 DCM_RUN RUST_TABLE" >&2; exit 2; }
program=$(realpath "$1") example=$(realpath "$2")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# Of a description: its file, the constant, what it is, and the table's file.
make() {
    python3 ../compare/tables.py "$1" >"$work/table.txt"
    {
        echo "//! The table of $3."
        echo "//! Made by \`make.sh\` with the example \`rust_table\`; for tests and benches, and to be copied."
        echo
        "$example" "$work/table.txt" "$2"
    } >"$work/table.rs"
    rustfmt --edition 2024 "$work/table.rs"
    cp "$work/table.rs" "$4"
}

# Of an arm's URDF: its name, and the rest.
arm() {
    "$program" urdf import "../compare/arms/$1.urdf" >"$work/$1.toml"
    make "$work/$1.toml" "${@:2}"
}

robots=../../../../runtime/description/robots
make $robots/nao.toml NAO 'a NAO, of its description `runtime/description/robots/nao.toml`' nao.rs
make $robots/hexapod.toml HEXAPOD 'a hexapod, of its description `runtime/description/robots/hexapod.toml`' hexapod.rs
arm ur5-like SIX "an arm of six joints, with the lengths of the UR5" six.rs
arm panda-like SEVEN "an arm of seven joints and a gripper, with the lengths of the Panda" seven.rs
