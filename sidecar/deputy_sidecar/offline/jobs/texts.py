"""Texts of many files: one text replaced by another, files put one after the other into a new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from deputy_sidecar.offline.acting import chosen
from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.forms import Form, Slots
from deputy_sidecar.offline.job import Job, Steps
from deputy_sidecar.offline.looking import checked, one
from deputy_sidecar.offline.phrasing import selector_in_words
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.selector import Holds, Selector, filter_of
from deputy_sidecar.offline.steps import Call, Calls, NotPossibleError
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["FORMS"]

# More files than this are no card that a person reads.
MOST_EDITED: Final = 50
MOST_JOINED: Final = 100


@dataclass(frozen=True)
class Replace:
    """A text in files; all edits are one card of diffs."""

    selector: Selector
    old: str
    new: str
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        what = selector_in_words(self.selector, language)
        return say(
            language,
            f"replace “{self.old}” with “{self.new}” in the text of {what}",
            f"im Text von {what} „{self.old}“ durch „{self.new}“ ersetzen",
        )

    def run(self, language: str) -> Steps:
        """Finds the files that hold it, and edits them together."""
        what, selector = self.phrase(language), self.selector
        where = {"where": condition} if (condition := filter_of(selector.condition)) else {}
        path = selector.places[0] if selector.places else "."
        call = Call(
            "search", {"action": "grep", "pattern": self.old, "literal": True, "files_only": True, "path": path} | where
        )
        found = listing(checked((yield from one(what, call)), language, what))
        if not found.lines:
            return say(
                language,
                f"No file holds “{self.old}”. Nothing was changed.",
                f"Keine Datei enthält „{self.old}“. Nichts wurde geändert.",
            )
        if found.more or len(found.lines) > MOST_EDITED:
            raise NotPossibleError(
                say(
                    language,
                    f"More than {MOST_EDITED} files hold it; say which of them. Nothing was changed.",
                    f"Mehr als {MOST_EDITED} Dateien enthalten das; bitte sagen, welche. Nichts wurde geändert.",
                )
            )
        there = yield from self._had_it(tuple(found.lines), language)
        yield from _patched(tuple(found.lines), self.old, self.new, what, language)
        number, names = len(found.lines), "\n".join(f"- {each}" for each in found.lines)
        said = say(language, f"Changed {_files(number)}.", f"{_dateien(number)} geändert.")
        return f"{said} {there}".strip() + f"\n\n{names}"

    def _had_it(self, paths: tuple[str, ...], language: str) -> Steps:
        """Said where the new text is there already: putting the old one back would change that, too."""
        if not self.new:
            return _HAD_IT[language != "de"]
        call = Call("search", {"action": "grep", "pattern": self.new, "literal": True, "files_only": True, "path": "."})
        found = listing(checked((yield from one(self.phrase(language), call)), language, self.new))
        return _HAD_IT[language != "de"] if found.more or set(found.lines) & set(paths) else ""

    def undone(self, paths: tuple[str, ...], said: str) -> Replaced | None:
        """How to restore the replaced text; None if that would change more than was replaced."""
        return Replaced(paths, self.new, self.old) if paths and not any(each in said for each in _HAD_IT) else None


# By whether the language is English; found again in what a task ended with.
_HAD_IT: Final = (
    "Der neue Text stand schon vorher in einigen; zurücknehmen lässt sich das nur mit dem Knopf „Rückgängig“.",
    "Some of them held the new text before; only the Undo button takes this back.",
)


def _files(number: int) -> str:
    return f"{number} {'file' if number == 1 else 'files'}"


def _dateien(number: int) -> str:
    return f"{number} {'Datei' if number == 1 else 'Dateien'}"


def _patched(paths: tuple[str, ...], old: str, new: str, what: str, language: str) -> Steps:
    edits = [
        Call("code", {"action": "patch", "path": path, "old": old, "new": new, "replace_all": True}) for path in paths
    ]
    results = yield Calls(what, edits)
    for result in results:
        checked(result, language, what)


@dataclass(frozen=True)
class Replaced:
    """Undoes a replacement in the files that it changed."""

    paths: tuple[str, ...]
    old: str
    new: str
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        return say(
            language,
            f"put “{self.new}” back in place of “{self.old}” in {', '.join(self.paths)}",
            f"in {', '.join(self.paths)} wieder „{self.new}“ statt „{self.old}“ schreiben",
        )

    def run(self, language: str) -> Steps:
        """Restores the text in each file."""
        yield from _patched(self.paths, self.old, self.new, self.phrase(language), language)
        number = len(self.paths)
        return say(language, f"Changed {_files(number)} back.", f"{_dateien(number)} zurückgeändert.")


@dataclass(frozen=True)
class Join:
    """Files, one after the other by name, into a new one."""

    selector: Selector
    output: str
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        what = selector_in_words(self.selector, language)
        return say(
            language,
            f"put the text of {what} one after the other into {self.output}",
            f"den Text von {what} hintereinander in {self.output} schreiben",
        )

    def run(self, language: str) -> Steps:
        """Reads each as a whole, and writes the new file."""
        what = self.phrase(language)
        entries = yield from chosen(Chore("join", self.selector), language)
        if not entries or len(entries) > MOST_JOINED:
            raise NotPossibleError(
                say(
                    language,
                    f"There are {len(entries)} such files; nothing was written.",
                    f"Es sind {len(entries)} solche Dateien; nichts wurde geschrieben.",
                )
            )
        there = yield from one(
            what, Call("search", {"action": "find", "path": ".", "pattern": self.output, "sort": "name"})
        )
        if any(line.split("\t")[0] == self.output for line in listing(checked(there, language, what)).lines):
            raise NotPossibleError(
                say(
                    language,
                    f"{self.output} is there already; nothing was written.",
                    f"{self.output} gibt es schon; nichts wurde geschrieben.",
                )
            )
        results = yield Calls(what, [Call("code", {"action": "read", "path": entry.path}) for entry in entries])
        texts: list[str] = []
        for entry, result in zip(entries, results, strict=True):
            head, _, text = checked(result, language, what).partition("\n")
            if (
                "; read on with offset=" in text
                or text.endswith(" was cut]")
                or "its content is not shown" in head
                or "not UTF-8" in head
            ):
                raise NotPossibleError(
                    say(
                        language,
                        f"{entry.path} is no text, or too long; nothing was written.",
                        f"{entry.path} ist kein Text oder zu lang; nichts wurde geschrieben.",
                    )
                )
            texts.append(text if text.endswith("\n") or not text else text + "\n")
        checked(
            (yield from one(what, Call("code", {"action": "write", "path": self.output, "content": "".join(texts)}))),
            language,
            what,
        )
        return say(
            language,
            f"Wrote {len(texts)} files into {self.output}.",
            f"{len(texts)} Dateien in {self.output} geschrieben.",
        )


def _is_whole(selector: Selector | None) -> bool:
    return (
        selector is not None
        and selector.order is None
        and not selector.is_duplicates
        and selector.entries == "file"
        and len(selector.places) <= 1
    )


def _replace(slots: Slots) -> Job | None:
    which: Any = slots.which
    if not _is_whole(which) or (which.is_everything and not (which.is_all or which.places)) or not slots.get("text"):
        return None
    held = [part.text for part in getattr(which.condition, "parts", [which.condition]) if isinstance(part, Holds)]
    # `Which files mention A`, `replace A with B in them`; any other text is unclear.
    if any(text.lower() != slots.get("text").lower() for text in held):
        return None
    return Replace(which, slots.get("text"), slots.get("text2"))


def _join(slots: Slots) -> Job | None:
    which: Any = slots.which
    if not _is_whole(which) or (which.is_everything and not which.places):
        return None
    return Join(which, slots.get("file"))


FORMS: Final = (
    Form(
        "(replace|change|substitute|swap|exchange|sed|ersetze|ersetz|tausche|aendere) [every|word|text|each|wort|all] {text} (with|by|to|into|for|->|=>|durch|mit|gegen|in|zu) {text2} (in|in text of|within|throughout|across|inside|auf) {which} [aus]",
        _replace,
    ),
    Form("(replace|ersetze|ersetz|tausche) (in) {which} {text} (with|by|durch|mit|gegen) {text2} [aus]", _replace),
    Form("(in) {which} (replace|ersetze) [every|word|text|each|wort] {text} (with|by|durch|mit) {text2}", _replace),
    Form(
        "(concatenate|concat|join|merge|combine|cat|collect|fuege|verbinde|fass|fasse) {which} (into|in|to|zu) [one|single|new|einer|eine|new file] [file|datei] [called|named|namens] {file} [zusammen|together]",
        _join,
    ),
)
