#!/bin/sh
# Runs the workspace's tests, with nextest if it is installed, because it runs them in parallel. `--quick ARGUMENTS`
# runs the tests of some packages, without those that measure the whole machine for minutes.
set -eu
# A single variable repeats every random test. proptest has its own name for it.
[ -z "${SEED:-}" ] || export PROPTEST_RNG_SEED="$SEED"
if [ "${1:-}" = --quick ]; then
    shift
    if cargo nextest --version >/dev/null 2>&1; then
        exec cargo nextest run --locked --no-tests pass --profile quick "$@"
    fi
    exec cargo test --locked "$@"
fi
if cargo nextest --version >/dev/null 2>&1; then
    # Half of the tests' time is spent waiting for child processes, so twice as many tests run as there are
    # processors.
    cargo nextest run --locked --workspace --test-threads "$(($(nproc) * 2))"
    exec cargo test --locked --workspace --doc
fi
exec cargo test --locked --workspace
