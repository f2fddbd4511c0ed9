"""What files say of themselves, how folders differ, sums by groups, and undoing what was done before."""

from __future__ import annotations

import difflib
import posixpath
from dataclasses import dataclass
from typing import Any, Final

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.forms import Form, Slots
from deputy_sidecar.offline.job import Job, Steps
from deputy_sidecar.offline.looking import checked, located, one, path_of
from deputy_sidecar.offline.phrasing import counted, selector_in_words
from deputy_sidecar.offline.results import duplicate_groups, listing, shares, size_text
from deputy_sidecar.offline.selector import Named, Selector, filter_of
from deputy_sidecar.offline.steps import Call
from deputy_sidecar.offline.words.say import in_language as say
from deputy_sidecar.offline.words.told import kind_in_words, told

__all__ = ["FORMS"]

MOST_DIFFERENCES: Final = 80


@dataclass(frozen=True)
class CompareFiles:
    """Two texts line by line; other files only by whether they are the same."""

    one: str
    other: str
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading."""
        return say(language, f"compare {self.one} with {self.other}", f"{self.one} mit {self.other} vergleichen")

    def run(self, language: str) -> Steps:
        """Looks whether their content is the same, and reads both if not."""
        what = self.phrase(language)
        one_path = yield from path_of(self.one, language)
        other_path = yield from path_of(self.other, language)
        paths = [one_path, other_path]
        same = {"any": [{"pattern": f"**/{posixpath.basename(path)}"} for path in paths]}
        call = Call("search", {"action": "duplicates", "path": ".", "where": same})
        groups = duplicate_groups(checked((yield from one(what, call)), language, what))
        both = " / ".join(paths)
        if any(set(paths) <= set(group.paths) for group in groups):
            return say(language, f"They have the same content: {both}.", f"Der Inhalt ist derselbe: {both}.")
        texts: list[list[str]] = []
        for path in paths:
            result = yield from one(what, Call("code", {"action": "read", "path": path}))
            head, _, text = result.content.partition("\n")
            if not result.ok or "not shown" in head or "not UTF-8" in head or "read on with offset=" in text:
                return say(language, f"Their content differs: {both}.", f"Der Inhalt ist verschieden: {both}.")
            texts.append(text.splitlines())
        lines = list(difflib.unified_diff(texts[0], texts[1], paths[0], paths[1], n=1, lineterm=""))[:MOST_DIFFERENCES]
        head = say(language, f"Their content differs: {both}.", f"Der Inhalt ist verschieden: {both}.")
        return head + "\n\n```diff\n" + "\n".join(lines) + "\n```"


@dataclass(frozen=True)
class Info:
    """Size in pixels, date, camera, pages, author of one file."""

    file: str
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading."""
        return say(language, f"say what {self.file} says of itself", f"sagen, was {self.file} von sich sagt")

    def run(self, language: str) -> Steps:
        """Asks for it."""
        path = yield from path_of(self.file, language)
        what = self.phrase(language)
        found = listing(
            checked((yield from one(what, Call("search", {"action": "info", "path": path}))), language, what)
        )
        return "\n".join("- " + line.replace("\t", ", ") for line in found.lines) or found.summary


