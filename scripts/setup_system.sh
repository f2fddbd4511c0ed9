#!/bin/sh
# Installs missing dependencies for building and running. If that is not allowed, says exactly what to do.
set -eu
PATH=${CARGO_HOME:-$HOME/.cargo}/bin:$PATH

# The minimum versions. Rust's is `rust-version` in Cargo.toml. The version that rustup installs is pinned.
rust_needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
rust_pinned=$(sed -n 's/^channel = "\(.*\)"/\1/p' "$(dirname "$0")/../rust-toolchain.toml")
python_needed=3.11

has() {
    command -v "$1" >/dev/null 2>&1
}

# Returns whether version $1 is at least version $2.
at_least() {
    [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

# Returns whether a program or library is installed. Libraries are Java's, Android's, or described by NAME.pc.
has_wanted() {
    case $1 in
    *.pc) has pkg-config && pkg-config --exists "${1%.pc}" ;;
    *.jar | *.apk) [ -e "$1" ] ;;
    *) has "$1" ;;
    esac
}

has_python() {
    "$(dirname "$0")/find_python.sh" >/dev/null 2>&1
}

has_rust() {
    has cargo && at_least "$(cargo --version | cut -d ' ' -f 2)" "$rust_needed"
}

# Runs a command as root, if that is possible without a password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

can_install() {
    has apt-get && { [ "$(id -u)" = 0 ] || { has sudo && sudo -n true 2>/dev/null; }; }
}

# Installs packages. The SSH server is for tests, which start their own on loopback. The system's own is not started,
# neither now nor at the next boot.
install_packages() {
    policy=/usr/sbin/policy-rc.d
    made_policy=no
    case " $* " in
    *" openssh-server "*)
        if [ ! -e "$policy" ]; then
            printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
            as_root chmod 755 "$policy"
            made_policy=yes
        fi
        ;;
    esac
    status=0
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null || status=$?
    case " $* " in
    *" openssh-server "*)
        [ "$made_policy" = no ] || as_root rm -f "$policy"
        for unit in ssh.service ssh.socket; do
            as_root systemctl disable -q "$unit" >/dev/null 2>&1 || true
        done
        ;;
    esac
    return "$status"
}

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}

missing=""
has cc || missing="$missing build-essential"
has make || missing="$missing make"
has git || missing="$missing git"
has curl || has cargo || missing="$missing curl ca-certificates"
has_python || missing="$missing python3 python3-venv"
wanted="$missing"
has bwrap || wanted="$wanted bubblewrap"
# Further dependencies of some targets, as PROGRAM, PROGRAM:PACKAGE or LIBRARY.pc:PACKAGE.
for program in "$@"; do
    has_wanted "${program%%:*}" || wanted="$wanted ${program#*:}"
done

if [ -n "$wanted" ] && can_install; then
    echo "installing:$wanted"
    as_root apt-get update -qq
    # shellcheck disable=SC2086
    install_packages $wanted
elif [ -n "$missing" ]; then
    fail "these are missing and cannot be installed from here. As root, run:  apt-get install$wanted
  (on another system: a C compiler, make, git, curl, Python $python_needed or newer with venv, bubblewrap)"
fi
# Without a library, nothing can be built. Without a program, its test reports that.
for library in "$@"; do
    case $library in
    *.pc:*) has_wanted "${library%%:*}" || fail "${library#*:} is missing and cannot be installed from here. As root, run:  apt-get install ${library#*:}" ;;
    esac
done
has_python || fail "Python $python_needed or newer with the module venv is missing, and the system's packages offer an older one. Install it and name it: make PYTHON3=/path/to/python"
has bwrap || echo "note: bubblewrap is missing. Deputy works without it where the kernel has Landlock; \`deputy doctor\` says." >&2

# If the download fails, the message at the end says what to do.
if ! has_rust; then
    if has rustup; then
        rustup toolchain install "$rust_pinned" --profile minimal --component clippy,rustfmt || true
        # Also outside this folder, where tests use it as a user would.
        rustup default >/dev/null 2>&1 || rustup default "$rust_pinned" || true
    elif has curl; then
        echo "installing Rust for this user"
        curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs |
            sh -s -- -y --default-toolchain "$rust_pinned" --profile minimal --component clippy,rustfmt --no-modify-path || true
    fi
fi
has_rust || fail "Rust $rust_needed or newer is missing and could not be installed. Install Rust $rust_pinned with rustup (https://rustup.rs), then run make again"
