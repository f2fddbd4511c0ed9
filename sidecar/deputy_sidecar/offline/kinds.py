"""Kinds of files by extension, and names that are worth a second look."""

from __future__ import annotations

import posixpath
import re
from typing import Final

__all__ = ["GERMAN_KINDS", "extensions_of", "kind_of", "odd_names"]

_KINDS: Final[dict[str, str]] = {
    "Documents": "pdf doc docx odt rtf tex pages epub ps",
    "Text and notes": "txt md markdown rst org adoc log",
    "Spreadsheets and tables": "csv tsv xls xlsx ods numbers parquet",
    "Presentations": "ppt pptx odp key",
    "Pictures": "jpg jpeg png gif bmp tif tiff webp heic svg ico psd raw cr2 nef",
    "Sound": "mp3 wav flac ogg m4a aac opus wma mid",
    "Video": "mp4 mkv mov avi webm wmv m4v mpg mpeg",
    "Archives": "zip tar gz tgz bz2 xz 7z rar zst jar iso dmg",
    "Programs and scripts": "py rs js ts jsx tsx java c h cpp hpp cs go rb php pl sh bash bat ps1 lua swift kt sql r",
    "Web pages": "html htm css scss",
    "Data and settings": "json jsonl yaml yml toml xml ini cfg conf env lock db sqlite plist",
    "Executables and libraries": "exe msi dll so dylib bin app deb rpm apk class o a",
    "Mail and calendars": "eml mbox msg ics vcf",
    "Fonts": "ttf otf woff woff2",
    "Temporary and backup files": "tmp temp bak old swp part crdownload orig",
}
_KIND_OF: Final = {extension: kind for kind, extensions in _KINDS.items() for extension in extensions.split()}

LONGEST_USUAL_NAME: Final = 100
# One reason a name; the first that fits is given.
_ODD: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (
        re.compile(r"\\u\{[0-9a-f]+\}|\\x[0-9a-f]{2}|\\[nrt]"),
        "holds characters that are not shown, or is not valid text",
    ),
    (re.compile(r"\A\s|\s\Z|\s\.\w+\Z"), "begins or ends with a space"),
    (re.compile(r"\s{2,}"), "holds several spaces in a row"),
    (
        re.compile(r"\.(pdf|docx?|xlsx?|jpe?g|png|txt)\.(exe|js|bat|cmd|scr|sh|vbs|ps1)\Z", re.IGNORECASE),
        "hides a program",
    ),
    (re.compile(r"[:*?\"<>|]"), "holds characters that Windows does not allow"),
    (re.compile(r"\.(\w{2,4})\.\1\Z", re.IGNORECASE), "has its extension twice"),
    (
        re.compile(
            r"\A(untitled|unnamed|new document|neues dokument|unbenannt|dokument\d*|document\d*)\b", re.IGNORECASE
        ),
        "says nothing",
    ),
    (
        re.compile(r"(\(\d+\)|[ _-]+cop(y|ie)( ?\d+)?|[ _-]+kopie( ?\d+)?)(\.\w+)?\Z|\Acopy of ", re.IGNORECASE),
        "looks like a copy",
    ),
    (re.compile(r"(~|\.(bak|tmp|temp|old|orig|swp))\Z|\A~\$", re.IGNORECASE), "looks like a backup or a leftover"),
    (re.compile(r"final.*(final|v?\d)|\bv\d+.*v\d+", re.IGNORECASE), "names its version more than once"),
)


GERMAN_KINDS = {
    "Documents": "Dokumente",
    "Text and notes": "Texte und Notizen",
    "Spreadsheets and tables": "Tabellen",
    "Presentations": "Präsentationen",
    "Pictures": "Bilder",
    "Sound": "Musik und Ton",
    "Video": "Videos",
    "Archives": "Archive",
    "Programs and scripts": "Programme und Skripte",
    "Web pages": "Webseiten",
    "Data and settings": "Daten und Einstellungen",
    "Executables and libraries": "Ausführbares und Bibliotheken",
    "Mail and calendars": "Mail und Kalender",
    "Fonts": "Schriften",
    "Temporary and backup files": "Temporäres und Sicherungen",
    "Other": "Anderes",
    "Without an extension": "Ohne Endung",
}


def kind_of(extension: str) -> str:
    """The kind in plain words."""
    return _KIND_OF.get(extension, "Other" if extension else "Without an extension")


def extensions_of(kind: str) -> list[str]:
    """The extensions of a kind, by its plain words."""
    return _KINDS[kind].split()


def odd_names(paths: list[str]) -> list[tuple[str, str]]:
    """Paths whose names are worth a second look, each with why."""
    found: list[tuple[str, str]] = []
    for path in paths:
        name = posixpath.basename(path)
        reason = next((why for pattern, why in _ODD if pattern.search(name)), None)
        if reason is None and len(name) > LONGEST_USUAL_NAME:
            reason = f"is {len(name)} characters long"
        if reason is not None:
            found.append((path, reason))
    return found
