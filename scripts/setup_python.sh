#!/bin/sh
# Creates .venv if it is missing, and installs a lock file into it: exactly those versions, with verified hashes.
set -eu
cd "$(dirname "$0")/.."
lock=$1

if [ ! -x .venv/bin/python ]; then
    "$(scripts/find_python.sh)" -m venv .venv
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement "$lock"
scripts/compile_python.sh .venv
