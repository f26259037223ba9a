#!/usr/bin/env bash
# pgo.sh [--bolt] [SHADERS…]: builds `trellis` with fat LTO and a profile of its execution, with cargo-pgo. The
# profile is of converting the corpus, the large shaders of `benches`, and SHADERS. --bolt then lays the program out by
# how often each block runs, with LLVM's BOLT (Debian: bolt-19). In the end every output must be the same as from the
# instrumented program.
set -euo pipefail
cd "$(dirname "$0")/../.."
bolt=
if [ "${1:-}" = --bolt ]; then
    bolt=1
    shift
fi
cargo pgo --version >/dev/null 2>&1 || cargo install --locked cargo-pgo
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR="$target/pgo"
# BOLT needs symbols and relocations, which stripping removes.
[ -z "$bolt" ] || export CARGO_PROFILE_DIST_STRIP=none
built="$CARGO_TARGET_DIR/$(rustc -vV | sed -n 's/^host: //p')/dist"
options=(-- --locked --profile dist --package trellis-cli --bin trellis)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# One process and one thread: several would lose counts, each time others.
convert() {
    "$@" --output "$out" --quiet --jobs 1 corpus/shaders/manifest.json benches/shaders/manifest.json
}

cargo pgo build "${options[@]}"
# The next build replaces it.
cp "$built/trellis" "$built/trellis-counting"
convert "$built/trellis-counting" batch "$@"
cargo pgo optimize build "${options[@]}"
if [ -n "$bolt" ]; then
    cargo pgo bolt build --with-pgo "${options[@]}"
    convert "$built/trellis-bolt-instrumented" batch "$@"
    cargo pgo bolt optimize --with-pgo "${options[@]}"
    mv "$built/trellis-bolt-optimized" "$built/trellis"
fi
CARGO_TARGET_DIR="$target" cargo xtask same-output --against "$built/trellis-counting" --program "$built/trellis"
echo "program: $built/trellis"
