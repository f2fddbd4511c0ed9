"""Tests the built app: signature, size, permissions, exported components and texts.

No Android is involved. The byte code of the APK's connection is converted back to Java byte code and run
here.
"""

from __future__ import annotations

import re
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from deputy import serving, steps
from phone import CORE, LIBRARIES, Java, pair, start

ROOT = Path(__file__).parents[4]
APK = ROOT / "dist/m/deputy.apk"
SHELL = ROOT / "mobile/android/shell"


def run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def documented(heading: str) -> list[str]:
    """Returns the first column of the table below a heading of docs/mobile.md."""
    text = (ROOT / "docs/mobile.md").read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)


def test_it_is_small_aligned_and_signed_in_the_ways_that_android_checks() -> None:
    assert APK.stat().st_size < 3_000_000
    said = run("apksigner", "verify", "--verbose", "--min-sdk-version", "26", APK)
    assert "Verified using v2 scheme (APK Signature Scheme v2): true" in said
    assert "Verified using v3 scheme (APK Signature Scheme v3): true" in said
    assert "Verification successful" in run("zipalign", "-c", "-v", "-p", "4", APK)
    with zipfile.ZipFile(APK) as apk:
        # Required by Android 11 and later.
        assert apk.getinfo("resources.arsc").compress_type == zipfile.ZIP_STORED


def test_the_key_that_signs_is_not_in_the_repository() -> None:
    kept = run("git", "-C", ROOT, "ls-files")
    assert not re.search(r"\.(p12|jks|keystore|pem|key)$", kept, re.MULTILINE)


def test_it_says_what_the_manual_says() -> None:
    badging = run("aapt", "dump", "badging", APK)
    assert re.findall(r"uses-permission: name='([^']+)'", badging) == [
        f"android.permission.{name}" for name in documented("Permissions")
    ]
    assert "sdkVersion:'26'" in badging
    assert "targetSdkVersion:'34'" in badging
    assert "package: name='dev.deputy.phone'" in badging
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert version
    assert f"versionName='{version[1]}'" in badging
    assert "locales: '--_--' 'de'" in badging


@pytest.fixture(scope="session")
def manifest() -> ElementTree.Element:
    """Parses the manifest from the output of `aapt2`, in which the indentation gives the depth."""
    root = ElementTree.Element("root")
    path = [(-1, root)]
    for text in run("aapt2", "dump", "xmltree", "--file", "AndroidManifest.xml", APK).splitlines():
        depth = len(text) - len(text.lstrip())
        if element := re.match(r"\s*E: ([\w-]+)", text):
            while path[-1][0] >= depth:
                path.pop()
            path.append((depth, ElementTree.SubElement(path[-1][1], element[1])))
        elif attribute := re.match(r'\s*A: (?:.*/android:)?(\w+)(?:\(\w+\))?=(?:"([^"]*)"|(\S+))', text):
            path[-1][1].set(attribute[1], attribute[2] or attribute[3])
    found = root.find("manifest")
    assert found is not None
    return found


def test_nothing_goes_in_the_clear_or_into_a_backup(manifest: ElementTree.Element) -> None:
    application = manifest.find("application")
    assert application is not None
    assert application.get("usesCleartextTraffic") == "false"
    assert application.get("allowBackup") == "false"
    assert application.get("debuggable") is None
    network = ElementTree.parse(SHELL / "res/xml/network.xml").getroot()
    assert [element.get("cleartextTrafficPermitted") for element in network.iter("base-config")] == ["false"]
    assert not list(network.iter("domain-config"))
    assert [element.get("src") for element in network.iter("certificates")] == ["system"]


def test_other_apps_reach_the_launcher_the_link_and_the_share_sheet_alone(
    manifest: ElementTree.Element,
) -> None:
    kinds = ("activity", "activity-alias", "service", "receiver", "provider")
    components = [element for kind in kinds for element in manifest.iter(kind)]
    assert len(components) == 8
    for component in components:
        assert component.get("exported") in ("true", "false"), "it says so itself"
    exported = {
        component.get("name"): sorted(str(action.get("name")) for action in component.iter("action"))
        for component in components
        if component.get("exported") == "true"
    }
    # A UnifiedPush app must be able to reach the receiver. It is disabled until the user turns push on.
    push = exported.pop("dev.deputy.phone.shell.PushReceiver")
    assert {action.rsplit(".", 1)[0] for action in push} == {"org.unifiedpush.android.connector"}
    assert [each.get("enabled") for each in components if each.get("enabled")] == ["false"]
    assert exported == {
        "dev.deputy.phone.shell.MainActivity": ["android.intent.action.MAIN", "android.intent.action.VIEW"],
        "dev.deputy.phone.shell.ShareActivity": ["android.intent.action.SEND"],
    }
    links = [(data.get("scheme"), data.get("host")) for data in manifest.iter("data") if data.get("scheme")]
    assert links == [("deputy", "pair")]


