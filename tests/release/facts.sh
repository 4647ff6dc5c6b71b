# shellcheck shell=bash
# What all scripts of a release agree on; they read it with `.`, from wherever they are called.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml")
# A folder of its own: its flags are others than those of `cargo build`, and neither undoes the other's work.
target=${CARGO_TARGET_DIR:-$root/target}/release-of-packages

# All times in packages are of the commit, or of the version where there is no repository.
dated() { sed -n "s/^## $version - \(....-..-..\)\$/\1/p" "$root/CHANGELOG.md"; }
: "${SOURCE_DATE_EPOCH:=$(git -C "$root" log -1 --format=%ct 2>/dev/null || date -u -d "$(dated)" +%s)}"
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
umask 022

fail() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
# need COMMAND PACKAGE: a command that a script cannot do without, and Debian's package of it.
need() { command -v "$1" >/dev/null || fail "there is no $1 here; fix: apt-get install $2"; }