@dataclass(frozen=True)
class Compare:
    """Two folders by content."""

    one: str
    other: str
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading."""
        return say(
            language,
            f"compare the folders {self.one} and {self.other}",
            f"die Ordner {self.one} und {self.other} vergleichen",
        )

    def run(self, language: str) -> Steps:
        """Compares them."""
        what = self.phrase(language)
        call = Call("search", {"action": "compare", "path": self.one, "other": self.other})
        found = listing(checked((yield from one(what, call)), language, what))
        return f"{found.summary}.\n\n" + "\n".join("- " + line.replace("\t", ": ") for line in found.lines)


@dataclass(frozen=True)
class Beside:
    """Two files, and which of them is older, newer, larger or smaller."""

    one: str
    other: str
    by: str
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading."""
        german = {"older": "älter", "newer": "neuer", "larger": "größer", "smaller": "kleiner"}[self.by]
        return say(
            language,
            f"say which is {self.by}: {self.one} or {self.other}",
            f"sagen, was {german} ist: {self.one} oder {self.other}",
        )

    def run(self, language: str) -> Steps:
        """Looks both up."""
        one = yield from located(Chore("when", Selector(condition=Named(self.one, "is"), exact=(self.one,))), language)
        other = yield from located(
            Chore("when", Selector(condition=Named(self.other, "is"), exact=(self.other,))), language
        )
        is_time = self.by in {"older", "newer"}
        left, right = (one.changed, other.changed) if is_time else (one.size_bytes, other.size_bytes)
        is_so = left < right if self.by in {"older", "smaller"} else left > right
        answer = say(language, "Yes" if is_so else "No", "Ja" if is_so else "Nein")
        shown = [
            f"- {entry.path}: {entry.changed[:10] if is_time else size_text(entry.size_bytes)}"
            for entry in (one, other)
        ]
        german = {"older": "älter", "newer": "neuer", "larger": "größer", "smaller": "kleiner"}[self.by]
        what = say(
            language,
            f"{one.path} is {'' if is_so else 'not '}{self.by} than {other.path}",
            f"{one.path} ist {'' if is_so else 'nicht '}{german} als {other.path}",
        )
        return f"{answer}: {what}.\n\n" + "\n".join(shown)


@dataclass(frozen=True)
class SumUp:
    """How many and how large, by group."""

    selector: Selector
    by: str
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading."""
        what = selector_in_words(self.selector, language)
        german = {
            "extension": "Endung",
            "type": "Art",
            "year": "Jahr",
            "month": "Monat",
            "folder": "Ordner",
            "tag": "Tag",
        }
        return say(language, f"sum up {what} by {self.by}", f"{what} nach {german[self.by]} zusammenzählen")

    def run(self, language: str) -> Steps:
        """Asks for it."""
        selector, what = self.selector, self.phrase(language)
        where = {"where": condition} if (condition := filter_of(selector.condition)) else {}
        call = Call(
            "search", {"action": "usage", "path": selector.places[0] if selector.places else ".", "by": self.by} | where
        )
        rows = shares(checked((yield from one(what, call)), language, what))
        return "\n".join(
            f"- {kind_in_words(row.name, language)}: {counted(language, row.files)}, {size_text(row.size_bytes)}"
            for row in rows
        )


@dataclass(frozen=True)
class Tree:
    """A folder as a tree of a number of levels."""

    folder: str
    levels: int
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading."""
        return say(
            language,
            f"show {self.levels} levels of {self.folder} as a tree",
            f"{self.levels} Ebenen von {self.folder} als Baum zeigen",
        )

    def run(self, language: str) -> Steps:
        """Shows it."""
        what = self.phrase(language)
        call = Call("search", {"action": "tree", "path": self.folder, "depth": self.levels})
        text = checked((yield from one(what, call)), language, what).strip()
        above, _, summary = text.rpartition("\n")
        return f"{above}\n{told(summary, language)}".strip()


def _tree(slots: Slots) -> Job | None:
    levels = slots.number("number", 0)
    return Tree(slots.get("folder"), levels) if 0 < levels < 30 else None


def _info(slots: Slots) -> Job | None:
    return Info(slots.get("file"))


def _compare(slots: Slots) -> Job | None:
    return Compare(slots.get("folder"), slots.get("folder2"))


def _compare_files(slots: Slots) -> Job | None:
    return CompareFiles(slots.get("file"), slots.get("file2"))


def _by(by: str) -> Any:
    def make(slots: Slots) -> Job | None:
        which = slots.which
        if (
            which is None
            or which.order is not None
            or which.is_duplicates
            or which.entries != "file"
            or which.exact
            or len(which.places) > 1
        ):
            return None
        return SumUp(which, by)

    return make


def _which_is(by: str) -> Any:
    return lambda slots: Beside(slots.get("file"), slots.get("file2"), by)


