#!/bin/sh
# Runs the workspace's tests; with nextest where that is installed, because it runs them side by side.
set -eu
if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --workspace
    exec cargo test --locked --workspace --doc
fi
exec cargo test --locked --workspace
