#!/bin/sh
# Checks and tests what changed since BASE (default: the last commit, or the uncommitted changes): a quick check
# before a commit. It does not replace `make check test`.
set -eu
cd "$(dirname "$0")/.."
base=${BASE:-}
if [ -z "$base" ]; then
    if [ -n "$(git status --porcelain)" ]; then base=HEAD; else base=HEAD~1; fi
fi
changed=$(git diff --name-only "$base" && git ls-files --others --exclude-standard)

# touches PATTERN: returns whether a changed path matches.
touches() {
    printf '%s\n' "$changed" | grep -qE "$1"
}

# The packages of the changed Rust files, as arguments.
packages=$(printf '%s\n' "$changed" | sed -nE 's#^crates/([^/]+)/.*#deputy-\1#p; s#^tests/(end_to_end|security|src|Cargo.toml).*#deputy-tests#p' |
    sort -u | sed 's/^/--package /')

if touches '\.rs$|Cargo\.(toml|lock)$|^crates/|^migrations/'; then
    cargo fmt --all --check
    cargo xtask tidy
    # The list is split into words on purpose.
    # shellcheck disable=SC2086
    [ -z "$packages" ] || scripts/cargo_test.sh --quick $packages
fi
if touches '^sidecar/'; then
    (cd sidecar && ../.venv/bin/python -m ruff check . && ../.venv/bin/python -m mypy && ../.venv/bin/python -m pytest -q)
fi
if touches '^(samples|scripts)/.*\.py$|^tests/(mirror|window|parity)/'; then
    .venv/bin/python -m ruff check samples scripts tests/mirror tests/window
fi
if touches '^src/|^tests/browser/|\.(ts|tsx|json)$'; then
    npm run --silent check
    npx vitest run --changed "$base"
fi
