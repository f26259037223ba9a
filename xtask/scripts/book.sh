#!/usr/bin/env bash
# Builds the book of `docs/` with mdbook, with the explorer's page in it, and checks the links of its pages.
#   book.sh [FOLDER]      FOLDER is `book` in the target folder by default
# Without mdbook, cargo compiles it into the target folder, without what the book does not need (search, a server).
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
book=$(realpath -m "${1:-$target/book}")
version=0.5.4
tools="$target/tools/mdbook-$version"
PATH="$PATH:$tools/bin"

if ! command -v mdbook >/dev/null; then
    # The book is small: the time until the program is there counts, and not its speed.
    if ! CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_DEBUG=0 cargo install --locked --quiet mdbook \
        --version "$version" --no-default-features --root "$tools" --target-dir "$tools/build"; then
        echo "skipped: mdbook cannot be installed"
        exit 0
    fi
    rm -rf "$tools/build"
fi

rm -rf "$book"
mdbook build docs --dest-dir "$book"
${TRELLIS_XTASK:-cargo xtask} explorer --output "$book/explorer/index.html"
if [ ! -e "$book/explorer/index.html" ]; then
    mkdir -p "$book/explorer"
    echo '<!doctype html><meta charset="utf-8"><title>The explorer</title>
<p>This book was built without the explorer: <code>rustup target add wasm32-wasip1</code> was missing.' >"$book/explorer/index.html"
fi

# Each link leads to a file of the book or to another server. The explorer's page has scripts with what looks like links.
cd "$book"
dead=$(grep -roE '(href|src)="[^"#?]+' --include='*.html' --exclude-dir=explorer . | sed -E 's/:(href|src)="/ /' \
    | grep -vE ' (/|\$|\+|data:|.*://)' | sort -u | while read -r page link; do
    [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
done)
if [ -n "$dead" ]; then
    printf 'links to no file of the book:\n%s\n' "$dead" >&2
    exit 1
fi
echo "$book/index.html"
