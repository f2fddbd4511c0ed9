#!/bin/sh
# Fuzzes each target for a limited time, guided by coverage. SECONDS_EACH and TARGETS are optional.
#
# The targets are built with the compiler's own coverage pass and linked with libFuzzer. `cargo fuzz` would do the
# same, but would have to be installed. Interesting inputs are kept in fuzz/corpus, failures in fuzz/artifacts.
set -eu
cd "$(dirname "$0")/.."

# fuzz TARGET...: builds the targets, then runs each.
fuzz() (
    # No sanitizer: policy has no unsafe code to check, and without a sanitizer a target runs several times as often.
    # Uses a separate folder, because these flags would rebuild everything else.
    export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Cdebug-assertions"
    export CARGO_TARGET_DIR="$PWD/.build/fuzz/target"
    # With `--target`, the flags do not apply to build scripts and macros.
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
# The list is split into words on purpose.
# shellcheck disable=SC2086
[ -z "$guided" ] || fuzz $guided
# Compares what policy allows with the real programs under a system call trace, each for the same time.
if [ "$programs" = yes ]; then
    DEPUTY_FUZZ_SECONDS="${SECONDS_EACH:-60}" cargo test --locked --workspace --test differential -- \
        --nocapture --test-threads=2
fi
