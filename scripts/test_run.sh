#!/bin/sh
# Runs `make run` without a user: the sample inbox is tidied and restored exactly, and with TASK=report the report is
# correct.
set -eu
cd "$(dirname "$0")/.."
log=.build/test-run.log

# run ARGUMENTS...: runs `make run ARGUMENTS`, with its output in $log.
run() {
    status=0
    "${MAKE:-make}" --no-print-directory run "$@" </dev/null >"$log" 2>&1 || status=$?
    cat "$log"
    if [ "$status" != 0 ]; then
        echo "error: make run $* ended with exit code $status" >&2
        exit 1
    fi
}

run
for expected in "├── Projects/" "│   └── weather-station/" "steps done" "Taken back: all "; do
    if ! grep -qF "$expected" "$log"; then
        echo "error: make run did not print: $expected" >&2
        exit 1
    fi
done

run TASK=report
report=$(sed -n 's/^Report: //p' "$log")
.venv/bin/python scripts/check_report.py "$report"

# Any other task, in any other folder. Does not use the home of the user who runs the tests.
export DEPUTY_HOME="$PWD/.build/test-run-home"
run TASK="find the duplicate files" IN=samples/inbox
if ! grep -qF "with the same content" "$log"; then
    echo "error: make run TASK=... IN=... did not say what was found" >&2
    exit 1
fi
