#!/bin/sh
# Compiles a folder's modules to bytecode, which halves the sidecar's startup time, regardless of the environment.
set -eu
cd "$(dirname "$0")/.."
# A package may contain files for another Python version, as test data or templates. They do not have to compile.
env -u PYTHONDONTWRITEBYTECODE .venv/bin/python -m compileall -q -j 0 "$1" >/dev/null || true
