"""What is left out: `except the newest`, `but not in Old`, `but only the epubs`, `all but the 3 largest`."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from deputy_sidecar.offline.amounts import number_of
from deputy_sidecar.offline.conditions import skip
from deputy_sidecar.offline.lexicon import Term
from deputy_sidecar.offline.orders import SUPERLATIVES
from deputy_sidecar.offline.places import Places
from deputy_sidecar.offline.selector import Condition, Holds, IsKind, Not, Under, joined
from deputy_sidecar.offline.slots import Slots

__all__ = ["Exceptions", "excluded"]


# `But leave the offer where it is`.
_AS_IT_IS: Final = frozenset(
    "where is where's it is they are as alone untouched where are wo sie es ist sind wie".split()
    + ["where is", "where are", "in place", "it is"]
)


class Exceptions(Places):
    """Reads exceptions."""

    @abstractmethod
    def _inner(self, terms: list[Term]) -> Slots:
        """The words of an exception, read like a clause of their own."""

    def _except(self) -> bool:
        term = self.terms[self.at]
        if self.heads and self._only():
            return True
        if term.means("not_in"):
            name = self._folder_at(self.at + 1)
            if name is None:
                return False
            places, self.at = name
            self.outside += [Not(Under(place)) for place in places]
            self.is_open = True
            return True
        if not term.means("except"):
            return False
        return self._without(self.at + 1)

    def _only(self) -> bool:
        """`The books, but only the epubs`: one kind of what was said."""
        if not self.terms[self.at].means("but", "only") or self.inner or len(self.heads) != 1:
            return False
        begin = self.at + 1
        if self.terms[self.at].means("but"):
            if begin >= len(self.terms) or not self.terms[begin].means("only"):
                return False
            begin += 1
        begin = skip(self.terms, begin)
        kind = self.terms[begin].kind if begin < len(self.terms) else None
        if kind is None:
            return False
        self.outside.append(IsKind(kind))
        self.at = begin + 1
        self.is_open = False
        self.joined_by = None
        return True

    def _negation(self) -> bool:
        term = self.terms[self.at]
        if not term.means("not") or self.inner:
            return False
        if term.means("do:exists") or self.at + 1 >= len(self.terms) or not self.heads:
            return False
        return self._without(self.at + 1)

    def _without(self, begin: int) -> bool:
        """What is behind `except`, to the end of the clause or to where the target begins."""
        if begin < len(self.terms) and self.terms[begin].means("and", "or"):
            # `Except and images`: something is lost.
            return False
        if self._keeping(begin):
            return True
        end = begin
        while (
            end < len(self.terms)
            and not self._is_pure_target(end)
            and not (
                end > begin and self.terms[end].means("top", "trash_can", "there") and not self.terms[end].means("in")
            )
        ):
            end += 1
        said = [term for term in self.terms[begin:end] if not (term.means("filler") or term.token.sort == "mark")]
        if self._ends_in_text() and len(said) == 1 and (said[0].is_unknown or said[0].token.sort == "quoted"):
            # `That contain ERROR but not disk`: another text.
            self.outside.append(Not(Holds(said[0].text)))
            self.at = end
            return True
        stop = end
        while stop > begin + 1 and self.terms[stop - 1].form in _AS_IT_IS:
            stop -= 1
        inner = self._inner(self.terms[begin:stop])
        without = excluded(inner)
        if without is None and self._is_other_sort(inner):
            # `All empty files, but no folders`: those were not meant anyway.
            self.at = end
            return True
        if without is None:
            return False
        known = self.scene.known
        folders = [place.rstrip("/") for place in inner.places]
        if known is not None and any(
            place not in known.folders and self.scene.folder(place) is None for place in folders
        ):
            # `Without scan0002 in a zip file`: such an exception would exclude nothing.
            return False
        is_named = bool(self.heads) and all(head.is_exact for head in self.heads)
        if self.is_act and inner.places and inner.heads and not (self.places or is_named):
            # `Everything except the PDFs in Inbox`: are only the PDFs there, or is everything?
            self.missing = self.missing or "ambiguous"
        self.unused += inner.unused
        self.outside += [Not(each) for each in without]
        self.at = end
        self.is_open = False
        self.joined_by = None
        return True

    def _ends_in_text(self) -> bool:
        """Whether the last that was said is a text that files hold."""
        last = self.heads[-1].behind if self.heads else self.ahead
        return bool(last) and isinstance(last[-1], Holds)

    def _is_other_sort(self, inner: Slots) -> bool:
        """Whether an exception names only folders where files are meant, or the other way around."""
        own = {head.entries for head in self.heads}
        others = {head.entries for head in inner.heads}
        plain = all(head.is_general and head.condition is None for head in inner.heads)
        return (
            plain and not inner.unused and len(own) == len(others) == 1 and None not in own | others and own != others
        )

    def _keeping(self, begin: int) -> bool:
        """`Except the newest`, `all but the 3 largest`: which of them stay."""
        by: str | None = None
        number: float | None = None
        is_many = False
        end = next((at for at in range(begin, len(self.terms)) if self._is_pure_target(at)), len(self.terms))
        for at, term in enumerate(self.terms[begin:end]):
            found = next((order for word, order in SUPERLATIVES.items() if term.means(word)), None)
            if found is not None and by is None:
                by = found
            elif number_of(term) is not None and number is None:
                number = number_of(term)
            elif by is not None and not self.heads and (term.kind is not None or term.means("file") or term.is_unknown):
                # `All but the 2 newest logs`: what they are comes behind.
                self.keep = (by, int(number or 1))
                self.at = begin + at
                self.is_all_ahead = True
                if number is None and term.tokens[-1].form.endswith("s"):
                    self.missing = self.missing or "how_many"
                return True
            elif term.kind is not None or term.means("file", "one", "pronoun"):
                if term.kind is not None and all(head.what != IsKind(term.kind) for head in self.heads):
                    return False
                is_many = term.tokens[-1].form.endswith("s")
            elif not (term.means("filler") or term.token.sort == "mark"):
                return False
        if by is None or self.keep is not None or number == 0:
            return False
        if number is None and is_many:
            self.missing = self.missing or "how_many"
        self.keep = (by, int(number or 1))
        self.at = end
        return True


def excluded(inner: Slots) -> list[Condition] | None:
    """What an exception is about; None where it says nothing."""
    if (
        inner.order is not None
        or inner.is_duplicates
        or inner.missing is not None
        or inner.target is not None
        or inner.outside
    ):
        return None
    if inner.refers and inner.heads:
        return None
    places = joined([Under(place) for place in inner.places], any_of=True)
    parts = [head.condition for head in inner.heads]
    if any(part is None for part in parts) and not (places and len(parts) == 1):
        return [places] if places is not None and all(part is None for part in parts) else None
    conditions = [part for part in parts if part is not None]
    if not conditions and places is None:
        return None
    return [joined([each, *([places] if places is not None else [])]) or each for each in conditions] or (
        [places] if places else None
    )
