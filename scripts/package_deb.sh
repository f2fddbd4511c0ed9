#!/bin/sh
# Packages the build as .build/deputy_VERSION_ARCH.deb: command line, window, page, and the sidecar with its Python
# packages. The package depends on the Python version of this system's release.
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
arch=$(dpkg --print-architecture)
python=/usr/bin/python3
python_version=$($python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
python_next=$($python -c 'import sys; print("%d.%d" % (sys.version_info[0], sys.version_info[1] + 1))')
root=.build/deb/root
built=${BUILT:-target/release}
out=.build/deputy_${version}_${arch}.deb
lib=$root/usr/lib/deputy

rm -rf .build/deb
umask 022
mkdir -p "$root/DEBIAN" "$lib/venv/bin" "$root/usr/bin" "$root/usr/share/applications" "$root/usr/share/doc/deputy"

# The programs.
install -m 755 "$built/deputy" "$built/deputy-desktop" "$root/usr/bin/"
strip --strip-unneeded "$root"/usr/bin/*
for shell in bash:bash-completion/completions/deputy zsh:zsh/vendor-completions/_deputy fish:fish/vendor_completions.d/deputy.fish; do
    into=$root/usr/share/${shell#*:}
    mkdir -p "${into%/*}"
    "$root/usr/bin/deputy" completions "${shell%%:*}" >"$into"
done
# A man page for each command.
mkdir -p "$root/usr/share/man/man1"
"$root/usr/bin/deputy" man "$root/usr/share/man/man1"
gzip -9n "$root"/usr/share/man/man1/*.1

# The page, for browsers and phones. The window has its own copy inside.
cp -r dist "$lib/ui"

# The sidecar and its environment: exactly the locked packages, on top of the system's Python.
mkdir -p "$lib/sidecar"
cp -r sidecar/deputy_sidecar "$lib/sidecar/"
find "$lib" -name __pycache__ -prune -exec rm -rf {} +
site=$lib/venv/lib/python$python_version/site-packages
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary=:all: --no-compile \
    --python-version "$python_version" --target "$site" --requirement sidecar/requirements.lock
rm -rf "$site/bin"
ln -s "$python" "$lib/venv/bin/python"
printf 'home = /usr/bin\ninclude-system-site-packages = false\nversion = %s\n' "$python_version" >"$lib/venv/pyvenv.cfg"
# Compiled for the installed path, because nobody can write there later. Uses digests, because the build has no
# timestamps.
env -u PYTHONDONTWRITEBYTECODE $python -m compileall -q -j 0 --invalidation-mode unchecked-hash \
    -s "$root" -p / "$lib/sidecar" "$site" >/dev/null

# Desktop integration.
install -m 644 scripts/deb/deputy.desktop "$root/usr/share/applications/"
for size in 32 128 512; do
    install -D -m 644 "src-tauri/icons/$size.png" "$root/usr/share/icons/hicolor/${size}x$size/apps/deputy.png"
done
install -D -m 644 src/icon.svg "$root/usr/share/icons/hicolor/scalable/apps/deputy.svg"

# Allows user namespaces for confined commands, if AppArmor supports the rule (version 4) and the system requires it.
if [ -e /etc/apparmor.d/abi/4.0 ]; then
    install -D -m 644 scripts/deb/apparmor "$root/etc/apparmor.d/deputy"
    echo /etc/apparmor.d/deputy >"$root/DEBIAN/conffiles"
    install -m 755 scripts/deb/postinst "$root/DEBIAN/postinst"
fi

# Documentation and license.
install -m 644 LICENSE "$root/usr/share/doc/deputy/copyright"
gzip -9n <docs/changelog.md >"$root/usr/share/doc/deputy/changelog.gz"

# The programs' system dependencies, read from the binaries. The tray library is loaded at run time.
mkdir -p .build/deb/debian
printf 'Source: deputy\n\nPackage: deputy\nArchitecture: any\n' >.build/deb/debian/control
needs=$(cd .build/deb && dpkg-shlibdeps -O -eroot/usr/bin/deputy -eroot/usr/bin/deputy-desktop 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p')
cat >"$root/DEBIAN/control" <<END
Package: deputy
Version: $version
Architecture: $arch
Maintainer: The Deputy project <deputy@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Section: utils
Priority: optional
Depends: $needs, python3 (>= $python_version), python3 (<< $python_next), ca-certificates
Recommends: libayatana-appindicator3-1, bubblewrap, xdg-utils
Description: desktop agent for long tasks
 You hand it a task; it plans with whatever model you choose, works on your
 machine through a shell and your files, and asks before anything that matters.
 What it changed can be taken back.
END
# Lets `dpkg --verify` detect modified files.
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
dpkg-deb --root-owner-group -Zxz -z3 --build "$root" "$out" >/dev/null
echo "$out"
