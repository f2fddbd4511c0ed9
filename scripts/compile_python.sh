#!/bin/sh
# Compiles a folder's modules to bytecode, which halves the sidecar's start, whatever the environment says.
set -eu
cd "$(dirname "$0")/.."
# A package may carry files for another Python, as test data or templates; they need not compile.
env -u PYTHONDONTWRITEBYTECODE .venv/bin/python -m compileall -q -j 0 "$1" >/dev/null || true
