#!/bin/sh
# Builds one of the crates' benches with optimization and runs it: NAME ARGUMENTS. `--path NAME` prints its path
# instead. `cargo bench` would pass additional arguments.
set -eu
path=no
if [ "${1:-}" = --path ]; then
    path=yes
    shift
fi
name=${1:?name a bench: one of the files in crates/*/benches}
shift
built=$(cargo bench --locked --workspace --no-run --bench "$name" --message-format json |
    sed -n "s#.*\"executable\":\"\([^\"]*/$name-[^\"/]*\)\".*#\1#p")
if [ "$path" = yes ]; then
    echo "$built"
else
    exec "$built" "$@"
fi
