#!/bin/sh
# Downloads Android's class stubs and the byte code compiler into .build/android. Debian had both until release 11;
# later releases have the other tools. They come from the same mirror as everything else, and their checksums are
# verified.
set -eu
cd "$(dirname "$0")/.."
folder=$PWD/.build/android
stubs=4475aa3fe1fc28bdb87ae6351d6ccff58f344a1b9e2fe685f7a6fee41ba68613
dexer=33fa9ae74e3fec5472170bde4e69e96d1fa46408ea4e4c3b657d255ab9199ee5

is_there() {
    printf '%s  %s\n%s  %s\n' "$stubs" "$folder/android-23.jar" "$dexer" "$folder/dx.jar" | sha256sum --check --status 2>/dev/null
}

if is_there; then
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder" "$work/parts" "$work/lists/partial" "$work/cache/archives/partial"
# The machine's own package sources, changed from its Debian release to release 11.
for source in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -e "$source" ] && grep -qE 'debian' "$source" || continue
    # shellcheck disable=SC1091
    sed -E "s/\b($(. /etc/os-release && printf %s "${VERSION_CODENAME:-bookworm}")|stable)\b/bullseye/g" "$source" >"$work/parts/$(basename "$source")"
done
apt() {
    apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" -o Dir::State::Lists="$work/lists" \
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}
if ! (apt update && cd "$work" && apt download libandroid-23-java dalvik-exchange) >&2; then
    echo "error: libandroid-23-java and dalvik-exchange of Debian 11 could not be had from this machine's package sources. Put
  android-23.jar and dx.jar out of them into $folder" >&2
    exit 1
fi
for package in "$work"/*.deb; do
    dpkg -x "$package" "$work/out"
done
cp "$work/out/usr/share/java/com.android.android-23.jar" "$folder/android-23.jar"
cp "$work/out/usr/share/java/com.android.dx-10.0.0.jar" "$folder/dx.jar"
is_there || { echo "error: the packages hold other files than the ones that were looked at; nothing was built with them" >&2; rm -f "$folder"/*.jar; exit 1; }