_SIDES: Final = {
    "older": "older than|aelter als",
    "newer": "newer than|younger than|more recent than|neuer als|juenger als",
    "larger": "larger than|bigger than|greater than|longer than|groesser als",
    "smaller": "smaller than|shorter than|kleiner als",
}
_MORE: Final = {
    "older": "older|oldest|aelter",
    "newer": "newer|newest|more recent|latest|neuer|juenger",
    "larger": "larger|bigger|biggest|largest|groesser",
    "smaller": "smaller|smallest|kleiner",
}
_PER: Final = "(per|by|for each|of each|of every|for every|in each|according to|grouped by|group by|pro|je|nach)"
_COUNT: Final = "[how many|count|number of|list|show|sum up|size of|total size of|how much space do|wie viele|wieviele|anzahl|zaehl|zaehle|groesse]"
_GROUPS: Final = {
    "extension": "extension|file extension|ending|endung|dateiendung",
    "type": "type|file type|kind|typ|dateityp|art",
    "year": "year|jahr",
    "month": "month|monat",
    "folder": "folder|directory|ordner|subfolder|unterordner",
}

FORMS: Final = (
    Form(
        "(what are|what is|show|list|get|whats|what's|wie ist|wie sind|was ist|zeig) [image] (dimensions|size in pixels|resolution|pixel size|metadata|exif|exif data|properties|details|abmessungen|aufloesung|metadaten|eigenschaften) (of|for|von) [picture|image|photo|file|bild|foto] {file}",
        _info,
    ),
    Form(
        "(dimensions|resolution|metadata|exif|exif data|properties|pixel size|abmessungen|aufloesung|metadaten|info|information) (of|for|about|on|von|zu) [picture|image|photo|file|bild] {file}",
        _info,
    ),
    Form("(how many pages|wie viele seiten|wieviele seiten) (does|hat) {file} [have]", _info),
    Form("(how many pixels|which camera|who) (does|took|is author of|wrote) {file} [have|with]", _info),
    Form(
        "(tree|folder tree|directory tree|baum) (of|von) [folder|ordner] {folder} [folder] [to|up to|with|bis] [depth] [of] {number} (levels|level|ebenen) [deep|tief]",
        _tree,
    ),
    Form(
        "(compare|diff|vergleich|vergleiche) [folders|folder|directories|contents of|ordner] {folder} (and|with|to|against|und|mit|vs) [folder|ordner] {folder2}",
        _compare,
    ),
    Form(
        "(what is|whats|what's|what are|show|was ist|zeig) [difference|differences|different|unterschied|unterschiede|unterschiedlich|der] [between|zwischen|in] [folders|ordner] {folder} (and|und) [folder] {folder2}",
        _compare,
    ),
    Form(
        "(differences|difference|diff|compare|comparison|unterschied|unterschiede|vergleich) (between|of|zwischen|von) [folders|ordnern] {folder} (and|und) [folder] {folder2}",
        _compare,
    ),
    Form(
        "(compare|diff|vergleich|vergleiche) [files|file|text of|datei|dateien] {file} (and|with|to|against|und|mit|vs) [file|datei] {file2}",
        _compare_files,
    ),
    Form(
        "(is|are|ist|sind) [file|files] {file} (same|same as|identical to|equal to|gleich|gleich wie|identisch mit|dasselbe wie|gleiche wie) [file] {file2}",
        _compare_files,
    ),
    Form("(do|does) [files] {file} (and|or) {file2} (differ|match)", _compare_files),
    Form("unterscheiden sich [dateien] {file} (und|von) {file2}", _compare_files),
    *(
        Form(f"(is|are|ist|sind) [file|datei] {{file}} ({words}) [file|datei] {{file2}}", _which_is(by))
        for by, words in _SIDES.items()
    ),
    *(
        Form(
            f"(which|what|which one|which file|welche|welches|was|welche datei) [of them|davon] (is|ist) ({words}) {{file}} (or|and|oder|und) {{file2}}",
            _which_is(by),
        )
        for by, words in _MORE.items()
    ),
    Form("(are|is|sind) [files] {file} (and|und) {file2} (same|identical|equal|gleich|identisch)", _compare_files),
    Form(
        "[what is|whats|what's|show|was ist|zeig] [difference|differences|different|unterschied|unterschiede|der] (between|zwischen) [files] {file} (and|und) {file2}",
        _compare_files,
    ),
    *(Form(f"{_COUNT} {{which}} {_PER} ({words})", _by(by)) for by, words in _GROUPS.items()),
    *(
        Form(
            f"{_COUNT} {{which}} [are|do i have|gibt es|habe ich|there are|are there] [there] {_PER} ({words})", _by(by)
        )
        for by, words in _GROUPS.items()
    ),
)
