#!/usr/bin/env bash
# Installs trellis for the GitHub Action: `build.sh FOLDER` makes FOLDER/bin/trellis, and `build.sh --key`
# gives the step the output `key`, which is the same for the same sources and features. If the action is used at
# the tag of a release (TRELLIS_REF), the program is the release's, from TRELLIS_RELEASES; else it is compiled.
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

# Loads the program of the release; fails if there is none for this machine. It has no spirv-val.
download() {
    local version releases archive folder
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml")
    releases=${TRELLIS_RELEASES:-https://github.com/${GITHUB_ACTION_REPOSITORY:-}/releases/download}
    archive="trellis-$version-x86_64-linux.tar.gz"
    [ "${TRELLIS_REF:-}" = "v$version" ] && [ -z "${features[*]}" ] && [ "$(uname -sm)" = "Linux x86_64" ] || return 1
    folder=$(mktemp -d)
    for file in "$archive" SHA256SUMS; do
        curl --fail --silent --show-error --location --retry 3 --output "$folder/$file" "$releases/v$version/$file" || return 1
    done
    if ! (cd "$folder" && grep " $archive\$" SHA256SUMS | sha256sum --check --quiet); then
        echo "::error::$archive is not the file of SHA256SUMS"
        exit 1
    fi
    mkdir -p "$1/bin"
    tar -xzf "$folder/$archive" -C "$1/bin" --strip-components 1 "${archive%.tar.gz}/trellis"
}
if download "$1"; then
    exit
fi
cargo install --locked --quiet --path "$root/cli" --root "$1" "${features[@]}"
