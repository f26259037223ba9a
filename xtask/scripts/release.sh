#!/usr/bin/env bash
# release.sh [FOLDER [PART…]]: makes the files of a release (all parts, or those that are named), installs each where
# nothing else is, and uses it once. FOLDER is `release-files` in the target folder by default. TRELLIS_PROFILE names a
# profile of execution (pgo.sh makes one) that native code is compiled with. What cannot be made on this machine is
# skipped with a message.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
folder=$(realpath -m "${1:-$target/release-files}")
parts=("${@:2}")
[ ${#parts[@]} -gt 0 ] || parts=(linux windows c debian wheel page npm sbom)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml)
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
# What is shipped has no debug information: a backtrace names functions only where symbols are left.
export CARGO_PROFILE_DIST_DEBUG=none CARGO_PROFILE_DIST_STRIP=symbols
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$folder"

step() { printf '\n=== %s (%ss)\n' "$1" "$SECONDS"; }
skip() { echo "skipped: $1"; }
has_target() { rustup target add "$1" >/dev/null 2>&1 || [ -d "$(rustc --print target-libdir --target "$1")" ]; }
flags=${TRELLIS_PROFILE:+-Cprofile-use=$TRELLIS_PROFILE}
dist() { RUSTFLAGS="$flags" cargo build --locked --quiet --profile dist "$@"; }
# An archive with the files of the folder, the same bytes each time.
pack() {
    local name=$1
    cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$scratch/$name"
    find "$scratch/$name" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
    tar --sort=name --owner=0 --group=0 --numeric-owner -C "$scratch" -c "$name" | gzip -9n >"$folder/$name.tar.gz"
    rm -rf "${scratch:?}/$name"
}
# Makes the environment of Python with maturin, cargo-zigbuild and zig, which links with an older glibc than this machine's.
tools="$scratch/tools"
has_zig() {
    [ -x "$tools/bin/maturin" ] || { python3 -m venv "$tools" \
        && "$tools/bin/pip" install --quiet 'maturin>=1.16,<2' cargo-zigbuild ziglang; }
}
# Runs a command in a root folder with these files only.
alone() { unshare --map-root-user chroot "$@"; }

part_linux() {
    local triple=x86_64-unknown-linux-musl name="trellis-$version-x86_64-linux"
    has_target $triple || { skip "the program for Linux: no Rust libraries of $triple"; return; }
    # Assembly of a dependency, which needs no libc.
    CC_x86_64_unknown_linux_musl="${CC:-cc}" dist --package trellis-cli --target $triple
    mkdir -p "$scratch/$name"/{completions,man}
    cp "$target/$triple/dist/trellis" "$scratch/$name"
    local trellis="$scratch/$name/trellis"
    "$trellis" completions bash >"$scratch/$name/completions/trellis.bash"
    "$trellis" completions zsh >"$scratch/$name/completions/_trellis"
    "$trellis" completions fish >"$scratch/$name/completions/trellis.fish"
    "$trellis" man "$scratch/$name/man"
    pack "$name"

    local root="$scratch/root"
    mkdir -p "$root/tmp"
    tar -xzf "$folder/$name.tar.gz" -C "$root"
    cp -r corpus/shaders/control_flow "$root"
    alone "$root" "/$name/trellis" batch /control_flow -o /spirv
    # The commands of the README and of the book.
    TRELLIS_PROGRAM="$root/$name/trellis" cargo test --locked --quiet --package trellis-cli --test it book::the_commands
}

part_windows() {
    local triple=x86_64-pc-windows-gnu name="trellis-$version-x86_64-windows"
    has_target $triple || { skip "the program for Windows: no Rust libraries of $triple"; return; }
    command -v x86_64-w64-mingw32-gcc >/dev/null || { skip "the program for Windows: no gcc-mingw-w64"; return; }
    dist --package trellis-cli --target $triple
    mkdir -p "$scratch/$name"
    cp "$target/$triple/dist/trellis.exe" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$scratch/$name"
    find "$scratch/$name" -exec touch --date "@$SOURCE_DATE_EPOCH" {} +
    rm -f "$folder/$name.zip"
    (cd "$scratch" && zip --quiet -X -r "$folder/$name.zip" "$name")

    local wine
    wine=$(command -v wine64 || command -v wine || command -v /usr/lib/wine/wine64) || { skip "it is not run: no Wine"; return; }
    # Wine may lack it.
    x86_64-w64-mingw32-gcc -std=c11 -shared -o "$scratch/$name/bcryptprimitives.dll" capi/libtrellis/tests/c/bcryptprimitives.c -ladvapi32
    WINEPREFIX="$scratch/wine" WINEDEBUG=-all "$wine" "$scratch/$name/trellis.exe" \
        convert corpus/shaders/control_flow/collatz.dxil -o "$scratch/collatz.spv" 2>/dev/null
    test -s "$scratch/collatz.spv"
}

part_c() {
    local triple=x86_64-unknown-linux-gnu name="trellis-$version-x86_64-linux-c" prefix
    has_zig || { skip "the C libraries: no cargo-zigbuild or ziglang"; return; }
    PATH="$tools/bin:$PATH" RUSTFLAGS="$flags" cargo zigbuild --locked --quiet --profile dist --target $triple.2.28 \
        --package trellis-c --package trellis-dxil-spirv-c
    prefix="$scratch/$name"
    capi/libtrellis/install.sh "$prefix" "$target/$triple/dist"
    cp "$target/$triple/dist/libdxil_spirv_c_shared.so" "$prefix/lib/libdxil-spirv-c-shared.so.2"
    ln -s libdxil-spirv-c-shared.so.2 "$prefix/lib/libdxil-spirv-c-shared.so"
    cp "$target/$triple/dist/libdxil_spirv_c_shared.a" "$prefix/lib/libdxil-spirv-c-shared.a"
    pack "$name"

    # A user's machine has a C compiler, and the archive anywhere.
    local user="$scratch/user-c" library source shader
    mkdir -p "$user"
    tar -xzf "$folder/$name.tar.gz" -C "$user"
    while read -r library source shader; do
        cc -I "$user/$name/include" -I capi/dxil-spirv/tests/c "$source" -o "$user/client" -L "$user/$name/lib" "-l$library"
        LD_LIBRARY_PATH="$user/$name/lib" "$user/client" "corpus/shaders/$shader.dxil" "$user/out.spv" >/dev/null
        test -s "$user/out.spv"
    done <<<"\
trellis capi/libtrellis/examples/convert.c buffers/counters
dxil-spirv-c-shared capi/dxil-spirv/tests/c/client.c cbuffers/dynamic_index"
}

part_debian() {
    local triple=x86_64-unknown-linux-musl root="$scratch/debian"
    [ -x "$target/$triple/dist/trellis" ] || { skip "the Debian package: the program for Linux is not there"; return; }
    cargo deb --version >/dev/null 2>&1 || cargo install --locked --quiet cargo-deb
    xtask/scripts/deb.sh "$target/$triple/dist/trellis" "$folder/trellis_${version}_amd64.deb"
    mkdir -p "$root/tmp"
    dpkg-deb -x "$folder/trellis_${version}_amd64.deb" "$root"
    cp corpus/shaders/control_flow/collatz.dxil "$root"
    alone "$root" /usr/bin/trellis convert /collatz.dxil -o /collatz.spv
}

part_wheel() {
    has_zig || { skip "the wheel: no maturin or ziglang"; return; }
    # Its workspace has no profile `dist`.
    (cd python && PATH="$tools/bin:$PATH" RUSTFLAGS="$flags" CARGO_TARGET_DIR="$target/wheel" \
        env -u CARGO_PROFILE_DIST_DEBUG -u CARGO_PROFILE_DIST_STRIP maturin build --quiet --locked --release --strip --zig --compatibility manylinux_2_28 --out "$folder")

    python3 -m venv "$scratch/user"
    "$scratch/user/bin/pip" install --quiet --no-index --no-deps "$folder"/*.whl
    "$scratch/user/bin/python" - <<'PY'
import pathlib, trellis
output = trellis.convert(pathlib.Path("corpus/shaders/control_flow/collatz.dxil").read_bytes())
print(len(output.spirv), "bytes of SPIR-V")
PY
}

part_page() {
    local name="trellis-$version-site"
    has_target wasm32-wasip1 || { skip "the page: no Rust libraries of wasm32-wasip1"; return; }
    mkdir -p "$scratch/$name"
    xtask/scripts/book.sh "$scratch/$name"
    [ -s "$scratch/$name/index.html" ] || return 0
    pack "$name"
}

part_npm() {
    local name="$scratch/npm"
    has_target wasm32-wasip1 || { skip "the npm package: no Rust libraries of wasm32-wasip1"; return; }
    command -v npm >/dev/null || { skip "the npm package: no npm"; return; }
    cargo build --locked --quiet --package trellis-explorer --bin trellis-explorer --profile page --target wasm32-wasip1
    mkdir -p "$name"
    cp explorer/npm/* LICENSE-MIT LICENSE-APACHE "$name"
    cp "$target/wasm32-wasip1/page/trellis-explorer.wasm" "$name/engine.wasm"
    { cat explorer/web/wasi.js; echo 'export { runWasi };'; } >"$name/wasi.js"
    sed -i "s/\"version\": \".*\"/\"version\": \"$version\"/" "$name/package.json"
    (cd "$name" && npm pack --silent --pack-destination "$folder" >/dev/null)

    mkdir -p "$scratch/user-npm"
    (cd "$scratch/user-npm" && npm install --silent --offline --no-audit "$folder/trellis-dxil-$version.tgz")
    cp corpus/shaders/control_flow/collatz.dxil "$scratch/user-npm"
    (cd "$scratch/user-npm" && node --input-type=module -e '
        import { readFileSync, writeFileSync } from "node:fs";
        import { convert, explore } from "trellis-dxil";
        const shader = readFileSync("collatz.dxil");
        const spirv = await convert(shader);
        writeFileSync("collatz.spv", spirv);
        const answer = await explore(shader);
        if (!answer.output.text.includes("OpFunctionEnd")) throw new Error(answer.error.message);
        console.log(spirv.length, "bytes of SPIR-V");')
}

part_sbom() {
    cargo cyclonedx --version >/dev/null 2>&1 || cargo install --locked --quiet cargo-cyclonedx
    cargo cyclonedx --quiet --manifest-path cli/Cargo.toml --format json --override-filename trellis.cdx
    mv cli/trellis.cdx.json "$folder/trellis-$version.cdx.json"
    find . -name trellis.cdx.json -not -path './target/*' -delete
}

for part in "${parts[@]}"; do
    step "$part"
    "part_$part"
done

step "sums"
(cd "$folder" && sha256sum -- *[!S] >SHA256SUMS && cat SHA256SUMS && ls -l)