def test_it_has_both_languages_and_says_nothing_that_is_not_there() -> None:
    def names(folder: str) -> dict[str, str]:
        root = ElementTree.parse(SHELL / "res" / folder / "strings.xml").getroot()
        return {str(element.get("name")): "".join(element.itertext()) for element in root}

    english, german = names("values"), names("values-de")
    assert list(english) == list(german)
    used = "".join(file.read_text() for file in SHELL.rglob("*.java"))
    used += "".join(file.read_text() for file in SHELL.rglob("*.xml") if file.name != "strings.xml")
    unused = [name for name in english if not re.search(rf"(R\.(string|plurals)\.|@string/){name}\b", used)]
    assert unused == []
    # Android ends a text at an unescaped apostrophe.
    for text in (*english.values(), *german.values()):
        assert not re.search(r"(?<!\\)'", text), text


def test_what_came_after_android_8_is_used_only_behind_a_look_at_the_version() -> None:
    for text in (SHELL / "stubs/later.txt").read_text().splitlines():
        if text.startswith("#") or not text:
            continue
        owner, api, member = text.split(" ", 2)
        if int(api) <= 26:
            continue
        name = member.split("(")[0]
        uses = [
            line
            for file in SHELL.rglob("src/**/*.java")
            for line in file.read_text().splitlines()
            if f".{name}(" in line
        ]
        assert uses, f"{owner}.{name} is not used"
        assert all("SDK_INT >=" in line for line in uses), uses


def test_the_pages_in_it_are_the_pages_that_the_host_serves() -> None:
    with zipfile.ZipFile(APK) as apk:
        inside = {name.removeprefix("assets/m/"): apk.read(name) for name in apk.namelist() if "/m/" in name}
    served = ROOT / "dist/m"
    outside = {
        str(file.relative_to(served)): file.read_bytes()
        for file in served.rglob("*")
        if file.is_file() and file.suffix not in (".br", ".map", ".apk") and file.name != "deputy.json"
    }
    assert inside == outside
    # The pages load nothing from other servers.
    assert not re.search(rb'(src|href)="(https?:)?//', inside["index.html"])


@pytest.fixture(scope="session")
def turned_back(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Converts the APK's byte code back to Java's, and adds the tests' driver."""
    folder = tmp_path_factory.mktemp("dex")
    # Uses Debian's own Python, for which enjarify is packaged, whatever comes first on the path.
    run("/usr/bin/python3", "-O", "-m", "enjarify.main", "-o", folder / "app.jar", APK)
    with zipfile.ZipFile(folder / "app.jar") as jar:
        jar.extractall(folder / "classes")
    # The driver is compiled with the sources, because Android's byte code does not declare exceptions.
    sources = [str(file) for file in CORE.rglob("*.java")]
    run("javac", "--release", "8", "-Xlint:-options", "-cp", LIBRARIES, "-d", folder / "driver", *sources)
    for name in ("Drive", "Pocket"):
        for file in (folder / "driver/dev/deputy/phone").glob(f"{name}*.class"):
            file.rename(folder / "classes/dev/deputy/phone" / file.name)
    return folder / "classes"


def test_the_byte_code_of_the_app_pairs_and_answers(turned_back: Path) -> None:
    sources = [*(CORE / "src").rglob("*.java"), *(SHELL / "src").rglob("*.java")]
    for source in sources:
        assert (turned_back / str(source).split("/src/", 1)[1]).with_suffix(".class").exists()
    java = Java(turned_back)
    with serving(steps(2)) as deputy:
        pair(deputy, java)
        assert java("connect")["scopes"] == ["monitor", "approve"]
        start(deputy)
        java("wait 1")
        assert java("allow")["reply"] == "command_reply"
        java("wait 0")
    java.end()
