"""New names for many files by one rule: case, a piece replaced, a beginning or an end, numbers, dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from deputy_sidecar.offline.forms import Form, Slots
from deputy_sidecar.offline.job import Job, Steps
from deputy_sidecar.offline.looking import checked, one
from deputy_sidecar.offline.phrasing import selector_in_words
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.selector import Selector, filter_of
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["FORMS"]

_DRAFT: Final = re.compile(r"draft: ([0-9a-f]{64})")
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
    return checked((yield from one(what, submit)), language, what).strip()


def _rule(**rule: str) -> Any:
    def make(slots: Slots) -> Job | None:
        which = slots.which
        if which is None or which.entries != "file" or which.is_duplicates or len(which.places) > 1:
            return None
        if which.is_everything and not (which.is_all or which.places):
            return None
        filled = {
            name: text.replace("{text}", slots.get("text")).replace("{text2}", slots.get("text2"))
            for name, text in rule.items()
        }
        if any(char in text for text in filled.values() for char in "/\\\0"):
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


def _stem_numbered(slots: Slots) -> Job | None:
    stem = (slots.get("name") or slots.get("text")).replace("{", "").replace("}", "")
    made: Job | None = _rule(name=f"{stem}_{{n:3}}")(slots)
    return made


_RENAME: Final = "(rename|change names of|change|umbenennen|benenne|nenne)"
_NAMES: Final = "(in names of|in file names of|in filenames of|in name of|in namen von|in dateinamen von|im namen von)"
_SO: Final = "(so that they|so they|to|such that they|that they)"

_LOWER: Final = "{name:lower}.{ext:lower}"
_UPPER: Final = "{name:upper}.{ext:upper}"

FORMS: Final = (
    *(
        Form(
            f"(sort|organize|organise|arrange|group|split|sortiere|sortier|ordne|teile) [files in|files of|folder|ordner|dateien in] {{folder}} [folder] [into|in] [folders|subfolders|unterordner] (by|nach) ({words}) [(into|in) (folders|subfolders|separate folders|unterordner)] [auf|ein]",
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
    Form("(number|nummeriere) {which} (as|with|als|mit) {text}", _stem_numbered),
    Form("(add|put) [their|its] date (to|in front of|before) [names of|name of] {which}", _rule(name="{date}_{name}")),
    Form(
        "rename {which} (by|after|to) [their|its|capture|date] date [taken|they were taken]",
        _rule(name="{date}_{name}"),
    ),
)
