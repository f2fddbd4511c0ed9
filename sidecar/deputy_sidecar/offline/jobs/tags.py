"""Tags: giving them, taking them away, and which there are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from deputy_sidecar.offline.acting import chosen
from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.forms import Form, Slots
from deputy_sidecar.offline.job import Job, Steps
from deputy_sidecar.offline.looking import checked, one, path_of
from deputy_sidecar.offline.phrasing import counted, selector_in_words
from deputy_sidecar.offline.results import shares
from deputy_sidecar.offline.selector import Selector
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["FORMS", "Tag"]

LONGEST_TAG: Final = 64


@dataclass(frozen=True)
class Tag:
    """Tags that files get, or lose."""

    selector: Selector
    tag: str
    is_removed: bool = False
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        what = selector_in_words(self.selector, language)
        if self.is_removed:
            return say(
                language, f"remove the tag “{self.tag}” from {what}", f"den Tag „{self.tag}“ entfernen von: {what}"
            )
        return say(language, f"give the tag “{self.tag}” to {what}", f"den Tag „{self.tag}“ geben: {what}")

    def run(self, language: str) -> Steps:
        """Sets them by one call."""
        what = self.phrase(language)
        entries = yield from chosen(Chore("tag", self.selector), language)
        if not entries:
            raise NotPossibleError(say(language, "There are no such files.", "Es gibt keine solchen Dateien."))
        paths = [entry.path for entry in entries]
        call = Call("tags", {"paths": paths, "remove" if self.is_removed else "add": [self.tag]})
        checked((yield from one(what, call)), language, what)
        folders = sum(entry.is_folder for entry in entries)
        count = counted(language, len(entries) - folders, folders)
        head = (
            say(language, f"Removed the tag “{self.tag}” from {count}.", f"Tag „{self.tag}“ von {count} entfernt.")
            if self.is_removed
            else say(language, f"Gave the tag “{self.tag}” to {count}.", f"{count} mit dem Tag „{self.tag}“ versehen.")
        )
        return head + "\n\n" + "\n".join(f"- {path}" for path in paths[:60])


@dataclass(frozen=True)
class TagsOf:
    """The tags of one file, or all tags that there are."""

    file: str
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading."""
        if not self.file:
            return say(language, "list the tags in this folder", "die Tags in diesem Ordner auflisten")
        return say(language, f"list the tags of {self.file}", f"die Tags von {self.file} auflisten")

    def run(self, language: str) -> Steps:
        """Asks for them."""
        what = self.phrase(language)
        none = say(language, "no tags", "keine Tags")
        if not self.file:
            rows = shares(
                checked(
                    (yield from one(what, Call("search", {"action": "usage", "path": ".", "by": "tag"}))),
                    language,
                    what,
                )
            )
            return "\n".join(f"- {row.name} ({counted(language, row.files)})" for row in rows) or f"{none}."
        path = yield from path_of(self.file, language)
        found = checked((yield from one(what, Call("search", {"action": "info", "path": path}))), language, what)
        tags = re.search(r"\ttags=([^\t\n]+)", found)
        return f"{path}: {tags.group(1).replace(',', ', ') if tags is not None else none}."


def _tag(*, is_removed: bool = False) -> Any:
    def make(slots: Slots) -> Job | None:
        which, tag = slots.which, slots.get("text").strip()
        if which is None or which.order is not None or which.is_duplicates:
            return None
        if which.is_everything and not (which.is_all and which.places):
            return None
        is_plain = "," not in tag and 0 < len(tag) <= LONGEST_TAG and tag.lower() not in _NO_TAGS
        return Tag(which, tag, is_removed) if is_plain else None

    return make


def _tag_them(slots: Slots) -> Job | None:
    """`Tag it old`: without `as` only where the tag is all that follows."""
    return _tag()(slots) if slots.get("which").lower() in {"it", "them", "those", "these"} else None


_NO_TAGS: Final = frozenset("read unread it them that this done? gelesen".split())
_GIVE: Final = "(tag|label|mark|tagge|markiere|markier|versieh|etikettiere)"
_WITH: Final = "(as|with|as being|with tag|with tags|als|mit|mit tag)"

FORMS: Final = (
    Form(f"{_GIVE} {{which}} {_WITH} {{text}}", _tag()),
    Form("(tag|label) {which} {text}", _tag_them),
    Form("(add|put|set|attach|assign) [new] tag {text} (to|on|for) {which}", _tag()),
    Form("(give|gib) {which} [new] tag {text}", _tag()),
    Form("{which} (als|mit) {text} (taggen|markieren|versehen)", _tag()),
    Form("{which} mit tag {text} versehen", _tag()),
    Form("(remove|delete|take|strip|drop) tag {text} (from|off|of) {which}", _tag(is_removed=True)),
    Form("(untag) {which} (as|from) {text}", _tag(is_removed=True)),
    Form("(entferne|entfern|loesche|loesch|nimm) tag {text} (von|aus|bei) {which} [weg]", _tag(is_removed=True)),
    Form("tag {text} von {which} entfernen", _tag(is_removed=True)),
    Form("(what|which|list|show|welche) tags (does|do|has|hat) {file} [have]", lambda slots: TagsOf(slots.get("file"))),
    Form("[what are|list|show|zeig|zeige|what is] (tags|tag|schlagwoerter) (of|on|for|von) {file}", lambda slots: TagsOf(slots.get("file"))),
    Form("(how is|wie ist) {file} (tagged|getaggt|markiert)", lambda slots: TagsOf(slots.get("file"))),
    Form("is {file} tagged", lambda slots: TagsOf(slots.get("file"))),
    Form("(what|which|list|show|welche|zeig|zeige) tags [are there|are used|do i have|do i use|have i used|gibt es|habe ich|here|hier]", lambda _: TagsOf("")),
)  # fmt: skip
