#!/bin/sh
# Fuzzes each target for a bounded time, guided by coverage. SECONDS_EACH and TARGETS may be given.
#
# The targets are built with the compiler's own coverage pass and linked with libFuzzer, which is all that `cargo fuzz`
# would do here; so nothing has to be installed. What was found interesting stays in fuzz/corpus, what failed in
# fuzz/artifacts.
set -eu
cd "$(dirname "$0")/.."

# fuzz TARGET...: builds them, then runs each.
fuzz() (
    # No sanitizer: policy has no unsafe code of its own for one to look at, and without it a target runs several times
    # as often. A folder of its own, since these flags would have everything else built anew.
    export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Cdebug-assertions"
    export CARGO_TARGET_DIR="$PWD/.build/fuzz/target"
    # With `--target` the flags leave build scripts and macros alone.
    host=$(rustc -vV | sed -n 's/^host: //p')
    cargo build --locked --release --target "$host" --manifest-path fuzz/Cargo.toml
    for target in "$@"; do
        mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
        "$CARGO_TARGET_DIR/$host/release/$target" "fuzz/corpus/$target" -artifact_prefix="fuzz/artifacts/$target/" \
            -max_total_time="${SECONDS_EACH:-60}" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
    done
)

guided=""
programs=no
for target in ${TARGETS:-shell paths urls rules programs}; do
    case $target in
    programs) programs=yes ;;
    *) guided="$guided $target" ;;
    esac
done
# The list is made of words on purpose.
# shellcheck disable=SC2086
[ -z "$guided" ] || fuzz $guided
# What policy allows, held against the real programs under a system-call trace: each of them for as long.
if [ "$programs" = yes ]; then
    DEPUTY_FUZZ_SECONDS="${SECONDS_EACH:-60}" cargo test --locked --workspace --test differential -- \
        --nocapture --test-threads=2
fi
