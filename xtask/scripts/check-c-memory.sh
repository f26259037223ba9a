#!/usr/bin/env bash
# Runs random sequences of calls of the C libraries (their tests `sequences`) under AddressSanitizer
# where there is a nightly toolchain, else under Valgrind. TRELLIS_SEQUENCES is the number of
# sequences for each library, TRELLIS_SEED the first one's seed.
#   check-c-memory.sh [valgrind [PACKAGES AND FEATURES FOR CARGO]]
set -euo pipefail
cd "$(dirname "$0")/../.."

packages=(--package trellis-c --package trellis-dxil-spirv-c)
host=$(rustc -vV | sed -n 's/^host: //p')

if rustup run nightly rustc --version >/dev/null 2>&1 && [ "${1:-}" != valgrind ]; then
    echo "AddressSanitizer ($(rustup run nightly rustc --version))"
    # A sequence frees its remaining handles at its end: any other allocation is a leak.
    export RUSTFLAGS="-Zsanitizer=address" ASAN_OPTIONS="detect_leaks=1"
    export TRELLIS_SEQUENCES="${TRELLIS_SEQUENCES:-200}"
    cargo +nightly test --quiet --target "$host" --target-dir "${CARGO_TARGET_DIR:-target}/asan" \
        "${packages[@]}" --test sequences
    exit
fi

if ! command -v valgrind >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends valgrind
fi
valgrind --version
export TRELLIS_SEQUENCES="${TRELLIS_SEQUENCES:-20}"
[ $# -lt 2 ] || packages=("${@:2}")
cargo test --quiet --no-run --message-format=json "${packages[@]}" --test sequences \
    | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' \
    | while read -r program; do
        valgrind --quiet --error-exitcode=1 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
            "$program" --test-threads=1
    done
