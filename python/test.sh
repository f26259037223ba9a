#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it in a fresh virtual environment, and runs the tests, the type
# checker, and the comparison of the stubs with the native module.
#   python/test.sh [--ray] [ARGUMENTS OF PYTEST]
# --ray runs the tests on a cluster, with Ray, instead of the others. PYTHON names the interpreter. Where it cannot
# make an environment or install the packages, the tests are skipped with a message.
set -euo pipefail
cd "$(dirname "$0")"
target="${CARGO_TARGET_DIR:-$PWD/target}"
requirements=(--requirement requirements.txt)
tests=(tests --ignore=tests/test_cluster.py)
venv="$target/venv"
if [ "${1:-}" = --ray ]; then
    shift
    requirements+=(--requirement requirements-ray.txt)
    tests=(tests/test_cluster.py)
    venv="$target/venv-ray"
fi

if ! "${PYTHON:-python3}" -m venv --clear "$venv"; then
    echo "skipped: ${PYTHON:-python3} is not installed or cannot make virtual environments (Debian: python3-venv)"
    exit 0
fi
export VIRTUAL_ENV="$venv" PATH="$venv/bin:$PATH" PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
if ! pip install --quiet "${requirements[@]}"; then
    echo "skipped: ${requirements[*]}: the packages cannot be installed"
    exit 0
fi
# Another version may be there from before.
rm -rf "$target/wheels"
maturin build --profile dev --quiet --out "$target/wheels"
pip install --quiet --no-deps "$target"/wheels/*.whl
python -m pytest "${tests[@]}" "$@"
if [ "$venv" = "$target/venv" ]; then
    python -m doctest README.md
    python -m mypy
    python -m mypy.stubtest --mypy-config-file pyproject.toml trellis._native
fi
