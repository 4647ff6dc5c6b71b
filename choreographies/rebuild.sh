#!/usr/bin/env bash
# Builds all choreographies anew: components beside their sources, the manifest, the tables of what they do.
# Look at what it changes before you commit it.
set -euo pipefail
cd "$(dirname "$0")/.."
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
choreographies/build.sh "$modules"
for module in "$modules"/*.wasm; do
    name=$(basename "$module" .wasm)
    cargo run --quiet -- build "$module" -o "choreographies/$name/$name.wasm"
done
UPDATE_EXPECT=1 cargo test --quiet --workspace --test all choreographies:: -- --test-threads 1
git status --short choreographies
