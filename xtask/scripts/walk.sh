#!/usr/bin/env bash
# walk.sh PROGRAM: runs the commands of the README and of `docs/using` as a user who has PROGRAM, a shell and shaders: in a
# root folder with nothing else, so without compiler, repository and home folder. Where the system does not allow such a
# root, this is skipped with a message.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

mkdir -p "$root"/{bin,dev,proc,tmp,inputs/corpus}
touch "$root/dev/null"
if ! unshare --map-root-user --pid --fork --mount-proc --root / true 2>/dev/null; then
    echo "skipped: the walk in an empty root: this system has no namespaces for users"
    exit 0
fi
# The programs of a shell, each with its libraries.
for file in $(command -v sh cat cp find grep head ls mkdir rm sed sort tail) "$program"; do
    cp -L "$file" "$root/bin"
    # None: it is linked statically.
    for library in $(ldd "$file" 2>/dev/null | grep -o '/[^ ]*' || true); do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
done
cp -r corpus/shaders "$root/inputs/corpus"
mkdir -p "$root/inputs/dxil-interpreter/tests/shaders"
cp -r dxil-interpreter/tests/shaders/linking "$root/inputs/dxil-interpreter/tests/shaders"

walk=(cargo test --locked --quiet)
# CI names the packages and features that it has compiled.
IFS=' ' read -ra packages <<<"${TRELLIS_PACKAGES:---package trellis-cli --test it}"
TRELLIS_ROOT="$root" TRELLIS_PROGRAM="$root/bin/$(basename "$program")" "${walk[@]}" "${packages[@]}" book::the_commands
