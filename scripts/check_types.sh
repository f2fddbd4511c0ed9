#!/bin/sh
# Checks the types of all Python code. Each folder is a program of its own with its own modules, hence one run each; a
# failure in one does not hide those in the others.
set -u
cd "$(dirname "$0")/.."
python=$PWD/.venv/bin/python
status=0

# types PATH ARGUMENTS...: checks with these folders on the path of imports.
types() {
    path=$1
    shift
    MYPYPATH=$path "$python" -m mypy --strict "$@" || status=1
}

(cd sidecar && "$python" -m mypy) || status=1
types tests/drive:tests/parity tests/parity
types tests/drive:tests/sessions tests/sessions
types tests/drive:tests/situations:sidecar:sidecar/tests tests/situations
types tests/drive:tests/web tests/drive tests/web
types tests/mirror --exclude samples/inbox/ samples scripts
types tests/window tests/window
types tests/mirror mobile/android/core/test
types tests/mirror:mobile/android/core/test mobile/android/shell/test
exit "$status"
