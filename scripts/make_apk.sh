#!/bin/sh
# Builds the Android app into dist/m/deputy.apk: pages, Java and resources, aligned, and signed with this machine's
# key.
set -eu
cd "$(dirname "$0")/.."
tools=.build/android
android=mobile/android
work=.build/apk
resources=/usr/share/android-framework-res/framework-res.apk
zxing=/usr/share/java/core.jar
# Outside the repository: anyone with the key can replace the app on every phone that installed it.
keys=${DEPUTY_APK_KEYS:-${XDG_DATA_HOME:-$HOME/.local/share}/deputy-apk}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# Android does not install older versions. The code of version 1.2.3 is 1002004.
code=$(echo "$version" | awk -F. '{ printf "%d", $1 * 1000000 + $2 * 1000 + $3 + 1 }')

rm -rf "$work"
mkdir -p "$work/classes" "$work/dex" "$work/java" "$work/assets/m/assets"

# The built pages, without files that only a server needs.
for file in dist/m/index.html dist/m/assets/*; do
    case $file in
    *.br | *.map) ;;
    *) cp "$file" "$work/assets/${file#dist/}" ;;
    esac
done

# Gradle has the package name in its own file, but `aapt2` needs it in the manifest.
sed 's/<manifest /<manifest package="dev.deputy.phone" /' "$android/shell/AndroidManifest.xml" >"$work/AndroidManifest.xml"
aapt2 compile --dir "$android/shell/res" -o "$work/res.zip"
# Debian's `aapt2` is older than `<queries>`: it packs the element and warns. Any other warning is an error.
aapt2 link --warn-manifest-validation -o "$work/plain.apk" -I "$resources" --manifest "$work/AndroidManifest.xml" --java "$work/java" --custom-package dev.deputy.phone.shell \
    -A "$work/assets" --version-name "$version" --version-code "$code" --min-sdk-version 26 --target-sdk-version 34 --auto-add-overlay "$work/res.zip" 2>"$work/warnings"
if grep -v 'unexpected element <queries> found in <manifest>' "$work/warnings" >&2; then exit 1; fi

[ "$tools/later.jar" -nt "$android/shell/stubs/later.txt" ] ||
    java -cp /usr/share/java/asm.jar "$android/shell/stubs/Later.java" "$tools/android-23.jar" "$android/shell/stubs/later.txt" "$tools/later.jar"
javac --release 8 -Xlint:all,-options,-serial,-deprecation,-classfile -Werror -proc:none -cp "$tools/later.jar:$zxing" -d "$work/classes" \
    $(find "$android/core/src" "$android/shell/src" "$work/java" -name '*.java')
# Only the part of the library that reads QR codes.
(cd "$work/classes" && jar -xf "$zxing" com/google/zxing/qrcode com/google/zxing/common && jar -xf "$zxing" $(jar -tf "$zxing" | grep -E '^com/google/zxing/[A-Za-z]+\.class$'))
rm -rf "$work/classes/com/google/zxing/qrcode/encoder" "$work/classes/com/google/zxing/qrcode/QRCodeWriter.class"
java -cp "$tools/dx.jar" com.android.dx.command.Main --dex --min-sdk-version=26 --output="$work/dex/classes.dex" "$work/classes"
(cd "$work/dex" && zip -q ../plain.apk classes.dex)

if [ ! -e "$keys/deputy.p12" ]; then
    mkdir -p "$keys"
    chmod 700 "$keys"
    (umask 077 && head -c 24 /dev/urandom | base64 | tr -d '\n' >"$keys/password")
    (umask 077 && keytool -genkeypair -keystore "$keys/deputy.p12" -storetype PKCS12 -alias deputy -keyalg EC -groupname secp256r1 \
        -validity 10950 -dname CN=Deputy -storepass:file "$keys/password" 2>/dev/null)
    echo "made the key that signs the app: $keys. Keep a copy: an app that is signed with another one does not replace it." >&2
fi
rm -f "$work/aligned.apk"
zipalign -p 4 "$work/plain.apk" "$work/aligned.apk"
apksigner sign --ks "$keys/deputy.p12" --ks-pass "file:$keys/password" --ks-key-alias deputy --min-sdk-version 26 \
    --v4-signing-enabled false --out "$work/deputy.apk" "$work/aligned.apk"
mv "$work/deputy.apk" dist/m/deputy.apk
size=$(stat -c %s dist/m/deputy.apk)
sum=$(sha256sum dist/m/deputy.apk | cut -d ' ' -f 1)
printf '{"version":"%s","bytes":%s,"sha256":"%s"}\n' "$version" "$size" "$sum" >dist/m/deputy.json
echo "dist/m/deputy.apk: $size bytes"
