"""One clause to one chore. Each word is taken up by a slot, holds the clause together, or is kept as unused."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from deputy_sidecar.offline.amounts import number_of
from deputy_sidecar.offline.chore import ACTS, Chore
from deputy_sidecar.offline.conditions import condition_at, name_at, skip
from deputy_sidecar.offline.lexicon import Language, Term
from deputy_sidecar.offline.nouns import Head, selector_of
from deputy_sidecar.offline.selector import (
    Changed,
    Condition,
    Deep,
    Empty,
    Holds,
    IsKind,
    Named,
    Not,
    Order,
    Selector,
    Under,
    joined,
)

__all__ = ["Clause"]

# Where a clause has several verbs, the first of these is what is done; those before it only lead to it.
_RANK: Final = (
    "undo trash move copy rename create tidy pack unpack replace compare report head tail linecount words lines when "
    "usage size count group read tree search write overview exists where which list"
).split()
_SUPERLATIVES: Final = {"biggest": "largest", "smallest": "smallest", "newest": "newest", "oldest": "oldest"}
_USUAL_LIMIT: Final = 10
# What describes rather than names: such a word in front of a kind is no piece of a name.
_DESCRIBES: Final = re.compile(
    r"(?:ed|ing|ful|less|able|ible|ous|ive|est|ier|lich|liche|lichen|ige|igen|bare|baren|ische|ischen)\Z"
)
_INFLECTED: Final = re.compile(r"(?:e|en|er|es|em)\Z")
_FOLDERS_OF_HOME: Final = {
    "downloads": "~/Downloads", "desktop": "~/Desktop", "schreibtisch": "~/Desktop", "home folder": "~",
}  # fmt: skip
_SINGLE: Final = {"file", "folder", "directory", "datei", "ordner", "verzeichnis", "one", "thing", "item"}


class Clause:
    """Reads one clause."""

    def __init__(self, terms: list[Term], language: Language, today: date, *, inner: bool = False) -> None:
        self.terms = terms
        self.language = language
        self.today = today
        # Whether it is what an exception or a condition says, without a verb of its own.
        self.inner = inner
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
        self.target: str | None = None
        self.target_at = -1
        self.case: str | None = None
        self.names: list[str] = []
        self.text: str | None = None
        self.lines: int | None = None
        self.output: str | None = None
        self.is_duplicates = False
        self.refers = False
        self.there = False
        self.joined_by: str | None = None
        self.changed: str | None = None
        self.article = False
        self.unused: list[str] = []
        self.missing: str | None = None
        self.last_object_at = -1

    # The clause as a whole.

    def read(self) -> Clause:
        """Takes up every term."""
        self._find_verbs()
        while self.at < len(self.terms):
            begun = self.at
            if not any(step() for step in self._steps()):
                self._leave(self.terms[self.at].text)
                self.at += 1
            assert self.at > begun
        self._end_number()
        if self.changed is not None and not (
            self._has(Changed) or self.order in {"newest", "oldest"} or self.verb == "when"
        ):
            self._leave(self.changed)
        if self.ahead:
            self._open(Head(is_general=True))
        return self

    def _steps(self) -> tuple[Callable[[], bool], ...]:
        return (
            self._mark,
            self._verb,
            self._number_of_lines,
            self._except,
            self._new_folder,
            self._target,
            self._condition,
            self._place,
            self._superlative,
            self._sorting,
            self._head,
            self._negation,
            self._connector,
            self._pronoun,
            self._changed_word,
            self._number,
            self._soft,
            self._unknown,
        )

    @property
    def verb(self) -> str:
        """What is done."""
        return next((verb for verb in _RANK if verb in self.verbs), "list")

    @property
    def is_act(self) -> bool:
        """Whether it changes something."""
        return self.verb in ACTS

    def _term(self, ahead: int = 0) -> Term | None:
        at = self.at + ahead
        return self.terms[at] if 0 <= at < len(self.terms) else None

    def _leave(self, text: str) -> None:
        self.unused.append(text)

    def _has(self, sort: type) -> bool:
        return any(isinstance(each, sort) for head in self.heads for each in (*head.before, *head.behind)) or any(
            isinstance(each, sort) for each in self.ahead
        )

    # Verbs.

    def _find_verbs(self) -> None:
        """All verbs first: in German the one that counts may stand last."""
        if self.inner:
            return
        for at, term in enumerate(self.terms):
            for meaning in sorted(term.meanings):
                if meaning.startswith("do:") and self._is_verb(at, term, meaning.removeprefix("do:")):
                    self.verbs.append(meaning.removeprefix("do:"))

    def _is_verb(self, at: int, term: Term, verb: str) -> bool:
        if verb == "create" and "do:move" in term.meanings:
            return any(other.form == "an" for other in self.terms[at + 1 :])
        if verb == "move" and "do:create" in term.meanings:
            return not any(other.form == "an" for other in self.terms[at + 1 :])
        if verb == "create":
            # `Created` and `make` have other uses behind an object.
            return (
                at == 0
                or all(
                    each.means("filler") or each.means("pronoun", "first") or each.token.sort == "mark"
                    for each in self.terms[:at]
                )
                or at == len(self.terms) - 1
                or self._ends(at)
            )
        if verb == "rename" and term.form in {"call", "give the name"}:
            return at == 0
        if verb in {"write", "report"} and self.language == "de" and at > 0:
            return verb == "write"
        return not term.means("biggest", "duplicate", "holds")

    def _ends(self, at: int) -> bool:
        return all(each.means("filler") or each.token.sort == "mark" for each in self.terms[at + 1 :])

    def _verb(self) -> bool:
        term = self.terms[self.at]
        own = [meaning.removeprefix("do:") for meaning in term.meanings if meaning.startswith("do:")]
        if self.inner or not any(verb in self.verbs for verb in own):
            return False
        if term.means("changed") and self.at > 0:
            return False
        if term.means("inside_all") and self.is_act:
            return False
        if self.verb not in own and (self.heads or self.ahead) and term.kind is None:
            # `The film of the cat`: behind what is acted on, another verb is none.
            return False
        self.at += 1
        self._end_number()
        self.verb_words.append(term.form)
        if self.verb in {"search", "lines"} and set(own) & {"search", "lines"}:
            self._searched()
        return True

    def _searched(self) -> None:
        """`Grep TODO`, `search for "x"`."""
        at = self.at
        while at < len(self.terms) and (
            self.terms[at].form in {"for", "nach", "the", "dem", "a"} or self.terms[at].means("word")
        ):
            at += 1
        if at >= len(self.terms) or self.text is not None:
            return
        term = self.terms[at]
        if term.token.sort == "quoted" or (term.is_unknown and (self.verb == "lines" or self._is_text(at))):
            self.at = at + 1
            if self.verb == "lines":
                self.text = term.text
            else:
                self.outside.append(Holds(term.text))

    def _is_text(self, at: int) -> bool:
        """A bare word behind `search for` is a text unless it is a thing that one has: `suche meine Rechnung`."""
        led = self.verb_words[-1].split()[-1:] in (["for"], ["nach"]) or any(
            each.form in {"for", "nach"} for each in self.terms[self.at : at]
        )
        return led and all(
            not each.means("filler") or each.form in {"for", "nach"} for each in self.terms[self.at : at]
        )

    # Marks, numbers, small words.

    def _mark(self) -> bool:
        term = self.terms[self.at]
        if term.token.sort != "mark" or term.means("or", "and"):
            return False
        if term.text == ",":
            self.joined_by = self.joined_by or ","
            self.is_open = False
        elif term.text not in ".?!:–—…":
            return False
        self.at += 1
        return True

    def _end_number(self) -> None:
        """A number that nothing took up."""
        if self.number is not None:
            self._leave(self.number_text)
            self.number = None

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
        if self.order is not None and self.limit is None:
            self.limit = int(number)
        else:
            self.number, self.number_text = number, term.text
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

    def _soft(self) -> bool:
        term = self.terms[self.at]
        if term.means("all"):
            self.is_all_ahead = True
            behind = self._term(1)
            if term.form in {"everything", "anything", "alles", "something", "etwas"} or (
                term.form == "all" and (behind is None or behind.means("in", "in_folder", "except", "not_in"))
            ):
                self._open(Head(is_general=True, is_all=True))
        elif term.means("there") and self.verb in {"move", "copy"} and term.form != "in it":
            self.there = True
            self.target_at = self.at
        elif not term.means(
            "filler",
            "here",
            "new",
            "only",
            "recursive",
            "first",
            "and_sizes",
            "and_dates",
            "one",
            "holds_end",
            "trash_can",
            "then",
            "keep_one",
            "word",
        ):
            return False
        elif term.means("trash_can"):
            if self.verb not in {"move", "trash"}:
                return False
            self.verbs.append("trash")
        elif term.means("keep_one") and not self.is_duplicates:
            return False
        if self.verb in {"move", "copy", "rename"} and term.form in {"to", "into", "onto", "nach", "in"}:
            # It leads nowhere.
            return False
        self.article = term.form in {"the", "my", "our", "die", "der", "das", "den", "meine", "meinen", "mein"}
        self.at += 1
        return True

    def _changed_word(self) -> bool:
        term = self.terms[self.at]
        if not term.means("changed"):
            return False
        self.changed = term.text
        self.at += 1
        return True

    # Conditions.

    def _condition(self) -> bool:
        found = condition_at(self.terms, self.at, self.today)
        if found is None:
            return False
        if self.number is not None and isinstance(found.condition, Holds):
            self._end_number()
        self._add(found.condition)
        self.at = found.end
        return True

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

    def _superlative(self) -> bool:
        term = self.terms[self.at]
        by = next((order for word, order in _SUPERLATIVES.items() if term.means(word)), None)
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
                if self.language == "de":
                    return term.form.endswith("en") and last not in _SINGLE
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

    def _sorting(self) -> bool:
        term = self.terms[self.at]
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

    # Exceptions and what is not.

    def _except(self) -> bool:
        term = self.terms[self.at]
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

    def _negation(self) -> bool:
        term = self.terms[self.at]
        if not term.means("not") or self.inner:
            return False
        if term.means("do:exists") or self.at + 1 >= len(self.terms) or (self.is_act and not self.heads):
            return False
        return self._without(self.at + 1)

    def _without(self, begin: int) -> bool:
        """What is behind `except`, to the end of the clause or to where the target begins."""
        end = begin
        while (
            end < len(self.terms)
            and not self._is_pure_target(end)
            and not (
                end > begin and self.terms[end].means("top", "trash_can", "there") and not self.terms[end].means("in")
            )
        ):
            end += 1
        inner = Clause(self.terms[begin:end], self.language, self.today, inner=True).read()
        without = inner.excluded()
        if without is None:
            return False
        self.unused += inner.unused
        self.outside += [Not(each) for each in without]
        self.at = end
        self.is_open = False
        self.joined_by = None
        return True

    def excluded(self) -> list[Condition] | None:
        """What an exception is about; None where it says nothing."""
        if (
            self.order is not None
            or self.is_duplicates
            or self.missing is not None
            or self.target is not None
            or self.outside
        ):
            return None
        if self.refers and self.heads:
            return None
        places = joined([Under(place) for place in self.places], any_of=True)
        parts = [head.condition for head in self.heads]
        if any(part is None for part in parts) and not (places and len(parts) == 1):
            return [places] if places is not None and all(part is None for part in parts) else None
        conditions = [part for part in parts if part is not None]
        if not conditions and places is None:
            return None
        return [joined([each, *([places] if places is not None else [])]) or each for each in conditions] or (
            [places] if places else None
        )

    # Places and targets.

    def _is_pure_target(self, at: int) -> bool:
        """Whether a preposition leads to where things go, and to nothing else."""
        term = self.terms[at]
        if self.verb not in {"move", "copy", "rename"} or self.inner or not term.means("to"):
            return False
        pure = term.form in {
            "to",
            "into",
            "onto",
            "nach",
            "over to",
            "to the folder",
            "into the folder",
            "->",
            "=>",
            "over into",
            "in den ordner",
            "in das verzeichnis",
            "into folder",
            "to folder",
            "ins",
            "zum ordner",
            "in einen ordner",
            "in den",
            "in das",
            "to the directory",
            "into the directory",
        }
        behind = skip(self.terms, at + 1, "new", "all")
        return pure and behind < len(self.terms)

    def _new_folder(self) -> bool:
        """`A folder called X` is made, or things go there."""
        if self.verb != "create" or not (
            self.terms[self.at].means("new_folder") or self.terms[self.at].means("folder")
        ):
            return False
        at = self.at + 1
        while at < len(self.terms) and self.terms[at].means("named", "filler", "new"):
            at += 1
        found = False
        while (name := name_at(self.terms, at)) is not None and not self.terms[at].means("to", "in"):
            if (
                self.terms[at].kind is None
                and not self.terms[at].is_unknown
                and not self.terms[at].token.is_name
                and not self.terms[at].text[:1].isupper()
                and not (
                    self.terms[at].means("vague", "new", "oldest", "newest")
                    or self.terms[at].token.sort == "number"
                    or not self.terms[at].means("filler")
                )
            ):
                break
            self.names.append(name[0])
            found = True
            at = name[1]
            following = at
            while following < len(self.terms) and (
                self.terms[following].means("and", "filler", "new_folder") or self.terms[following].text == ","
            ):
                following += 1
            if following == at or following >= len(self.terms) or self._ends(at):
                break
            at = following
        if found:
            self.at = at
        return found

    def _target(self) -> bool:
        term = self.terms[self.at]
        if self.inner or not term.means("to") or self.target is not None:
            return False
        verb = self.verb
        if verb == "rename":
            return self._new_name()
        name = name_at(self.terms, self.at + 1)
        if name is not None and self._is_output(term):
            self.output, self.at = name[0], name[1]
            return True
        if verb not in {"move", "copy"}:
            return False
        if not self._is_pure_target(self.at) and (
            any(self._is_pure_target(at) for at in range(self.at + 1, len(self.terms)))
            or any(each.means("there") for each in self.terms[self.at + 1 :])
        ):
            return False
        if not (self.heads or self.refers or self.ahead or self.is_duplicates or self.order):
            return False
        if condition_at(self.terms, self.at, self.today) is not None and term.means("in"):
            return False
        found = self._folder_at(self.at + 1, is_target=True)
        if found is None or len(found[0]) != 1:
            return False
        self.target, self.at = found[0][0], found[1]
        self.target_at = self.at
        self.is_open = False
        return True

    def _is_output(self, term: Term) -> bool:
        """Whether the file that follows is where the answer is written: only a verb for writing makes it one."""
        return (
            {"write", "report"} & set(self.verbs) != set()
            and not self.is_act
            and self.output is None
            and self.terms[self.at + 1].token.sort in {"file", "path"}
            and term.form in {"to", "into", "in", "nach", "onto", "->"}
        )

    def _new_name(self) -> bool:
        at = self.at + 1
        while at < len(self.terms) and self.terms[at].means("filler", "new") and not self._ends(at):
            at += 1
        name = name_at(self.terms, at)
        if name is None or not (self.refers or any(head.is_exact for head in self.heads)):
            return False
        self.target, self.at = name
        return True

    def _folder_at(self, at: int, *, is_target: bool = False) -> tuple[list[str], int] | None:
        """The folder that is named from here: `the Old folder`, `folder Old`, `a new folder called Old`, `Old and New`."""
        had_article = False
        while at < len(self.terms) and (
            self.terms[at].means("new_folder", "named", "folder", "in_folder", "new")
            or (self.terms[at].means("filler") and number_of(self.terms[at]) is None)
            or (number_of(self.terms[at]) == 1 and self.terms[at].token.sort == "word")
        ):
            had_article = had_article or self.terms[at].means("filler", "new_folder", "folder")
            if (
                self.terms[at].text[:1].isupper()
                and self.language == "en"
                and self.terms[at].token.sort == "word"
                and not self.terms[at].means("folder")
            ):
                break
            at += 1
        name = name_at(self.terms, at)
        if name is None or at >= len(self.terms):
            return None
        term, (text, end) = self.terms[at], name
        if term.form in {"subfolder", "subfolders", "unterordner", "unterordnern"}:
            return None
        home = _FOLDERS_OF_HOME.get(text.lower())
        if home is not None and (at > 0 and self.terms[at - 1].form in {"my", "meine", "meinen", "mein", "die", "den"}):
            return [home], self._past_folder(end)
        if term.token.sort in {"file", "glob"} and not is_target:
            return None
        if term.token.sort == "glob":
            return None
        behind = self._past_folder(end)
        said_folder = behind > end or (
            at > 0 and self.terms[at - 1].means("folder", "in_folder", "new_folder", "named")
        )
        known = not term.is_unknown and not term.token.is_name
        if known and not said_folder and not is_target:
            # `In notes` may be a kind; `in Notes` and `in the notes folder` are folders.
            bare = (at > 0 and not self.terms[at - 1].means("filler")) or self.terms[at - 1].means("in")
            if (
                self.is_act
                or not (
                    term.kind is not None and len(term.tokens) == 1 and bare and self.verb not in {"search", "lines"}
                )
            ) and not term.text[:1].isupper():
                return None
        if (
            known
            and is_target
            and not said_folder
            and not term.kind
            and not term.text[:1].isupper()
            and term.meanings & {"pronoun", "all", "file", "folder", "filler", "here", "not", "and"}
        ):
            return None
        folders = [text]
        while (
            behind + 1 < len(self.terms)
            and self.terms[behind].means("and", "or")
            and not is_target
            and (more := name_at(self.terms, behind + 1)) is not None
            and (
                self.terms[behind + 1].is_unknown
                or self.terms[behind + 1].token.sort == "path"
                or (self.terms[behind + 1].kind is not None and self.is_act is False and False)
            )
        ):
            folders.append(more[0])
            behind = self._past_folder(more[1])
        return folders, behind

    def _past_folder(self, at: int) -> int:
        return at + 1 if at < len(self.terms) and self.terms[at].means("folder") else at

    def _place(self) -> bool:
        term = self.terms[self.at]
        if term.means("inside_all"):
            found = self._folder_at(self.at + 1)
            if found is not None:
                self.places += found[0]
                self.at = found[1]
                self._open(Head(is_general=True, is_all=True))
                return True
        if not term.means("in", "in_folder", "inside") or (self.verb == "create" and not self.names):
            return False
        found = self._folder_at(self.at + 1 if not term.means("in_folder") else self.at)
        if found is None:
            return self._in_file()
        if self.places:
            return False
        self.places, self.at = found
        if term.means("inside"):
            self.outside.append(Deep(1))
        self.is_open = bool(self.heads)
        return True

    def _in_file(self) -> bool:
        """`In error.log`: the file is what is looked at."""
        behind = skip(self.terms, self.at + 1, "file")
        if (
            behind < len(self.terms)
            and self.terms[behind].token.sort in {"file", "path"}
            and self.verb in {"lines", "head", "tail", "linecount", "words", "read", "search"}
        ):
            self.at = behind
            return True
        return False

    # Heads.

    def _open(self, head: Head) -> None:
        joined_by = self.joined_by
        head.before = [*head.before, *self.ahead]
        head.is_all = head.is_all or self.is_all_ahead
        self.ahead = []
        self.is_all_ahead = False
        self.heads.append(head)
        self.is_open = True
        self.joined_by = None
        self.last_object_at = self.at
        if len(self.heads) > 1 and joined_by is None:
            # Two things beside each other, without a word that joins them.
            self.missing = self.missing or "ambiguous"
        if self.target is not None and not self.inner:
            # What comes behind the target in English is no longer what is moved.
            self.missing = self.missing or ("order" if self.language == "en" else None)

    def _head(self) -> bool:
        term = self.terms[self.at]
        if term.means("empty"):
            behind, after = self._term(1), self._term(2)
            if behind is not None and behind.is_unknown and after is not None and after.means("folder"):
                return self._folder_named(self.at)
            self._add(Empty())
            self.at += 1
            return True
        if term.means("duplicate") or (
            term.means("copy_noun") and self.verb == "trash" and self.at + 1 == len(self.terms)
        ):
            self.is_duplicates = True
            self.at += 1
            return True
        if self._folder_named(self.at):
            return True
        if term.token.is_name:
            return self._exact(term)
        if term.kind is not None or term.token.sort == "ending":
            kind = IsKind(term.kind) if term.kind is not None else condition_of_ending(term)
            return self._described(kind, general=False)
        if term.means("file"):
            if self.heads and self.is_open and not self.heads[-1].is_exact:
                self.at += 1
                return True
            return self._described(None, general=True)
        if term.means("folder"):
            if self.heads and self.is_open and self.heads[-1].topics:
                return False
            self._open(Head(entries="folder", is_general=True))
            self.at += 1
            return self._take_number()
        return False

    def _is_beside(self, at: int) -> bool:
        """Whether nothing that counts is between there and here."""
        return all(each.means("filler", "all", "named") for each in self.terms[at + 1 : self.at])

    def _take_number(self) -> bool:
        if self.number is not None and self.order is None:
            return True
        if self.number is not None:
            self.limit, self.number = int(self.number), None
        return True

    def _folder_named(self, at: int) -> bool:
        """`The Scans folder`, `folder Scans`: one folder as the thing itself."""
        term = self.terms[at]
        words: list[str] = []
        end = at
        if term.means("folder") and not term.means("here"):
            nxt = skip(self.terms, at + 1, "named")
            name = name_at(self.terms, nxt)
            if name is None or not (
                self.terms[nxt].is_unknown
                or self.terms[nxt].token.sort in {"path", "quoted"}
                or (
                    (self.terms[nxt].kind is not None or self.terms[nxt].text[:1].isupper())
                    and term.tokens[-1].form in _SINGLE
                )
            ):
                return False
            if self.terms[nxt - 1].means("filler") and self.terms[nxt - 1] is not term:
                return False
            words, end = [name[0]], name[1]
        else:
            while (
                end < len(self.terms)
                and len(words) < 3
                and (
                    self.terms[end].is_unknown
                    or self.terms[end].kind is not None
                    or self.terms[end].token.sort in {"path", "quoted"}
                    or (
                        (
                            (self.terms[end].means("empty", "oldest") and end == at)
                            or (self.terms[end].text[:1].isupper() and end > 0)
                        )
                        and not self.terms[end].means("folder")
                    )
                )
                and not self.terms[end].means("all")
            ):
                words += [each.text for each in self.terms[end].tokens]
                end += 1
            if (
                not words
                or end >= len(self.terms)
                or not self.terms[end].means("folder")
                or self.terms[end].tokens[-1].form not in _SINGLE
            ):
                return False
            if end - at == 1 and term.means("empty"):
                return False
            end += 1
        self.at = end
        named = Named(" ".join(words).rstrip("/"), "is")
        if self.verb in {"size", "usage", "overview", "tree", "count", "list", "which"} and not self.heads:
            self.places.append(named.text)
            return True
        self._open(Head(entries="folder", what=named, is_exact=True))
        return True

    def _exact(self, term: Term) -> bool:
        sort, text = term.token.sort, term.text
        if self.verb in {"create"} or (sort == "quoted" and self.verb in {"lines", "search"}):
            if self.text is not None or self.verb == "create":
                return False
            self.text = text
            self.at += 1
            return True
        looks_like_file = bool(re.search(r"\.[A-Za-z]\w{0,7}\Z", text))
        if sort == "path" and not looks_like_file and not any(char in text for char in "*?"):
            if self.verb in {"move", "copy", "trash", "rename"} and not self.places:
                self._open(Head(entries=None, what=Named(text.rstrip("/"), "is"), is_exact=True))
            elif not self.places:
                self.places.append(text.rstrip("/") or "/")
            else:
                return False
            self.at += 1
            return True
        if sort == "quoted" and not looks_like_file and not self.is_act:
            self._add(Holds(text)) if self.verb in {"search"} else self._open(Head(what=Named(text, "has")))
            self.at += 1
            return True
        last = self.heads[-1] if self.heads and self.is_open else None
        if last is not None and looks_like_file and not (last.behind or last.topics or last.is_exact or last.is_all):
            # `The picture icon.gif` is that file.
            last.what, last.is_exact, last.is_general = Named(text, "is"), True, False
            self.at += 1
            return True
        how = "glob" if sort == "glob" or any(char in text for char in "*?") else "is"
        self._open(
            Head(
                entries="file" if looks_like_file or how == "glob" else None,
                what=Named(text, how),
                is_exact=how == "is",
            )
        )
        self.at += 1
        return True

    def _described(self, what: Condition | None, *, general: bool) -> bool:
        head = self.heads[-1] if self.heads and self.is_open else None
        if head is not None and head.topics and head.what is None and not head.behind and not head.is_general:
            # `The wedding photos`.
            head.what = what
            head.is_general = False
        elif head is not None and head.is_exact:
            return False
        elif (
            head is not None
            and head.is_general
            and what is not None
            and not head.behind
            and head.entries == "file"
            and not head.is_all
            and self._is_beside(self.last_object_at)
        ):
            head.what, head.is_general = what, False
        elif head is not None and head.what is not None and what is not None:
            return False
        else:
            self._open(Head(what=what, is_general=general))
        self.at += 1
        return self._take_number()

    def _connector(self) -> bool:
        term = self.terms[self.at]
        if not term.means("and", "or", "but"):
            return False
        if self.at + 1 >= len(self.terms):
            return False
        self.joined_by = "or" if term.means("or") else "and"
        self.is_open = False
        self.at += 1
        return True

    def _pronoun(self) -> bool:
        term = self.terms[self.at]
        if not term.means("pronoun"):
            return False
        if self.inner and "ones" in term.form.split() and self.heads:
            return False
        if not term.means("filler") or term.form in {"them", "it", "those", "both", "that", "these"}:
            self.refers = not self.inner
        self.at += 1
        self.is_open = self.is_open or bool(self.heads)
        return True

    # Words that no vocabulary has.

    def _unknown(self) -> bool:
        term = self.terms[self.at]
        if not term.is_unknown:
            return False
        word = term.text
        if _DESCRIBES.search(term.form) or len(word) < 3:
            return False
        before = self._term(-1)
        if before is not None and before.form in {
            "are",
            "is",
            "was",
            "were",
            "be",
            "ist",
            "sind",
            "war",
            "waren",
            "that are",
            "which are",
        }:
            return False
        if not self.verb_words and not self.inner:
            # What stands in front of the verb may be another verb.
            return False
        behind = self._term(1)
        if behind is not None and behind.means("line") and self.text is None and not self.is_act:
            self.verbs.append("lines")
            self.text = word
            self.at += 2
            return True
        if self.verb in {"read", "linecount", "words", "head", "tail", "when"} and not self.heads:
            self._open(Head(entries="file", what=Named(word, "is"), is_exact=True))
            self.at += 1
            return True
        if self.verb in {"size", "overview", "tree", "usage"} and not self.heads and not self.places:
            self.places.append(word)
            self.at += 1
            return True
        if self.verb == "create" or not self.verbs:
            return False
        if set(self.verbs) <= {"which", "exists"} and not self._beside_a_kind():
            return False
        if (
            self.language == "de"
            and word.islower()
            and _INFLECTED.search(word)
            and behind is not None
            and (behind.kind or behind.means("file", "folder"))
        ):
            return False
        alone = not self.heads or not self.is_open
        if self.is_act:
            return self._acted_on(term, alone=alone)
        head = self._topic_head(alone=alone)
        head.topics.append(word)
        self.at += 1
        return True

    def _beside_a_kind(self) -> bool:
        return any(
            each is not None and (each.kind is not None or each.means("file", "folder", "all", "do:exists"))
            for each in (self._term(1), self._term(-1))
        )

    def _topic_head(self, *, alone: bool) -> Head:
        if alone:
            self._open(Head())
        return self.heads[-1]

    def _acted_on(self, term: Term, *, alone: bool) -> bool:
        behind = self._term(1)
        if not alone:
            head = self.heads[-1]
            if head.topics and not head.behind and not head.is_exact and head.what is None:
                head.topics.append(term.text)
                self.at += 1
                return True
            return False
        if self.target is not None:
            return False
        if self.language == "de" and not term.text[:1].isupper() and behind is not None and behind.kind is not None:
            return False
        if (
            self.language == "en"
            and self.article
            and not term.form.endswith("s")
            and not (behind is not None and (behind.kind or behind.is_unknown or behind.means("file")))
        ):
            # One thing: `the data` is what is called so.
            self._open(Head(entries=None, what=Named(term.text, "is"), is_exact=True))
            self.at += 1
            return True
        at_end = behind is None or behind.means("to", "in", "and", "then", "filler") or behind.token.sort == "mark"
        if (self.language == "de" or not self.article) and at_end and not self.is_all_ahead:
            self._open(Head(entries=None, what=Named(term.text, "is"), is_exact=True))
        else:
            self._open(Head(topics=[term.text]))
        self.at += 1
        return True

    # What came of it.

    def selector(self) -> Selector | None:
        """Which files the clause is about."""
        limit: int | None = None
        if self.order is not None:
            if self.limit is not None:
                limit = self.limit or None
            elif self.is_plural:
                limit = _USUAL_LIMIT
                if self.is_act:
                    self.missing = self.missing or "how_many"
            else:
                limit = 1
        elif self.limit:
            self.missing = self.missing or "order_by"
        order = Order(self.order, limit) if self.order is not None else None
        if any(self._has_two_times(head) for head in self.heads):
            self.missing = self.missing or "ambiguous"
        return selector_of(self.heads, self.places, self.outside, order, is_duplicates=self.is_duplicates)

    @staticmethod
    def _has_two_times(head: Head) -> bool:
        """Two dates are a span where one opens and the other closes it; else one of them was misread."""
        times = [each for each in (*head.before, *head.behind) if isinstance(each, Changed)]
        return len(times) > 2 or (len(times) == 2 and {time.first is None for time in times} != {True, False})

    def chore(self) -> Chore | None:
        """The chore; None where something is missing, which `missing` names."""
        selector = self.selector()
        if selector is None:
            self.missing = self.missing or "ambiguous"
            return None
        return Chore(
            self.verb,
            selector,
            target=self.target,
            names=tuple(self.names),
            text=self.text,
            number=self.lines,
            output=self.output,
        )


def condition_of_ending(term: Term) -> Condition:
    """`.pdf` as a kind."""
    from deputy_sidecar.offline.words.kinds import Kind

    extension = term.token.form.lstrip(".")
    return IsKind(Kind("", f"{extension} files", f"{extension}-Dateien", extension))
