#!/bin/sh
# Runs the workspace's tests with nextest, in parallel, and reports every failure; with cargo's own runner where nextest
# is missing. Further arguments go to nextest.
#
#   cargo_test.sh                    what must pass before a change lands (the profile `short` in .config/nextest.toml)
#   cargo_test.sh --all              every test at full length
#   cargo_test.sh --quick ARGUMENTS  the tests of some packages, without those that take long
set -eu
# A single variable repeats every random test. proptest has its own name for it.
[ -z "${SEED:-}" ] || export PROPTEST_RNG_SEED="$SEED"
[ -z "${SEED:-}" ] || echo "SEED=$SEED"
profile=short
case ${1:-} in
--all) profile=default && shift && export DEPUTY_TESTS=all ;;
--quick) profile=quick && shift ;;
esac
if ! cargo nextest --version >/dev/null 2>&1; then
    [ "$profile" = quick ] || set -- --workspace --no-fail-fast "$@"
    exec cargo test --locked "$@"
fi
[ "$profile" = quick ] || set -- --workspace "$@"
# Half of the tests' time is spent waiting for child processes, so twice as many tests run as there are processors.
status=0
cargo nextest run --locked --no-fail-fast --no-tests pass --profile "$profile" \
    --test-threads "$(($(nproc) * 2))" "$@" || status=$?
[ -z "${JUNIT_DIR:-}" ] || cp "${CARGO_TARGET_DIR:-target}/nextest/$profile/junit.xml" "$JUNIT_DIR/nextest.xml"
[ "$profile" != default ] || [ $# -gt 1 ] || cargo test --locked --workspace --doc || status=$?
exit "$status"
