#!/bin/sh
# Runs the workspace's tests; with nextest where that is installed, because it runs them side by side.
# `--quick ARGUMENTS` runs those of some packages, without what measures the whole machine for minutes.
set -eu
# One variable repeats every random test; proptest has a name of its own for it.
[ -z "${SEED:-}" ] || export PROPTEST_RNG_SEED="$SEED"
if [ "${1:-}" = --quick ]; then
    shift
    if cargo nextest --version >/dev/null 2>&1; then
        exec cargo nextest run --locked --no-tests pass --profile quick "$@"
    fi
    exec cargo test --locked "$@"
fi
if cargo nextest --version >/dev/null 2>&1; then
    # Half of the tests' time is waiting for programs that they started, so twice as many run as there are processors.
    cargo nextest run --locked --workspace --test-threads "$(($(nproc) * 2))"
    exec cargo test --locked --workspace --doc
fi
exec cargo test --locked --workspace
