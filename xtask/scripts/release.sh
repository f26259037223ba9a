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
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$folder"

step() { printf '\n=== %s (%ss)\n' "$1" "$SECONDS"; }
skip() { echo "skipped: $1"; }
has_target() { rustup target add "$1" >/dev/null 2>&1 || [ -d "$(rustc --print target-libdir --target "$1")" ]; }
flags=${TRELLIS_PROFILE:+-Cprofile-use=$TRELLIS_PROFILE}
dist() { RUSTFLAGS="$flags" cargo build --locked --profile dist "$@"; }
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
# The same with the programs of the system, such as compilers and interpreters, but without repository and home folder.
with_system() {
    unshare --map-root-user --mount bash -euc '
        root=$1 python=$2
        shift 2
        for folder in /usr /etc /dev /proc "$python"; do
            mkdir -p "$root$folder"
            mount --rbind "$folder" "$root$folder"
        done
        for folder in /bin /sbin /lib /lib64; do
            [ ! -L "$folder" ] || cp -P "$folder" "$root"
        done
        mkdir -p "$root/tmp"
        exec env -i HOME=/ PATH="$python/bin:/usr/bin:/usr/sbin:/usr/lib/wine" chroot "$root" "$@"
    ' - "$1" "$(python3 -c 'import sys; print(sys.base_prefix)')" "${@:2}"
}

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

    tar -xzf "$folder/$name.tar.gz" -C "$scratch"
    xtask/scripts/walk.sh "$trellis"
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

    local wine root="$scratch/windows"
    wine=$(command -v wine64 || command -v wine || command -v /usr/lib/wine/wine64) || { skip "it is not run: no Wine"; return; }
    mkdir -p "$root"
    unzip -q "$folder/$name.zip" -d "$root"
    cp corpus/shaders/control_flow/collatz.dxil "$root"
    # Wine may lack it.
    x86_64-w64-mingw32-gcc -std=c11 -shared -o "$root/$name/bcryptprimitives.dll" capi/libtrellis/tests/c/bcryptprimitives.c -ladvapi32
    with_system "$root" env WINEPREFIX=/wine WINEDEBUG=-all "$wine" "/$name/trellis.exe" convert /collatz.dxil -o /collatz.spv 2>/dev/null
    test -s "$root/collatz.spv"
}

part_c() {
    local triple=x86_64-unknown-linux-gnu name="trellis-$version-x86_64-linux-c" prefix
    has_zig || { skip "the C libraries: no cargo-zigbuild or ziglang"; return; }
    PATH="$tools/bin:$PATH" RUSTFLAGS="$flags" cargo zigbuild --locked --profile dist --target $triple.2.28 \
        --package trellis-c --package trellis-dxil-spirv-c
    prefix="$scratch/$name"
    capi/libtrellis/install.sh "$prefix" "$target/$triple/dist"
    cp "$target/$triple/dist/libdxil_spirv_c_shared.so" "$prefix/lib/libdxil-spirv-c-shared.so.2"
    ln -s libdxil-spirv-c-shared.so.2 "$prefix/lib/libdxil-spirv-c-shared.so"
    cp "$target/$triple/dist/libdxil_spirv_c_shared.a" "$prefix/lib/libdxil-spirv-c-shared.a"
    pack "$name"

    # A user's machine has a C compiler.
    local user="$scratch/user-c"
    mkdir -p "$user"
    tar -xzf "$folder/$name.tar.gz" -C "$user"
    cp capi/libtrellis/examples/convert.c capi/dxil-spirv/tests/c/* corpus/shaders/cbuffers/dynamic_index.dxil "$user"
    with_system "$user" sh -euc '
        lib=$1/lib
        cc -I "$1/include" convert.c -o a -L "$lib" -ltrellis
        cc -I "$1/include" client.c -o b -L "$lib" -ldxil-spirv-c-shared
        for client in a b; do
            LD_LIBRARY_PATH=$lib ./$client dynamic_index.dxil $client.spv >/dev/null
            test -s $client.spv
        done' - "/$name"
}

part_debian() {
    local triple=x86_64-unknown-linux-musl root="$scratch/debian"
    [ -x "$target/$triple/dist/trellis" ] || { skip "the Debian package: the program for Linux is not there"; return; }
    cargo deb --version >/dev/null 2>&1 || cargo install --locked cargo-deb
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
        maturin build --locked --release --strip --zig --compatibility manylinux_2_28 --out "$folder")

    local user="$scratch/user"
    mkdir -p "$user"
    cp "$folder"/*.whl corpus/shaders/control_flow/collatz.dxil "$user"
    with_system "$user" sh -euc '
        python3 -m venv /venv
        /venv/bin/pip install --quiet --no-index --no-deps /*.whl
        /venv/bin/python -c "
import trellis
print(len(trellis.convert(open(\"/collatz.dxil\", \"rb\").read()).spirv), \"bytes of SPIR-V\")"'
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
    cargo build --locked --package trellis-explorer --bin trellis-explorer --profile page --target wasm32-wasip1
    mkdir -p "$name"
    cp explorer/npm/* LICENSE-MIT LICENSE-APACHE "$name"
    cp "$target/wasm32-wasip1/page/trellis-explorer.wasm" "$name/engine.wasm"
    { cat explorer/web/wasi.js; echo 'export { runWasi };'; } >"$name/wasi.js"
    sed -i "s/\"version\": \".*\"/\"version\": \"$version\"/" "$name/package.json"
    (cd "$name" && npm pack --silent --pack-destination "$folder" >/dev/null)

    local user="$scratch/user-npm"
    mkdir -p "$user/work"
    cp "$folder/trellis-dxil-$version.tgz" corpus/shaders/control_flow/collatz.dxil "$user/work"
    cat >"$user/work/use.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { convert, explore } from "trellis-dxil";
const shader = readFileSync("collatz.dxil");
const spirv = await convert(shader);
const answer = await explore(shader);
if (!answer.output.text.includes("OpFunctionEnd")) throw new Error(answer.error.message);
console.log(spirv.length, "bytes of SPIR-V");
JS
    with_system "$user" sh -euc 'cd /work; npm install --silent --offline --no-audit ./*.tgz; node use.mjs'
}

part_sbom() {
    cargo cyclonedx --version >/dev/null 2>&1 || cargo install --locked cargo-cyclonedx
    cargo cyclonedx --quiet --manifest-path cli/Cargo.toml --format json --override-filename trellis.cdx
    # Without the path of this clone.
    sed "s|path+file://$PWD|path+file:///trellis|" cli/trellis.cdx.json >"$folder/trellis-$version.cdx.json"
    python3 - "$folder/trellis-$version.cdx.json" <<'PY'
import json, sys
names = {part["name"] for part in json.load(open(sys.argv[1]))["components"]}
assert {"trellis-spirv-backend", "serde_json"} <= names, names
PY
    find . -name trellis.cdx.json -not -path './target/*' -delete
}

for part in "${parts[@]}"; do
    step "$part"
    "part_$part"
done

step "sums"
(cd "$folder" && sha256sum -- *[!S] >SHA256SUMS && cat SHA256SUMS && ls -l)
