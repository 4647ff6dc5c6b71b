#!/usr/bin/env bash
# Makes the tables in this folder from the robots' descriptions and the arms' URDFs: `make.sh DCM_RUN`, the built program.
# A table that is made again is the same unless its description has changed.
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 DCM_RUN" >&2; exit 2; }
program=$(realpath "$1")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# Of a description: its file, the constant, what it is, and the table's file.
make() {
    {
        echo "//! The table of $3."
        echo "//! Made by \`make.sh\` with \`dcm-run config links\`; for tests and benches, and to be copied."
        # The crate's own names, in place of the SDK's; and its head, in place of that of a robot.
        "$program" config links "$1" --name "$2" |
            sed -e '/^\/\/[!\/]/d' -e 's/choreography::kinematics/kinematics/' -e 's/^pub const/pub(crate) const/'
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
