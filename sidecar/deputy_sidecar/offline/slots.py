"""The values in a request: paths, names, quoted text, kinds of files, sizes and dates."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

from deputy_sidecar.offline.kinds import extensions_of

__all__ = [
    "HOME_FOLDERS",
    "Sizes",
    "Times",
    "extension_in",
    "file_in",
    "folder_in",
    "group_in",
    "kind_in",
    "name_pattern_in",
    "quoted_in",
    "report_file_in",
    "sizes_in",
    "times_in",
    "without_places",
    "without_sizes_and_times",
]

# An apostrophe within a word is no quote.
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|(?<!\w)'([^']+)'(?!\w)")
_FILE_NAME = re.compile(r"(?<![\w/.*~-])((?:~/|\.{0,2}/)?(?:[\w.+-]+/)*[\w+-][\w.+-]*\.[A-Za-z]\w{0,7})(?![\w/*])")
# A name with spaces and without quotes is only understood where it is all that follows.
_SPACED_FILE_NAME = re.compile(
    r"\s*(?:please\s+)?(?:read|open|show(?:\s+me)?|summari[sz]e|lies|öffne)\s+(?:the\s+|die\s+)?(?:file\s+|datei\s+)?"
    r"(\S.*?\.[A-Za-z]\w{0,7})(?:\s+(?:please|for me|bitte))?\s*[.?!]?\s*\Z",
    re.IGNORECASE,
)
_NO_NAME_WORDS = re.compile(r"[\"'`,;]|\b(?:and|und|the|file|of|from|to|in|into|as)\b", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w/*.])((?:~|\.{1,2})?/[^\s\"'`,;]*|[\w.+-]+/[^\s\"'`,;*]*)")
_AT_AN_END = r"(?=\s*(?:[.,;:?!]|$|\band\b|\bund\b))"
_FOLDER_BEFORE = re.compile(
    r"\b(?:folder|directory|dir|ordner|verzeichnis)\s+(?:named\s+|called\s+|namens\s+)?([\w.+-]+)" + _AT_AN_END,
    re.IGNORECASE,
)
_FOLDER_ALONE = re.compile(
    r"\b(?:in|under|inside|below|within|unter)\s+(?:the\s+|my\s+|den\s+|dem\s+)?([\w.+-]+)" + _AT_AN_END, re.IGNORECASE
)
_FOLDER_AFTER = re.compile(
    r"\b(?:the|my|in|under|inside|im|den|dem)\s+([\w.+-]+)\s+(?:folder|directory|ordner)\b", re.IGNORECASE
)
_NO_FOLDER_NAME: Final = frozenset(
    "this that the current working same whole entire my a an is and or for with to what which here there it them all "
    "each every empty are does contains contain have has recursively use uses take takes hold holds need needs file "
    "files folder folders total general detail details size bytes order common text der die das diesem diesen dieser "
    "hier und gesamten ganzen aktuellen belegt dateien ordner".split()
)
# Folders that everybody has, for those who say `my`.
HOME_FOLDERS: Final = {
    "downloads": "~/Downloads",
    "desktop": "~/Desktop",
    "documents": "~/Documents",
    "pictures": "~/Pictures",
    "schreibtisch": "~/Schreibtisch",
    "dokumente": "~/Dokumente",
    "bilder": "~/Bilder",
}
_MY_FOLDER: Final = re.compile(
    rf"\b(?:in|under|inside|of|im|unter|sort)\s+(?:my|meine[mnr]?)\s+({'|'.join(HOME_FOLDERS)})\b(?!\s+(?!folder|ordner|directory)\w+/)",
    re.IGNORECASE,
)
_GLOB = re.compile(r"(?<![\w*])([\w.?-]*\*[\w.?*-]*)")
_NAMED = re.compile(r"\b(?:named|called|name is|names? (?:contains?|like|with)|namens)\s+([\w.*?-]+)", re.IGNORECASE)
_DOT_EXTENSION = re.compile(r"(?<![\w*])\.([A-Za-z0-9]{1,8})\b(?!/)")
_SIZE = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(bytes?|b|kb|kib|k|mb|mib|m|gb|gib|g|tb|kilobytes?|mega?bytes?|megs?|gigabytes?|gigs?|terabytes?)\b",
    re.IGNORECASE,
)
_AT_MOST = re.compile(r"\b(?:smaller|less|below|under|at most|up to|kleiner|höchstens|unter)\b[^,;]*?$", re.IGNORECASE)
_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_AGO = re.compile(
    r"\b(\d+|an?|one|two|three|six|ein(?:e[mnr]?)?|zwei|drei)\s+(hours?|days?|weeks?|months?|years?|stunden?|tagen?|tage|wochen?|monate?n?|jahre?n?)\b",
    re.IGNORECASE,
)
_ONE_AGO = re.compile(
    r"\b(?:last|past|this|letzten?|letzter|diese[rn]?)\s+(hour|day|week|month|year|woche|monat|jahr)", re.IGNORECASE
)
_OLDER = re.compile(
    r"\b(?:older|before|not (?:been )?(?:changed|modified|touched)|untouched|unchanged|älter|vor dem)\b", re.IGNORECASE
)
_WORD_DOCUMENT = re.compile(r"\bword\s+(?:doc|file|datei|dok)")
_OLD = re.compile(r"\b(?:old|alte?[nr]?)\b", re.IGNORECASE)
_LAST = re.compile(r"\b(?:last|past|letzten?|letzter)\b", re.IGNORECASE)
_NEWER = re.compile(r"\b(?:newer|since|after|today|yesterday|neuer|seit|heute|gestern)\b", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?:(?:bigger|larger|smaller|less|more|größer|kleiner|mehr)\s+(?:than|als)|over|above|at least|mindestens|über"
    r"|below|under|at most|up to|höchstens|unter|than|als)\b",
    re.IGNORECASE,
)

_UNITS: Final = {"k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}
_HOURS: Final = {"hour": 1, "stund": 1, "day": 24, "tag": 24, "week": 168, "woche": 168, "month": 720, "monat": 720}
_YEAR_HOURS: Final = 8760
_NUMBERS: Final = {"two": 2, "zwei": 2, "three": 3, "drei": 3, "six": 6}
# Words for kinds of files whose extension is not the word itself.
_EXTENSIONS: Final = {
    "pdf": "pdf",
    "pdfs": "pdf",
    "markdown": "md",
    "python": "py",
    "rust": "rs",
    "javascript": "js",
    "typescript": "ts",
    "json": "json",
    "yaml": "yaml",
    "toml": "toml",
    "csv": "csv",
    "csvs": "csv",
    "excel": "xlsx",
    "word": "docx",
    "html": "html",
    "xml": "xml",
    "jpeg": "jpg",
    "jpegs": "jpg",
    "jpg": "jpg",
    "jpgs": "jpg",
    "png": "png",
    "pngs": "png",
    "gif": "gif",
    "zip": "zip",
    "zips": "zip",
    "mp3": "mp3",
    "mp4": "mp4",
    "txt": "txt",
    "log": "log",
    "logs": "log",
}


# Words for kinds that have many extensions.
_GROUPS: Final = (
    (re.compile(r"\b(?:pictures?|photos?|images?|fotos?|bilder)\b", re.IGNORECASE), "Pictures"),
    (re.compile(r"\b(?:videos?|movies?|films?|filme)\b", re.IGNORECASE), "Video"),
    (re.compile(r"\b(?:music|songs?|audio|musik|lieder)\b", re.IGNORECASE), "Sound"),
    (re.compile(r"\b(?:spreadsheets?|tabellen)\b", re.IGNORECASE), "Spreadsheets and tables"),
    (re.compile(r"\b(?:presentations?|slides|präsentationen)\b", re.IGNORECASE), "Presentations"),
    (re.compile(r"\b(?:archives|archive)\b", re.IGNORECASE), "Archives"),
)
_SCREENSHOTS = re.compile(r"\b(?:screen\s?shots?|bildschirmfotos?)\b", re.IGNORECASE)


class Sizes(NamedTuple):
    """Bounds in bytes."""

    at_least: int | None
    at_most: int | None


class Times(NamedTuple):
    """Bounds as `search` reads them: a date, or how long ago."""

    newer_than: str | None
    older_than: str | None


def quoted_in(text: str) -> list[str]:
    """What stands in quotes."""
    return [next(part for part in match.groups() if part) for match in _QUOTED.finditer(text)]


def report_file_in(text: str) -> str | None:
    """The file that is to be written: the last one named behind a word for writing."""
    writing = re.search(
        r"\b(?:write|save|store|put|create|produce|make|generate|collect|into|to|schreib\w*|speicher\w*|erstell\w*|nach)\b",
        text,
        re.IGNORECASE,
    )
    if writing is None:
        return None
    names = _FILE_NAME.findall(text, writing.end())
    return str(names[-1]) if names else None


def file_in(text: str) -> str | None:
    """The first file that is named."""
    for quoted in quoted_in(text):
        if "/" in quoted or re.search(r"\.[A-Za-z]\w{0,7}\Z", quoted):
            return quoted
    spaced = _SPACED_FILE_NAME.match(text)
    if spaced is not None and not _NO_NAME_WORDS.search(spaced.group(1)):
        return spaced.group(1)
    found = _FILE_NAME.search(text)
    if found is not None:
        return found.group(1)
    path = _PATH.search(text)
    return path.group(1).rstrip("?.!,") if path is not None else None


def folder_in(text: str) -> str:
    """The folder that is meant; the workspace when none is named."""
    for quoted in quoted_in(text):
        if quoted.endswith("/") or quoted.startswith(("~", "/", "./", "../")):
            return quoted
    unquoted = _QUOTED.sub(" ", text)
    path = _PATH.search(unquoted)
    if path is not None and not _FILE_NAME.fullmatch(path.group(1)):
        return path.group(1).rstrip("?.!,") or "."
    mine = _MY_FOLDER.search(unquoted)
    if mine is not None:
        return HOME_FOLDERS[mine.group(1).lower()]
    for pattern in (_FOLDER_BEFORE, _FOLDER_AFTER, _FOLDER_ALONE):
        for found in pattern.finditer(unquoted):
            name = found.group(1).rstrip(".")
            if name and name.lower() not in _NO_FOLDER_NAME and not _FILE_NAME.fullmatch(name):
                return name
    return "."


def name_pattern_in(text: str) -> str | None:
    """The name that is looked for, as a glob."""
    glob = _GLOB.search(text)
    if glob is not None:
        return glob.group(1)
    named = _NAMED.search(_QUOTED.sub(lambda match: match.group(0)[1:-1], text))
    wanted = named.group(1).rstrip(".,") if named is not None else None
    if wanted is None:
        quoted = quoted_in(text)
        wanted = quoted[0] if quoted else None
    if wanted is None:
        file_name = _FILE_NAME.search(text)
        wanted = file_name.group(1) if file_name is not None else None
    if wanted is None or any(special in wanted for special in "*?"):
        return wanted
    return wanted if "." in wanted else f"*{wanted}*"


def extension_in(text: str) -> str | None:
    """The kind of file, by its extension."""
    unquoted = _QUOTED.sub(" ", text)
    dotted = _DOT_EXTENSION.search(unquoted)
    if dotted is not None:
        return dotted.group(1).lower()
    # In `report.pdf` it is a part of a name, and no kind.
    lowered = _FILE_NAME.sub(" ", unquoted).lower()
    # `The word rent` is no document of Word.
    lowered = lowered if _WORD_DOCUMENT.search(lowered) else re.sub(r"\bword\b", " ", lowered)
    for word in re.findall(r"[\w]+", lowered):
        if word in _EXTENSIONS:
            return _EXTENSIONS[word]
    return None


def group_in(text: str) -> str | None:
    """Names of a kind that is more than one extension, such as pictures, as a glob."""
    unquoted = _QUOTED.sub(" ", text)
    if _SCREENSHOTS.search(unquoted):
        return "*{screen?shot,screenshot,bildschirmfoto}*"
    kind = next((kind for words, kind in _GROUPS if words.search(unquoted)), None)
    return f"*.{{{','.join(extensions_of(kind))}}}" if kind is not None else None


def kind_in(text: str) -> str | None:
    """The one kind of file that a search is held to: an extension, or the names of a group."""
    return extension_in(text) or group_in(text)


def without_places(text: str) -> str:
    """`text` without the files and folders that it names."""
    for pattern in (_FILE_NAME, _PATH, _GLOB):
        text = pattern.sub(" ", text)
    folder = folder_in(text)
    return re.sub(rf"(?<!\w){re.escape(folder)}(?!\w)", " ", text) if folder not in {".", ""} else text


def without_sizes_and_times(text: str) -> str:
    """`text` without bounds on sizes and dates."""
    times = times_in(text)
    for pattern in (_SIZE, _DATE, _AGO, _ONE_AGO, _OLDER, _NEWER, _BOUND, _NAMED, _DOT_EXTENSION):
        text = pattern.sub(" ", text)
    if times.older_than is not None:
        text = _OLD.sub(" ", text)
    return text if times == Times(None, None) else _LAST.sub(" ", text)


def sizes_in(text: str) -> Sizes:
    """Bounds on the size; a size without a word beside it is the least."""
    least: int | None = None
    most: int | None = None
    for found in _SIZE.finditer(text):
        unit = _UNITS.get(found.group(2)[0].lower(), 1)
        size_bytes = int(float(found.group(1).replace(",", ".")) * unit)
        if _AT_MOST.search(text[: found.start()][-24:]):
            most = size_bytes
        else:
            least = size_bytes
    return Sizes(least, most)


def times_in(text: str) -> Times:
    """Bounds on the date of change; without a word for `older` they mean `newer`."""
    moment = _moment_in(text)
    if moment is None:
        return Times(None, None)
    return Times(None, moment) if _OLDER.search(text) else Times(moment, None)


def _moment_in(text: str) -> str | None:
    dated = _DATE.search(text)
    if dated is not None:
        try:
            return date.fromisoformat(dated.group(1)).isoformat()
        except ValueError:
            return None
    lowered = text.lower()
    if re.search(r"\b(today|heute)\b", lowered):
        return "1d"
    if re.search(r"\b(yesterday|gestern)\b", lowered):
        return "2d"
    counted = _AGO.search(lowered)
    if counted is not None:
        number = counted.group(1)
        return _ago(int(number) if number.isdecimal() else _NUMBERS.get(number, 1), counted.group(2))
    one = _ONE_AGO.search(lowered)
    return _ago(1, one.group(1)) if one is not None else None


def _ago(number: int, unit: str) -> str:
    hours = next((hours for word, hours in _HOURS.items() if unit.startswith(word)), _YEAR_HOURS) * number
    return f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"
