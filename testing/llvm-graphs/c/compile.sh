#!/usr/bin/env bash
# Compiles the C files to LLVM 14's bitcode again: ./compile.sh [CLANG]. The files are committed, so that tests need no compiler.
set -euo pipefail
cd "$(dirname "$0")"
clang=${1:-clang-14}
"$clang" --version | grep -q 'version 14\.' || { echo "$clang is not clang 14" >&2; exit 1; }
for file in *.c; do
    for level in 0 1 2; do
        mkdir -p "O$level"
        "$clang" --target=x86_64-unknown-linux-gnu -std=gnu11 -Wall -Wextra -Wno-implicit-fallthrough -ffreestanding -fno-vectorize -fno-slp-vectorize -fno-ident \
            "-O$level" -emit-llvm -c "$file" -o "O$level/${file%.c}.bc"
    done
done
