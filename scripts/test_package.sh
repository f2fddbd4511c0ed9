#!/bin/sh
# Installs the package in a clean Debian, uses it as an ordinary user, and removes it. Needs root.
set -eu
cd "$(dirname "$0")/.."
package=$(ls -t .build/deputy_*.deb | head -n 1)
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# Outside the checkout, because tools that scan the checkout would scan a whole Debian.
root=${CLEAN_ROOT:-/var/tmp/deputy-clean-debian}

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}

# Runs a command in the clean Debian; `as_user` runs it without root rights.
in_root() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}
as_user() {
    in_root setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs env HOME=/home/me "$@"
}
# Lists all files except the package manager's own state.
listed() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/cache \
        -o -path ./var/log -o -path ./tmp -o -path ./home \) -prune -o -print | sort)
}
unmount() {
    umount "$root/proc" 2>/dev/null || true
}
trap unmount EXIT

[ "$(id -u)" = 0 ] || fail "a clean Debian can only be made as root"
if [ ! -x "$root/usr/bin/dpkg" ]; then
    mirror=$(sed -n 's/^URIs: //p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        head -n 1)
    debootstrap --variant=minbase "$codename" "$root" "$mirror" >/dev/null
fi
mount -t proc proc "$root/proc"
grep -q '^me:' "$root/etc/passwd" || in_root useradd --create-home --uid 1000 me

# The package's dependencies are installed first, so that the comparison covers only the package.
needs=$(dpkg-deb --field "$package" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g')
# shellcheck disable=SC2086
in_root apt-get install -y -qq --no-install-recommends $needs xvfb xauth dbus procps desktop-file-utils >/dev/null
listed >.build/before

cp "$package" "$root/tmp/deputy.deb"
in_root apt-get install -y -qq --no-install-recommends /tmp/deputy.deb >/dev/null
in_root desktop-file-validate /usr/share/applications/deputy.desktop
echo "installed: $(in_root dpkg-query -W -f '${Package} ${Version}, ${Installed-Size} kB' deputy)"
in_root dpkg --verify deputy
in_root bash -n /usr/share/bash-completion/completions/deputy
grep -q "^#compdef deputy" "$root/usr/share/zsh/vendor-completions/_deputy" || fail "the completions for zsh are missing"
grep -q "complete -c deputy" "$root/usr/share/fish/vendor_completions.d/deputy.fish" || fail "the completions for fish are missing"
for page in deputy deputy-run deputy-organize deputy-policy-check; do
    [ -s "$root/usr/share/man/man1/$page.1.gz" ] || fail "the manual page $page is missing"
done
for size in 32x32 128x128 512x512; do
    [ -s "$root/usr/share/icons/hicolor/$size/apps/deputy.png" ] || fail "the icon of $size is missing"
done
# The package registers the handler for links, without any action by the user.
grep -q "x-scheme-handler/deputy=deputy.desktop" "$root/usr/share/applications/mimeinfo.cache" || fail "links do not find the window"

as_user deputy --version
as_user mkdir -p /home/me/papers
as_user sh -c 'echo hello >/home/me/papers/note.txt'
as_user deputy run "Which files in this folder are the largest?" --in /home/me/papers | tee .build/said
grep -q note.txt .build/said || fail "the sidecar did not plan"

# A user's own backend, from the documentation, without rights outside the user's home.
as_user mkdir -p /home/me/.local/share/deputy/backends
awk '/^```python/ { on = 1; next } /^```/ { on = 0 } on' docs/backends.md >"$root/home/me/.local/share/deputy/backends/echo.py"
in_root chown -R 1000:1000 /home/me
as_user deputy backends list | tee .build/said
grep -q echo .build/said || fail "the user's own backend is not found"

# The window starts and becomes the host.
as_user sh -ec 'LIBGL_ALWAYS_SOFTWARE=1 DEPUTY_LOG=info xvfb-run -a dbus-run-session -- \
    timeout 120 deputy-desktop 2>/tmp/window.log &
    for each in $(seq 100); do
        if grep -q "line stands" /tmp/window.log; then break; fi
        sleep 0.3
    done
    grep "line stands" /tmp/window.log
    deputy serve 2>&1 | grep "serves .* already"
    pkill -TERM -u 1000 -x deputy-desktop
    wait' ||
    fail "the window did not open"

in_root apt-get purge -y -qq deputy >/dev/null
listed >.build/after
diff .build/before .build/after || fail "the package leaves something behind"
[ -f "$root/home/me/.local/share/deputy/deputy.db" ] || fail "the user's data went with the package"
echo "installed, used and removed without a trace but the user's own"
