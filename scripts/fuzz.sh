#!/bin/sh
# Fuzzes each target for a bounded time. SECONDS_EACH and TARGETS may be given.
set -eu
cd "$(dirname "$0")/.."

if ! cargo fuzz --version >/dev/null 2>&1 || ! cargo +nightly --version >/dev/null 2>&1; then
    echo "fuzzing needs a nightly compiler and cargo-fuzz; install them with" >&2
    echo "    rustup toolchain install nightly && cargo install --locked cargo-fuzz" >&2
    echo "without them: DEPUTY_SMOKE=1000000 cargo test --release -p deputy-policy --test smoke" >&2
    exit 1
fi
for target in ${TARGETS:-shell paths urls rules}; do
    cargo +nightly fuzz run "$target" -- -max_total_time="${SECONDS_EACH:-60}" -max_len=4096 -timeout=10 -rss_limit_mb=2048
done
