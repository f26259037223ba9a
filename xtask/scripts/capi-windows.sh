#!/usr/bin/env bash
# Builds both C libraries for Windows, compiles their programs in C with mingw-w64, with the static library and with
# the DLL, and runs the ones of 64 bits in Wine. They write the same as on this machine, where tests compare them with
# the Rust API. What is not installed is skipped with a message.
set -euo pipefail
cd "$(dirname "$0")/../.."
target="${CARGO_TARGET_DIR:-target}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# With the folder of Wine, of which each user has one of 800 MB.
export WINEPREFIX="$folder/wine" WINEDEBUG=-all

flags=(-std=c11 -Wall -Wextra -Werror)
# What Rust's library needs of Windows (`rustc --print native-static-libs`).
windows=(-static-libgcc -lkernel32 -lntdll -luserenv -lws2_32 -ldbghelp)
# The library, its headers, its program, and the shader that the program translates.
clients="\
trellis capi/libtrellis/include capi/libtrellis/examples/convert.c buffers/counters
dxil_spirv_c_shared capi/dxil-spirv/tests/c capi/dxil-spirv/tests/c/client.c cbuffers/dynamic_index"

build() {
    CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0 \
        cargo build --quiet --package trellis-c --package trellis-dxil-spirv-c "$@"
}

check() {
    local triple=$1 compiler=$2 wine=$3 library headers source shader form
    if ! command -v "$compiler" >/dev/null; then
        echo "$triple: skipped: no $compiler (Debian: gcc-mingw-w64)"
        return
    fi
    if [ ! -d "$(rustc --print target-libdir --target "$triple")" ]; then
        echo "$triple: skipped: no Rust libraries (rustup target add $triple)"
        return
    fi
    build --target "$triple"
    # Wine may lack it.
    "$compiler" -std=c11 -shared -o "$folder/bcryptprimitives.dll" capi/libtrellis/tests/c/bcryptprimitives.c -ladvapi32
    while read -r library headers source shader; do
        cp "$target/$triple/debug/$library.dll" "$folder"
        for form in a dll.a; do
            "$compiler" "${flags[@]}" -I "$headers" "$source" -o "$folder/$library.exe" \
                "$target/$triple/debug/lib$library.$form" "${windows[@]}"
            if [ -z "$wine" ]; then
                echo "$triple: lib$library.$form: linked"
                continue
            fi
            rm -f "$folder/$library.spv"
            "$wine" "$folder/$library.exe" "corpus/shaders/$shader.dxil" "$folder/$library.spv" >/dev/null
            cmp "$folder/$library.spv" "$folder/native-$library.spv"
            echo "$triple: lib$library.$form: linked, the words are right"
        done
    done <<<"$clients"
    [ -n "$wine" ] || echo "$triple: skipped: no Wine that runs its programs"
}

wine=$(command -v wine64 /usr/lib/wine/wine64 wine | head -n 1) || true
if [ -n "$wine" ]; then
    build
    while read -r library headers source shader; do
        cc "${flags[@]}" -I "$headers" "$source" -o "$folder/native" "$target/debug/lib$library.a" -lpthread -ldl -lm
        "$folder/native" "corpus/shaders/$shader.dxil" "$folder/native-$library.spv" >/dev/null
    done <<<"$clients"
fi
check x86_64-pc-windows-gnu x86_64-w64-mingw32-gcc "$wine"
check i686-pc-windows-gnu i686-w64-mingw32-gcc ""
