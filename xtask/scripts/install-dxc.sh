#!/usr/bin/env bash
# Installs the HLSL compiler that `cargo campaign differential` loads: DXC's library for x86-64 Linux
# (DXC 1.7, shader models up to 6.7), from a Python package, in trellis-dxc in the user's cache. A
# second run changes nothing. If it cannot be installed, a message says why.
set -euo pipefail

package=coalpy==0.55
sum=4252c5bd957dd9117b1346a5cc99065081a02477d5ab4dc8356ce4f07e9fb241
folder="${XDG_CACHE_HOME:-$HOME/.cache}/trellis-dxc"
library="$folder/libdxcompiler.so"

skip() { echo "install-dxc: skipped: $1"; exit 0; }
fits() { [ -f "$1" ] && echo "$sum  $1" | sha256sum --check --status; }

if fits "$library"; then
    echo "install-dxc: $library"
    exit 0
fi
[ "$(uname -sm)" = "Linux x86_64" ] || skip "there is a library for x86-64 Linux only"
command -v python3 >/dev/null && python3 -m pip --version >/dev/null 2>&1 || skip "no Python with pip"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --dest "$work" "$package" || skip "pip cannot download $package"
# A wheel is a ZIP archive.
python3 -m zipfile -e "$work"/*.whl "$work/wheel"
found=$(find "$work/wheel" -name libdxcompiler.so | head -n 1)
fits "$found" || { echo "install-dxc: the library in $package is not the one that was tested" >&2; exit 1; }
mkdir -p "$folder"
mv "$found" "$library"
echo "install-dxc: $library"
