"""Numbers and orders: `the 3 biggest`, `first 5 lines`, `newest first`."""

from __future__ import annotations

from typing import Final

from deputy_sidecar.offline.amounts import number_of
from deputy_sidecar.offline.conditions import skip
from deputy_sidecar.offline.lexicon import Term
from deputy_sidecar.offline.slots import OWN, Slots

__all__ = ["SUPERLATIVES", "Orders"]

SUPERLATIVES: Final = {"biggest": "largest", "smallest": "smallest", "newest": "newest", "oldest": "oldest"}
_THESE: Final = frozenset("these those our meinen meine diese".split())
_ORDINALS: Final = {
    "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "zweite": 2, "zweiten": 2, "zweiter": 2, "dritte": 3, "dritten": 3, "vierte": 4, "vierten": 4,
}  # fmt: skip
_SINGLE: Final = {"file", "folder", "directory", "datei", "ordner", "verzeichnis", "one", "thing", "item"}


class Orders(Slots):
    """Reads numbers and orders."""

    def _number(self) -> bool:
        term = self.terms[self.at]
        number = number_of(term)
        if number is None or number != int(number) or number < 1:
            return False
        behind = self._term(1)
        if term.form in {"one", "a", "ein", "eine", "einen", "einem", "einer"}:
            self.at += 1
            return True
        if behind is None and self.order is None:
            return False
        self._end_number()
        if self.order is not None and not self.limit:
            self.limit = int(number)
        else:
            self.number, self.number_text = number, term.text
            before = self._term(-1)
            self.is_exact_number = before is not None and (before.form in OWN | _THESE or before.token.sort == "path")
        self.at += 1
        return True

    def _number_of_lines(self) -> bool:
        """`First 3 lines of`, `die letzten 2 Zeilen von`."""
        term = self.terms[self.at]
        if not (term.means("top_n", "lastn", "do:head", "do:tail", "first") or number_of(term) is not None):
            return False
        at = self.at
        which = "tail" if term.means("lastn", "do:tail") else "head"
        if number_of(term) is None:
            at += 1
        number = number_of(self.terms[at]) if at < len(self.terms) else None
        if (
            number is None
            or at + 1 >= len(self.terms)
            or not self.terms[at + 1].means("line")
            or number_of(term) is not None
        ):
            return False
        self.verbs.append(which)
        self.lines = int(number)
        self.at = at + 2
        return True

    def _superlative(self) -> bool:
        term = self.terms[self.at]
        behind = self._term(1)
        rank = _ORDINALS.get(
            term.form.removeprefix("the ").removeprefix("der ").removeprefix("die ").removeprefix("das ")
        )
        if rank is not None and behind is not None and behind.means(*SUPERLATIVES) and not (self.inner or self.order):
            # `The second biggest`.
            self.rank = rank
            self.at += 1
            return True
        by = next((order for word, order in SUPERLATIVES.items() if term.means(word)), None)
        if by is None or self.inner:
            return False
        if self.order is not None and self.order != by:
            return False
        self.order = by
        if self.number is not None:
            self.limit, self.number = int(self.number), None
        self.at += 1
        self.is_plural = self._is_plural(term)
        return True

    def _is_plural(self, term: Term) -> bool:
        """Whether more than one is asked for."""
        for other in self.terms[self.at :]:
            if other.means("file", "folder", "one") or other.kind is not None or other.is_unknown:
                last = other.tokens[-1].form
                if self.language == "de" and self._has_den_before(term) and not last.endswith(("n", "s")):
                    # `Den ältesten Spielstand`.
                    return False
                if self.language == "de":
                    return last not in _SINGLE and (
                        term.form.endswith("en")
                        or (term.form.endswith("e") and last.endswith("en") and not self.article)
                    )
                return last not in _SINGLE and last.endswith("s")
            if number_of(other) is not None:
                continue
            if not other.means("filler"):
                break
        for other in self.terms[: self.at]:
            if other.means("file", "folder") or other.kind is not None:
                last = other.tokens[-1].form
                return last not in _SINGLE and (self.language == "de" or last.endswith("s"))
        return not any(
            each.form in {"welcher", "welches", "which one", "what"} or each.form == "is"
            for each in self.terms[: self.at]
        )

    def _has_den_before(self, term: Term) -> bool:
        at = next((at for at, each in enumerate(self.terms) if each is term), 0)
        return at > 0 and self.terms[at - 1].form == "den"

    def _sorting(self) -> bool:
        term = self.terms[self.at]
        if self.verb == "tidy" and term.means("by_kind", "by_date", "by_year", "by_month"):
            self.target = "kind" if term.means("by_kind") else "date"
            self.at += 1
            return True
        for meaning, order in (("by_size", "largest"), ("by_date", "newest"), ("by_name", "name")):
            if term.means(meaning):
                self.order = self.order or order
                self.limit = self.limit or 0
                self.at += 1
                return True
        if term.means("descending", "ascending"):
            words = set(term.form.split())
            up = term.means("ascending")
            if words & {
                "newest",
                "latest",
                "oldest",
                "neueste",
                "neuesten",
                "aelteste",
                "aeltesten",
                "neuste",
                "neusten",
                "recent",
            } or self.order in {"newest", "oldest"}:
                self.order = "oldest" if up else "newest"
            elif self.order == "name":
                return False
            elif self.order in {"largest", "smallest"} or words & {
                "largest",
                "biggest",
                "smallest",
                "groessten",
                "groesste",
                "kleinsten",
                "kleinste",
            }:
                self.order = "smallest" if up else "largest"
            else:
                return False
            self.limit = self.limit or 0
            self.at += 1
            return True
        if term.means("top_n") and not term.means("first"):
            self.at += 1
            return True
        return False

    def _both(self) -> bool:
        """`Both tax files`: there have to be two."""
        term, behind = self.terms[self.at], self._term(1)
        if term.form not in {"both", "beide", "beiden"} or behind is None or self.inner or self.heads:
            return False
        following = self.terms[min(skip(self.terms, self.at + 1), len(self.terms) - 1)]
        if not (following.kind or following.is_unknown or following.means("file", "folder")):
            return False
        self.expected = 2
        self.at += 1
        return True

    def _nth(self) -> bool:
        """`The second one`."""
        term = self.terms[self.at]
        number = next((each.removeprefix("nth:") for each in term.meanings if each.startswith("nth:")), None)
        if number is None or self.inner or self.nth is not None or self.heads or self.order is not None:
            return False
        self.nth = int(number)
        self.at += 1
        return True
