"""New names for many files by one rule: case, a piece replaced, a beginning or an end, numbers, dates."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, replace
from typing import Any, Final

from deputy_sidecar.offline.acting import chosen
from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.forms import Form, Slots
from deputy_sidecar.offline.job import Job, Steps
from deputy_sidecar.offline.looking import checked, one
from deputy_sidecar.offline.phrasing import selector_in_words
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.selector import IsKind, Order, Selector, filter_of, joined
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.words.kinds import Kind
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["FORMS"]

_DRAFT: Final = re.compile(r"draft: ([0-9a-f]{64})")
_STEPS: Final = re.compile(r"(\d+) of (\d+) steps? (?:are|is) done")
_ENDING: Final = re.compile(r"\*?\.?([A-Za-z0-9]{1,8})")
_NUMBERED: Final = re.compile(r"(?P<stem>.*?)(?P<number>0*1)\Z")


@dataclass(frozen=True)
class Rename:
    """A rule, in the words of `organize draft`."""

    selector: Selector
    rule: tuple[tuple[str, str], ...]
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        what = selector_in_words(self.selector, language)
        rule = dict(self.rule)
        if "old" in rule:
            how = say(
                language,
                f"with “{rule['new']}” instead of “{rule['old']}”",
                f"mit „{rule['new']}“ statt „{rule['old']}“",
            )
        else:
            how = say(language, f"as “{rule['name']}”", f"als „{rule['name']}“")
            how = how.replace("{n:", "{number:")
            if rule["name"] in {_LOWER, _UPPER}:
                is_lower = rule["name"] == _LOWER
                how = say(
                    language,
                    f"in {'lower' if is_lower else 'upper'} case",
                    f"in {'Klein' if is_lower else 'Groß'}buchstaben",
                )
        return say(language, f"rename {what} {how}", f"{what} {how} umbenennen")

    def run(self, language: str) -> Steps:
        """Has a plan drafted by the rule, and submits it."""
        selector, what = self.selector, self.phrase(language)
        change: dict[str, Any] = {
            "do": "rename",
            "from": list(selector.places) or ["."],
            "where": {"kind": "file"} | filter_of(selector.condition),
        }
        change |= dict(self.rule)
        if "{n" in dict(self.rule).get("name", ""):
            change["sort"] = selector.order.by if selector.order is not None else "name"
        if selector.order is not None and selector.order.limit:
            change |= {"sort": selector.order.by, "limit": selector.order.limit}
        return (yield from _drafted(change, what, language))


@dataclass(frozen=True)
class Ending:
    """Another ending; what is in the files stays as it is."""

    selector: Selector
    ending: str
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        what = selector_in_words(self.selector, language)
        return say(
            language,
            f"change the ending of {what} to .{self.ending}",
            f"die Endung ändern in .{self.ending}: {what}",
        )

    def run(self, language: str) -> Steps:
        """Renames them by one plan."""
        what = self.phrase(language)
        entries = [
            entry for entry in (yield from chosen(Chore("rename", self.selector), language)) if not entry.is_folder
        ]
        new = [posixpath.splitext(posixpath.basename(entry.path))[0] + f".{self.ending}" for entry in entries]
        changed = [
            (entry, name) for entry, name in zip(entries, new, strict=True) if posixpath.basename(entry.path) != name
        ]
        if not changed:
            raise NotPossibleError(say(language, "Nothing was to be renamed.", "Es war nichts umzubenennen."))
        operations = [{"type": "rename", "path": entry.path, "to": name} for entry, name in changed]
        call = Call("organize", {"action": "submit_plan", "paths": ["."], "operations": operations, "reasoning": what})
        checked((yield from one(what, call)), language, what)
        lines = [f"- {entry.path} -> {name}" for entry, name in changed[:60]]
        return done(len(changed), language) + "\n\n" + "\n".join(lines)


def done(number: int, language: str) -> str:
    """How many files a plan has changed."""
    return say(
        language,
        f"Done: {number} {'file' if number == 1 else 'files'}.",
        f"Erledigt: {number} {'Datei' if number == 1 else 'Dateien'}.",
    )


@dataclass(frozen=True)
class Sort:
    """The files of one folder into folders below it, by one field."""

    folder: str
    by: str
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        german = {"type": "Art", "ext": "Endung", "year": "Jahr", "month": "Monat"}[self.by]
        english = {"ext": "extension"}.get(self.by, self.by)
        return say(
            language,
            f"move the files in {self.folder} into folders below it, by {english}",
            f"die Dateien in {self.folder} nach {german} in Unterordner verschieben",
        )

    def run(self, language: str) -> Steps:
        """Has a plan drafted, and submits it."""
        field = {"month": "{year}-{month}"}.get(self.by, f"{{{self.by}}}")
        where = {"kind": "file", "depth": 1}
        change = {"do": "move", "from": [self.folder], "where": where, "to": f"{self.folder}/{field}"}
        return (yield from _drafted(change, self.phrase(language), language))


def _sort(by: str) -> Any:
    return lambda slots: Sort(slots.get("folder"), by)


def _drafted(change: dict[str, Any], what: str, language: str) -> Steps:
    """A draft of one change, submitted as the plan that a person is asked about."""
    call = Call("organize", {"action": "draft", "changes": [change], "reasoning": what})
    drafted = checked((yield from one(what, call)), language, what)
    draft = next((found.group(1) for line in drafted.splitlines() if (found := _DRAFT.search(line))), None)
    if draft is None:
        reason = listing(drafted).summary
        raise NotPossibleError(say(language, f"Nothing was changed: {reason}", f"Nichts wurde geändert: {reason}"))
    submit = Call("organize", {"action": "submit_plan", "draft": draft, "reasoning": what})
    said = checked((yield from one(what, submit)), language, what).strip()
    steps = _STEPS.search(said)
    if steps is None or steps[1] != steps[2]:
        # What was left out is the tool's to say.
        return said
    renamed = sum(line.count(" -> ") for line in drafted.splitlines())
    return done(renamed or int(steps[1]), language)


# Characters by their names.
_CHARACTERS: Final = {
    name: char
    for char, names in {
        " ": "space spaces blanks leerzeichen",
        "_": "underscore underscores unterstrich unterstriche unterstrichen",
        "-": "hyphen hyphens dash dashes bindestrich bindestriche bindestrichen",
        ".": "dot dots punkt punkte punkten",
    }.items()
    for name in names.split()
}


# What some systems take in no name; another character in its place is not what was asked for.
_NOT_IN_NAMES: Final = '/\\\0:"<>|'


def _rule(**rule: str) -> Any:
    def make(slots: Slots) -> Job | None:
        which = slots.which
        if which is None or which.entries != "file" or which.is_duplicates or len(which.places) > 1:
            return None
        if which.is_everything and not (which.is_all or which.places):
            return None
        old, new = (_CHARACTERS.get(slots.get(each).lower(), slots.get(each)) for each in ("text", "text2"))
        filled = {name: text.replace("{text}", old).replace("{text2}", new) for name, text in rule.items()}
        if any(char in text for text in (old, new) for char in _NOT_IN_NAMES):
            return None
        return Rename(which, tuple(filled.items()))

    return make


def _numbered(slots: Slots) -> Job | None:
    """`beach_01, beach_02 and so on`: by the first of them, which ends in 1."""
    found = _NUMBERED.fullmatch(slots.get("name") or slots.get("text"))
    if found is None or not found["stem"]:
        return None
    second = slots.get("name2") or slots.get("text2")
    width = len(found["number"])
    if second and second != f"{found['stem']}{2:0{width}d}":
        return None
    field = "{n}" if width == 1 else f"{{n:{width}}}"
    made: Job | None = _rule(name=found["stem"].replace("{", "").replace("}", "") + field)(slots)
    return made


def _numbered_by(order: str) -> Any:
    def make(slots: Slots) -> Job | None:
        which = slots.which
        if which is None or (which.order is not None and which.order.limit):
            return None
        return _numbered(replace(slots, which=replace(which, order=Order(order, 0))))

    return make


_ORDERS: Final = {
    "oldest": "oldest first|by date|in order of date|starting with oldest|aelteste zuerst|aeltesten zuerst|nach datum",
    "newest": "newest first|latest first|starting with newest|neueste zuerst|neuesten zuerst",
    "largest": "biggest first|largest first|by size|groesste zuerst|groessten zuerst|nach groesse",
    "smallest": "smallest first|kleinste zuerst|kleinsten zuerst",
    "name": "by name|alphabetically|nach namen|nach name|alphabetisch",
}


def _extension(slots: Slots) -> Job | None:
    """Another ending: `*.md to *.txt`."""
    found = _ENDING.fullmatch(slots.get("text2") or slots.get("text"))
    which = slots.which
    old = _ENDING.fullmatch(slots.get("text")) if slots.get("text2") else None
    if found is None or which is None or (slots.get("text2") and old is None):
        return None
    if old is not None:
        kind = Kind("", f"{old[1]} files", f"{old[1]}-Dateien", old[1].lower())
        only = joined([IsKind(kind), *([which.condition] if which.condition is not None else [])])
        which = replace(which, condition=only)
    is_known = _rule(name="x")(replace(slots, which=which)) is not None
    return Ending(which, found[1]) if is_known else None


def _bare_extension(slots: Slots) -> Job | None:
    """The same without the word `extension`: only what cannot be a name."""
    return _extension(slots) if slots.get("text").startswith((".", "*.")) else None


def _stem_numbered(slots: Slots) -> Job | None:
    stem = (slots.get("name") or slots.get("text")).replace("{", "").replace("}", "")
    made: Job | None = _rule(name=f"{stem}_{{n:3}}")(slots)
    return made


_RENAME: Final = "(rename|change names of|change|umbenennen|benenne|nenne)"
_NAMES: Final = "(in names of|in file names of|in filenames of|in name of|in namen von|in dateinamen von|im namen von)"
# `The file names in Kasse`, where `in Kasse` alone says which.
_ALL_NAMES: Final = "[file|files|datei] (names|filenames|dateinamen|namen)"
_IN_NAMES: Final = f"(in|im|within) {_ALL_NAMES}"
_SO: Final = "(so that they|so they|to|such that they|that they)"

_LOWER: Final = "{name:lower}.{ext:lower}"
_UPPER: Final = "{name:upper}.{ext:upper}"

FORMS: Final = (
    *(
        Form(
            f"(sort|organize|organise|arrange|group|split|tidy|tidy up|clean up|sortiere|sortier|ordne|teile|raeum|raeume) [files in|files of|folder|ordner|dateien in] {{folder}} [folder] [into|in] [folders|subfolders|unterordner] (by|nach) ({words}) [(into|in) (folders|subfolders|separate folders|unterordner)] [auf|ein]",
            _sort(by),
        )
        for by, words in (
            ("type", "type|kind|file type|typ|dateityp|art"),
            ("ext", "extension|file extension|endung"),
            ("year", "year|jahr"),
            ("month", "month|monat"),
        )
    ),
    Form(
        f"{_RENAME} {{which}} (to|in|into) (lowercase|lower case|small letters|kleinbuchstaben) [um]",
        _rule(name=_LOWER),
    ),
    Form(f"{_RENAME} {{which}} (to|in|into) (uppercase|upper case|capitals|grossbuchstaben) [um]", _rule(name=_UPPER)),
    Form(f"{_RENAME} {{which}} (to|into|in|zu) {{text}} [um]", _bare_extension),
    Form("(change|set) [file] (extension|extensions|ending|endings) of {which} (to|into) {text}", _extension),
    Form("(change|set) [file] (extension|extensions|ending|endings) of {which} from {text} to {text2}", _extension),
    Form(
        "(aendere|aender) [datei] (endung|endungen|dateiendung|dateiendungen) von {which} (in|zu|auf) {text}",
        _extension,
    ),
    *(
        Form(f"({words}) {_ALL_NAMES} {{which}}", _rule(name=name))
        for words, name in (("lowercase|make lowercase", _LOWER), ("uppercase|make uppercase", _UPPER))
    ),
    Form(
        f"(replace|change|ersetze|ersetz) {{text}} (with|by|to|durch|mit) {{text2}} {_IN_NAMES} {{which}}",
        _rule(old="{text}", new="{text2}"),
    ),
    Form("(lowercase|make lowercase) [names of] {which}", _rule(name=_LOWER)),
    Form("(uppercase) [names of] {which}", _rule(name=_UPPER)),
    Form("make [names of] {which} lowercase", _rule(name=_LOWER)),
    Form("make [names of] {which} uppercase", _rule(name=_UPPER)),
    Form(
        f"(replace|ersetze|ersetz) {{text}} (with|by|durch|mit) {{text2}} {_NAMES} {{which}}",
        _rule(old="{text}", new="{text2}"),
    ),
    Form(f"(change|rename) {{text}} (to|into) {{text2}} {_NAMES} {{which}}", _rule(old="{text}", new="{text2}")),
    Form(
        f"(replace|ersetze|ersetz) {_NAMES} {{which}} {{text}} (with|by|durch|mit) {{text2}}",
        _rule(old="{text}", new="{text2}"),
    ),
    Form(
        "(remove|strip|entferne) {text} (from names of|from file names of|from name of|aus namen von|aus dateinamen von) {which}",
        _rule(old="{text}", new=""),
    ),
    Form(f"{_RENAME} {{which}} {_SO} (start|begin) with {{text}}", _rule(name="{text}{name}")),
    Form(f"{_RENAME} {{which}} {_SO} end (with|in) {{text}}", _rule(name="{name}{text}")),
    Form(
        "(add|put|prepend) [prefix] {text} (to beginning of|in front of|before|to start of) [names of|name of] {which}",
        _rule(name="{text}{name}"),
    ),
    Form("(add|prepend) prefix {text} to [names of|name of] {which}", _rule(name="{text}{name}")),
    Form(
        "(add|append|put) [suffix] {text} (to end of|behind|after) [names of|name of] {which}",
        _rule(name="{name}{text}"),
    ),
    Form("(prefix) {which} with {text}", _rule(name="{text}{name}")),
    Form("(setz|setze|haeng|haenge) {text} vor [namen von|dateinamen von] {which}", _rule(name="{text}{name}")),
    Form(
        "(number|rename|nummeriere|nenne|benenne) {which} (as|to|als|in) {text} {text2} [and so on|etc|usw|und so weiter|and so forth|um]",
        _numbered,
    ),
    Form(
        "(number|rename|nummeriere|nenne|benenne) {which} (as|to|als|in) {text} (and so on|etc|usw|und so weiter|and so forth)",
        _numbered,
    ),
    *(
        Form(
            f"(number|rename|nummeriere|nenne|benenne) {{which}} (as|to|als|in) {{text}} [{{text2}}] [and so on|etc|usw|und so weiter|and so forth|um] ({words}) [um]",
            _numbered_by(order),
        )
        for order, words in _ORDERS.items()
    ),
    Form(
        f"{_RENAME} {{which}} (so um dass|so dass|um sodass|um so dass|so um) {{text}} durch {{text2}} ersetzt wird",
        _rule(old="{text}", new="{text2}"),
    ),
    Form("(number|nummeriere) {which} (as|with|als|mit) {text}", _stem_numbered),
    Form("(add|put) [their|its] date (to|in front of|before) [names of|name of] {which}", _rule(name="{date}_{name}")),
    Form(
        "rename {which} (by|after|to) [their|its|capture|date] date [taken|they were taken]",
        _rule(name="{date}_{name}"),
    ),
)
