#!/bin/sh
# Fuzzes each target for a bounded time, guided by coverage. SECONDS_EACH and TARGETS may be given.
#
# The compiler's coverage flags count as unstable, so a stable compiler is told that it may use them; nothing here gets
# into what is built to be used. What was found interesting stays in fuzz/corpus, what failed in fuzz/artifacts.
set -eu
cd "$(dirname "$0")/.."

export PATH="$PWD/.build/fuzz/bin:$PATH"
cargo fuzz --version >/dev/null 2>&1 || cargo install --locked --root .build/fuzz cargo-fuzz
export RUSTC_BOOTSTRAP=1
# Policy has no unsafe code of its own for a sanitizer to look at; without one it runs several times as often.
# A folder of its own, since its flags would have everything else built anew.
export CARGO_TARGET_DIR="$PWD/.build/fuzz/target"
for target in ${TARGETS:-shell paths urls rules}; do
    cargo fuzz run --sanitizer none "$target" -- \
        -max_total_time="${SECONDS_EACH:-60}" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
done
