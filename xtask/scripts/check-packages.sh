#!/usr/bin/env bash
# Makes the packages that are published, and checks each alone, as its users get it: with the files, the
# dependencies and the features of that package only. Without code: that is made of the same sources by the tests.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
folder="$target/packages"

rm -rf "$folder"
cargo publish --dry-run --no-verify --workspace --quiet --target-dir "$folder/made"
# The times of the files in a package are old, and cargo compares times.
for package in "$folder"/made/package/tmp-crate/*.crate; do
    tar --extract --touch --gzip --file "$package" --directory "$folder"
done
cp Cargo.lock "$folder"
{
    printf '[workspace]\nresolver = "3"\nmembers = ["*-[0-9]*"]\n[patch.crates-io]\n'
    for manifest in "$folder"/*/Cargo.toml; do
        name=$(sed -n '/^\[package\]/,/^$/s/^name = "\(.*\)"$/\1/p' "$manifest")
        printf '%s = { path = "%s" }\n' "$name" "$(basename "$(dirname "$manifest")")"
    done
} >"$folder/Cargo.toml"
for manifest in "$folder"/*/Cargo.toml; do
    # In the profile of the workspace, with which it has dependencies in common.
    CARGO_PROFILE_DEV_OPT_LEVEL=1 cargo check --quiet --manifest-path "$manifest"
done
