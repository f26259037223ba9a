#!/usr/bin/env bash
# Builds trellis for the GitHub Action: `build.sh FOLDER` installs FOLDER/bin/trellis, and `build.sh --key`
# gives the step the output `key`, which is the same for the same sources and features.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
features=()
if [ "${TRELLIS_VALIDATE:-false}" = true ]; then
    features=(--features validate)
fi
if [ "$1" = --key ]; then
    cd "$root"
    # The sources that the program is made of; LC_ALL for one order everywhere.
    hash=$(find . \( -name target -o -name .git \) -prune -o -type f \
        \( -name '*.rs' -o -name '*.toml' -o -name '*.csv' -o -name Cargo.lock -o -path './explorer/web/*' \
        -o -path './corpus/src/*' -o -path './structurizer-view/src/*' \) -print0 |
        LC_ALL=C sort -z | xargs -0 cat | sha256sum | cut -d ' ' -f 1)
    echo "key=$hash${features[*]:+-validate}" >>"${GITHUB_OUTPUT:-/dev/stdout}"
    exit
fi
cargo install --locked --quiet --path "$root/cli" --root "$1" "${features[@]}"
