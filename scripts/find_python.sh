#!/bin/sh
# Prints the Python to create the environment with: PYTHON3, or the first that is new enough and has venv.
set -eu

usable() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

for candidate in ${PYTHON3:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if usable "$candidate"; then
        command -v "$candidate"
        exit 0
    fi
done
exit 1
