"""What is known of a clause while it is read: its terms, and the slots that they have filled so far."""

from __future__ import annotations

from typing import Final

from deputy_sidecar.offline.chore import ACTS
from deputy_sidecar.offline.lexicon import Term
from deputy_sidecar.offline.nouns import Head
from deputy_sidecar.offline.scene import Scene
from deputy_sidecar.offline.selector import (
    Condition,
    Deep,
    Named,
    joined,
)

__all__ = ["FOLDERS_OF_HOME", "OWN", "Slots"]

# Folders that people have, by the names they use for them behind a word for `my`.
FOLDERS_OF_HOME: Final = {
    "downloads": "~/Downloads", "desktop": "~/Desktop", "schreibtisch": "~/Desktop", "home folder": "~",
}  # fmt: skip
OWN: Final = frozenset({"my", "mein", "meine", "meinen", "meinem", "die", "den", "the"})

# Where a clause has several verbs, the first of these is what is done; those before it only lead to it.
_RANK: Final = (
    "undo trash move copy rename create tidy pack unpack replace compare report head tail linecount words lines when "
    "usage size count group tree read search write overview exists where which list"
).split()


class Slots:
    """The slots of one clause."""

    def __init__(self, terms: list[Term], scene: Scene, *, inner: bool = False) -> None:
        self.terms = terms
        self.scene = scene
        self.language = scene.language
        self.today = scene.today
        # Whether it is what an exception or a condition says, without a verb of its own.
        self.inner = inner
        # Whether it is what `if` leads to: a folder in it has to be there.
        self.is_test = False
        self.at = 0
        self.verbs: list[str] = []
        self.verb_words: list[str] = []
        self.heads: list[Head] = []
        self.is_open = False
        self.ahead: list[Condition] = []
        self.is_all_ahead = False
        self.places: list[str] = []
        self.outside: list[Condition] = []
        self.order: str | None = None
        self.limit: int | None = None
        self.is_plural = True
        self.number: float | None = None
        self.number_text = ""
        # `The two offers`: how many there have to be.
        self.is_exact_number = False
        self.expected: int | None = None
        # `All but the newest 3`: by what, and how many are kept.
        self.keep: tuple[str, int] | None = None
        self.target: str | None = None
        self.target_at = -1
        self.case: str | None = None
        self.names: list[str] = []
        self.text: str | None = None
        self.lines: int | None = None
        self.output: str | None = None
        # `The second biggest`.
        self.rank = 1
        self.is_duplicates = False
        self.refers = False
        self.there = False
        # `What is left in it`: the folder that the step before was about.
        self.refers_place = False
        self.joined_by: str | None = None
        # `The second one`, of what was listed before.
        self.nth: int | None = None
        self.changed: str | None = None
        self.article = False
        self.unused: list[str] = []
        self.missing: str | None = None
        self.last_object_at = -1

    @property
    def verb(self) -> str:
        """What is done."""
        return next((verb for verb in _RANK if verb in self.verbs), "list")

    @property
    def is_act(self) -> bool:
        """Whether it changes something."""
        return self.verb in ACTS

    @property
    def is_act_on_files(self) -> bool:
        """Whether what is named is itself what is acted on."""
        return self.is_act and self.verb != "tidy"

    def _past_home(self, at: int) -> int:
        return at + 1 if at < len(self.terms) and self.terms[at].means("folder") else at

    def _term(self, ahead: int = 0) -> Term | None:
        at = self.at + ahead
        return self.terms[at] if 0 <= at < len(self.terms) else None

    def _leave(self, text: str) -> None:
        self.unused.append(text)

    def _has(self, sort: type) -> bool:
        return any(isinstance(each, sort) for head in self.heads for each in (*head.before, *head.behind)) or any(
            isinstance(each, sort) for each in self.ahead
        )

    def _ends(self, at: int) -> bool:
        return all(each.means("filler") or each.token.sort == "mark" for each in self.terms[at + 1 :])

    def _end_number(self) -> None:
        """A number that nothing took up."""
        if self.number is not None:
            self._leave(self.number_text)
            self.number = None

    def _open(self, head: Head) -> None:
        joined_by = self.joined_by
        head.before = [*head.before, *self.ahead]
        head.is_all = head.is_all or self.is_all_ahead
        head.is_led = 0 < self.at < len(self.terms) and self.terms[self.at - 1].form in OWN
        self.ahead = []
        self.is_all_ahead = False
        self.heads.append(head)
        self.is_open = True
        self.joined_by = None
        self.last_object_at = self.at
        if len(self.heads) > 1 and joined_by is None:
            # Two things alongside each other, without a word that joins them.
            self.missing = self.missing or "ambiguous"
        if self.target is not None and not self.inner:
            # What comes behind the target in English is no longer what is moved.
            self.missing = self.missing or ("order" if self.language == "en" else None)

    def _add(self, condition: Condition) -> None:
        if isinstance(condition, Deep):
            self.outside.append(condition)
            return
        if isinstance(condition, Named) and condition.how == "has" and self.heads and self.is_open and self.is_act:
            # What is to be changed is called so, and does not just hold it.
            condition = Named(condition.text, "is") if self.heads[-1].entries == "folder" else condition
        list_ = self.heads[-1].behind if self.heads and (self.is_open or self.joined_by is not None) else self.ahead
        if self.joined_by == "or" and list_:
            list_[-1] = joined([*getattr(list_[-1], "parts", [list_[-1]]), condition], any_of=True) or condition
        elif self.joined_by == "or":
            self.missing = "ambiguous"
        else:
            list_.append(condition)
        self.joined_by = None
        if list_ is not self.ahead:
            self.is_open = True
