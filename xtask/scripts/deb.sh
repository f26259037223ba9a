#!/usr/bin/env bash
# Makes the Debian package of the `trellis` command with cargo-deb, and checks it.
#   deb.sh [PROGRAM [PACKAGE]]
# PROGRAM is the one of the profile `dist` by default, which is built; PACKAGE is `debian/trellis.deb` in the target
# folder. Where cargo-deb is not installed, this is skipped with a message.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
program="${1:-$target/dist/trellis}"
package=$(realpath -m "${2:-$target/debian/trellis.deb}")
if ! cargo deb --version >/dev/null 2>&1; then
    echo "skipped: cargo-deb is not installed (cargo install --locked cargo-deb)"
    exit 0
fi
[ -n "${1:-}" ] || cargo build --locked --package trellis-cli --profile dist

# cargo-deb takes the program, and the files that it writes, from a target folder with nothing else.
built="$target/deb/release"
rm -rf "$built"
mkdir -p "$built/deb" "$(dirname "$package")"
cp "$program" "$built/trellis"
"$program" completions bash >"$built/deb/trellis.bash"
"$program" completions zsh >"$built/deb/_trellis"
"$program" completions fish >"$built/deb/trellis.fish"
"$program" man "$built/deb/man"
# As Debian's policy has them: compressed, without a time.
gzip -9 --no-name "$built"/deb/man/*
CARGO_TARGET_DIR="$target/deb" cargo deb --locked --package trellis-cli --no-build --output "$package"

unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
dpkg-deb -x "$package" "$unpacked"
for file in bin/trellis share/man/man1/trellis.1.gz share/man/man1/trellis-batch.1.gz share/bash-completion/completions/trellis \
    share/zsh/vendor-completions/_trellis share/fish/vendor_completions.d/trellis.fish; do
    [ -s "$unpacked/usr/$file" ] || { echo "the package lacks $file" >&2; exit 1; }
done
[ "$("$unpacked/usr/bin/trellis" --version)" = "$("$program" --version)" ]
# The libraries that the program is linked with are the package's dependencies.
if ldd "$program" 2>/dev/null | grep -q 'libc\.'; then
    dpkg-deb -f "$package" Depends | grep libc6
fi
echo "$package: ok"
