#!/bin/sh
# Runs `make run` as it stands, without a person, and checks the report that it writes.
set -eu
cd "$(dirname "$0")/.."
log=.build/test-run.log

status=0
"${MAKE:-make}" --no-print-directory run </dev/null >"$log" 2>&1 || status=$?
cat "$log"
if [ "$status" != 0 ]; then
    echo "error: make run ended with exit code $status" >&2
    exit 1
fi
report=$(sed -n 's/^Report: //p' "$log")
.venv/bin/python scripts/check_report.py "$report"
