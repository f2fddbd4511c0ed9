#!/bin/sh
# Installs Node and npm, which build and test the page. If that is not allowed, says exactly what to do.
set -eu

# The minimum version for the page's build tool.
node_needed=20.19

at_least() {
    [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

has_node() {
    command -v npm >/dev/null 2>&1 && command -v node >/dev/null 2>&1 &&
        at_least "$(node --version | tr -d v)" "$node_needed"
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

if ! has_node && command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
    echo "installing: nodejs npm"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null || true
fi
if ! has_node; then
    echo "error: Node $node_needed or newer with npm is missing, and the system's packages offer none that will do.
  Install it (https://nodejs.org), then run make again. The command line works without it; only the page needs it." >&2
    exit 1
fi
