#!/usr/bin/env bash
# with-python.sh SCRIPT ARGUMENTS…: runs a Python script in a virtual environment of the target folder, with the
# packages of `requirements.txt` next to the script. Where they cannot be installed, it is skipped with a message.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(cd "$(dirname "$1")" && pwd)
venv="${CARGO_TARGET_DIR:-$root/target}/venv-$(basename "$folder")"
if ! python3 -m venv "$venv" >&2; then
    echo "skipped: $1: python3 cannot make virtual environments (Debian: python3-venv)"
elif ! "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$folder/requirements.txt"; then
    echo "skipped: $1: $folder/requirements.txt cannot be installed"
else
    "$venv/bin/python" "$@"
fi
