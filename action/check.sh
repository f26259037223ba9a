#!/usr/bin/env bash
# Lints the scripts of the GitHub Action, and holds action.yml against the schema of actions and its documentation
# against action.yml. What needs a program that cannot be installed is skipped with a message.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v shellcheck >/dev/null; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends shellcheck >/dev/null; } 2>/dev/null || true
fi
if command -v shellcheck >/dev/null; then
    shellcheck action/*.sh
else
    echo "skipped: the lints of action/*.sh, since shellcheck cannot be installed"
fi

# Its package has the schema of SchemaStore, so that nothing is loaded from there.
tools=${CARGO_TARGET_DIR:-target}/tools/check-jsonschema
if [ ! -x "$tools/bin/check-jsonschema" ]; then
    mkdir -p "$tools"
    { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet check-jsonschema==0.39.0; } >/dev/null 2>&1 ||
        rm -rf "$tools"
fi
if [ -x "$tools/bin/check-jsonschema" ]; then
    "$tools/bin/check-jsonschema" --builtin-schema vendor.github-actions action.yml
    # A schema that takes anything would pass, too.
    wrong=$(mktemp --suffix .yml)
    sed 's/using: composite/using: compost/' action.yml >"$wrong"
    if "$tools/bin/check-jsonschema" --builtin-schema vendor.github-actions "$wrong" >/dev/null; then
        echo "the schema of actions accepts a wrong action"
        exit 1
    fi
    rm "$wrong"
else
    echo "skipped: the schema of action.yml, since check-jsonschema cannot be installed"
fi
