"""One clause to one chore. Each word is taken up by a slot, holds the clause together, or is kept as unused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from deputy_sidecar.offline.chore import ACTS, Chore
from deputy_sidecar.offline.conditions import condition_at, skip
from deputy_sidecar.offline.dates import FEASTS, days_at
from deputy_sidecar.offline.exceptions import Exceptions
from deputy_sidecar.offline.lexicon import LEADS_NOUN, NOUNISH, Term, lexicon
from deputy_sidecar.offline.measures import MeasuredTerm, with_measures
from deputy_sidecar.offline.nouns import Head, in_folder, selector_of
from deputy_sidecar.offline.orders import Orders
from deputy_sidecar.offline.selector import (
    Any_,
    Changed,
    Holds,
    Order,
    Selector,
    Topic,
    with_whole_words,
)
from deputy_sidecar.offline.slots import Slots
from deputy_sidecar.offline.things import Things
from deputy_sidecar.offline.tokens import normal

__all__ = ["LEADS_TO_A_PLACE", "SOME", "Clause"]

_USUAL_LIMIT: Final = 10
_QUESTIONS: Final = frozenset(
    "do:" + each for each in "count which when where exists size usage linecount words".split()
)
# Words for `all` in a list, but for a few that nobody can know in an act.
SOME: Final = frozenset("some something irgendein irgendeine irgendwelche".split())
_INTO: Final = frozenset(
    {"into", "into the folder", "into folder", "in den ordner", "in einen ordner", "in einen neuen ordner"}
)
# A folder follows, or something was lost.
LEADS_TO_A_PLACE: Final = frozenset("in inside within from under aus im vom".split())
_THOSE: Final = frozenset("those these that this".split())
_REFER: Final = frozenset("them it those both these es sie ihn".split())
_DONE: Final = frozenset("deleted removed trashed moved copied renamed geloescht geloeschte geloeschten".split())
_WISHES: Final = frozenset("want need like should must be get have wants i'd moechte will haette soll sollen".split())
# What leads from one verb to the next, as in `find and delete`, `help me to delete`.
# Words that seldom name the kind of a file.
_RARELY_A_KIND: Final = frozenset("worksheet worksheets workbook workbooks papers".split())
_LEADS: Final = frozenset("and und to zu then dann want i'd".split())


def _has_verb(terms: list[Term]) -> bool:
    return any(each.startswith("do:") for term in terms for each in term.meanings)


class Clause(Orders, Exceptions, Things):
    """Reads one clause."""

    def read(self) -> Clause:
        """Takes up every term."""
        self.terms = with_measures([self._as_called(term) for term in self.terms])
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
            self._open(Head(is_general=True, is_implied=True))
        known = self.scene.known
        if known is not None and not self.places and (inside := in_folder(self.heads, known.folders)) is not None:
            self.heads, self.places = inside
        if not self.is_act and known is not None and set(self.places) <= known.folders:
            for head in self.heads:
                # `The recipes in the folder Recipes`.
                head.topics = [word for word in head.topics if not self._is_of_place(word)]
        return self

    def _as_called(self, term: Term) -> Term:
        """Reads `the worksheets` as files with that word in their names, not as spreadsheets, if there are any."""
        known = self.scene.known
        is_soft = term.kind is not None and len(term.tokens) == 1 and term.form in _RARELY_A_KIND
        if not is_soft or known is None or not known.is_there(term.text):
            return term
        return Term(term.text, frozenset(), term.tokens)

    def _inner(self, terms: list[Term]) -> Slots:
        return Clause(terms, self.scene, inner=True).read()

    def _steps(self) -> tuple[Callable[[], bool], ...]:
        return (
            self._mark,
            self._verb,
            self._nth,
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
            self._both,
            self._pronoun,
            self._changed_word,
            self._year_behind,
            self._number,
            self._soft,
            self._unknown,
        )

    def _find_verbs(self) -> None:
        """All verbs first: in German the one that counts may stand last."""
        if self.inner:
            return
        self.terms = [self._as_noun(at, term) for at, term in enumerate(self.terms)]
        for at, term in enumerate(self.terms):
            for meaning in sorted(term.meanings):
                if meaning.startswith("do:") and self._is_verb(at, term, meaning.removeprefix("do:")):
                    self.verbs.append(meaning.removeprefix("do:"))
        self._add_hidden_verb()

    def _add_hidden_verb(self) -> None:
        """`Get the scans into Archive`: what is done is said by where things go."""
        first = next((term for term in self.terms if not term.means("filler") or term.form == "get"), None)
        if first is not None and first.form == "get" and any(term.form in _INTO for term in self.terms):
            self.verbs.append("move")

    def _as_noun(self, at: int, term: Term) -> Term:
        """`The newest save`, `my records`: behind an article such a word is a thing."""
        if at == 0 or len(term.tokens) > 1:
            return term
        if term.form == "zip" and _has_verb(self.terms[:at]):
            # `Put the zip into Old`.
            return Term(term.text, frozenset(), term.tokens, lexicon("en").kinds[("zips",)])
        acts = {f"do:{act}" for act in ACTS}
        is_object = self.terms[at - 1].form in LEADS_NOUN and any(each.meanings & acts for each in self.terms[:at])
        if is_object and term.meanings and all(each.startswith("do:") for each in term.meanings):
            # `Delete the cat pictures`, which is not a command to print anything.
            return Term(term.text, frozenset(), term.tokens)
        before = self.terms[at - 1]
        is_unit = bool(term.meanings) and all(each.startswith("unit:") for each in term.meanings)
        is_amount = any(meaning.startswith("number:") for meaning in before.meanings) or before.token.sort == "number"
        if is_unit and (before.means("do:which", "all") or (before.is_unknown and not is_amount)):
            # `Which minutes mention chairs`, `board minutes`: no time, but what was written at a meeting.
            return Term(term.text, frozenset(), term.tokens)
        if is_object and term.means("copy_noun"):
            # `Throw away the copy`.
            return Term(term.text, frozenset({"copy_noun"}), term.tokens)
        if term.form not in NOUNISH:
            return term
        # `The sql dumps`.
        is_led = before.kind is not None and _has_verb(self.terms[: at - 1])
        is_led = (
            is_led
            or before.is_unknown
            or before.means("do:which")
            or before.form in LEADS_NOUN
            or before.means("newest", "oldest", "biggest", "smallest", "empty")
        )
        return Term(term.text, frozenset(), term.tokens) if is_led else term

    def _is_verb(self, at: int, term: Term, verb: str) -> bool:
        if verb == "move" and term.form in {"raeum", "raeume"}:
            # `Räum hier mal auf`: the particle makes it another verb.
            if any(other.form == "auf" for other in self.terms[at + 1 :]):
                self.verbs.append("tidy")
                return False
            return True
        if term.form in _DONE and not any(each.form in _WISHES for each in self.terms[:at]):
            # `The deleted files`, `you moved them`: what was done is not an order.
            return False
        if verb == "create" and "do:move" in term.meanings:
            return any(other.form == "an" for other in self.terms[at + 1 :])
        if verb == "move" and "do:create" in term.meanings:
            return not any(other.form == "an" for other in self.terms[at + 1 :])
        if verb == "create":
            # `Created` and `make` have other uses behind an object.
            return (
                at == 0
                or all(
                    each.means("filler", "pronoun", "first", "and", "then") or each.token.sort == "mark"
                    for each in self.terms[:at]
                )
                or at == len(self.terms) - 1
                or self._ends(at)
            )
        if verb == "rename" and term.form in {"call", "give the name", "name"}:
            is_naming = len(self.terms) > 2 and self.terms[1].means("pronoun") and not self.terms[2].means("and")
            return at == 0 and (term.form != "name" or is_naming)
        if verb in {"write", "report"} and self.language == "de" and at > 0:
            return verb == "write"
        return not term.means("biggest", "duplicate", "holds")

    @property
    def is_order(self) -> bool:
        """Whether what changes something is what is asked for: `which files did I move` is a question."""
        acts = {f"do:{each}" for each in ACTS}
        at = next((at for at, term in enumerate(self.terms) if term.meanings & acts and term.kind is None), 0)
        ahead = self.terms[:at]
        if any(term.meanings & _QUESTIONS and not term.means("filler") for term in ahead):
            return False
        last = next((i for i in range(at - 1, -1, -1) if any(m.startswith("do:") for m in ahead[i].meanings)), None)
        return last is None or any(set(term.form.split()) & _LEADS for term in self.terms[last:at])

    def _verb(self) -> bool:
        term = self.terms[self.at]
        own = [meaning.removeprefix("do:") for meaning in term.meanings if meaning.startswith("do:")]
        if term.form in {"where", "wo"} and self.at > 0 and self._condition():
            return True
        if "move" in own and "tidy" in self.verbs:
            own = ["tidy"]
        if self.inner or not any(verb in self.verbs for verb in own):
            return False
        if term.means("changed") and self.at > 0:
            return False
        if term.means("inside_all") and self.is_act:
            return False
        asks = not self.is_act and {"exists", "list", "which"} & set(own)
        if self.verb not in own and (self.heads or self.ahead) and not asks:
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

    def _soft(self) -> bool:
        term = self.terms[self.at]
        shows_a_file = self.verb in {"list", "which", "overview"} and bool(self.heads) and self.heads[-1].is_exact
        if shows_a_file and term.means("holds") and self._ends(self.at):
            # `Show me what letter.txt says`.
            self.verbs = ["read"]
            self.at += 1
            return True
        if self.verb == "read" and term.means("holds", "do:which"):
            # `Read me what the letter says`.
            self.at += 1
            return True
        if term.means("all"):
            if (self.is_act or self.inner) and term.form in SOME:
                return False
            self.is_all_ahead = True
            behind = self._term(1)
            if term.form in {"everything", "anything", "alles", "something", "etwas"} or (
                term.form == "all" and (behind is None or behind.means("in", "in_folder", "except", "not_in"))
            ):
                self._open(Head(is_general=True, is_all=True))
        elif term.means("left") or (term.means("there") and not self.is_act):
            if self.is_act:
                return False
            self.refers_place = True
        elif term.means("same_place"):
            if self.target is None or "." not in self.target:
                return False
        elif term.means("there") and self.verb in {"move", "copy"} and term.form != "in it":
            self.there = True
            self.target_at = self.at
        elif (term.means("new") and self.verb == "create" and self.names) or not term.means(
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
        elif term.means("word") and self.is_act and not self.inner and not self._leads_to_text():
            # `The text recipes`: it says which, and nobody has used it.
            return False
        if self.is_act and term.form in LEADS_TO_A_PLACE:
            # `Delete the logs in`: a folder is missing.
            return False
        if self.verb in {"move", "copy", "rename"} and term.form in {"to", "into", "onto", "nach", "in"}:
            # It leads nowhere.
            return False
        self.article = term.form in {"the", "my", "our", "die", "der", "das", "den", "meine", "meinen", "mein"}
        self.at += 1
        return True

    def _leads_to_text(self) -> bool:
        """`Whose text contains south`."""
        behind = self._term(1)
        return behind is not None and behind.means("holds", "holds_not")

    def _changed_word(self) -> bool:
        term = self.terms[self.at]
        if not term.means("changed"):
            return False
        self.changed = term.text
        self.at += 1
        return True

    def _condition(self) -> bool:
        term = self.terms[self.at]
        if isinstance(term, MeasuredTerm) and term.condition is not None:
            self._add(term.condition)
            self.at += 1
            return True
        found = condition_at(self.terms, self.at, self.today)
        if found is None or (isinstance(found.condition, Changed) and self._is_feast_of_a_name(found.end)):
            return False
        if self.is_act and self.terms[self.at].means("about") and isinstance(found.condition, Any_):
            # What something is about is a guess, which is enough to look for it.
            return False
        if self.number is not None and isinstance(found.condition, Holds):
            self._end_number()
        self._add(found.condition)
        self.at = found.end
        return True

    def _is_feast_of_a_name(self, end: int) -> bool:
        """`Christmas 2024`, where names hold the word: the days, or what is called so?"""
        return any(normal(term.text) in FEASTS and self.scene.is_there(term.text) for term in self.terms[self.at : end])

    def _year_behind(self) -> bool:
        """`Receipts 2026`: of that year by name or by date, which is enough to look for them."""
        term = self.terms[self.at]
        head = self.heads[-1] if self.heads and self.is_open else None
        if (
            head is None
            or (self.is_act and self.verb != "copy")
            or self.inner
            or head.is_exact
            or self.number is not None
        ):
            return False
        year = days_at([term], 0, self.today) if term.token.sort == "number" else None
        if year is None:
            return False
        head.behind.append(Any_((Topic(term.text), Changed(year[0].first, year[0].end))))
        self.at += 1
        return True

    def _connector(self) -> bool:
        term = self.terms[self.at]
        if not term.means("and", "or", "but"):
            return False
        behind = self._term(1)
        if behind is None or behind.token.sort == "mark" or self._is_pure_target(self.at + 1):
            return False
        following = skip(self.terms, self.at + 1, "then", "first")
        leads = following < len(self.terms) and any(each.startswith("do:") for each in self.terms[following].meanings)
        if self.is_act and term.means("but"):
            return False
        if self.is_act and not (self.heads or self.ahead or self.is_duplicates or self.names or self.refers or leads):
            # `Delete and exe files`: something is lost.
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
        behind = self._term(1)
        if (
            not self.is_act
            and term.form in _THOSE
            and behind is not None
            and (behind.is_unknown or behind.kind or behind.means("file"))
        ):
            # `Those posters`.
            self.at += 1
            return True
        if not term.means("filler") or term.form in _REFER:
            self.refers = not self.inner
        self.at += 1
        self.is_open = self.is_open or bool(self.heads)
        return True

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
        is_usual = self.is_plural and self.limit is None
        order = Order(self.order, limit, is_usual=is_usual, skip=self.rank - 1) if self.order is not None else None
        if self.rank > 1 and (order is None or self.is_act or self.limit is not None):
            self.missing = self.missing or "ambiguous"
        elif self.rank > 1 and order is not None:
            order = replace(order, limit=1, is_usual=False)
        if order is not None and self.is_act and len(self.heads) > 1:
            # `Delete the fail clip and the oldest save`: of one of them, or of both together?
            self.missing = self.missing or "ambiguous"
        if any(self._has_two_times(head) for head in self.heads):
            self.missing = self.missing or "ambiguous"
        if self.keep is not None:
            if self.order is not None or self.is_duplicates or self.expected is not None:
                return None
            order = Order(self.keep[0], skip=self.keep[1])
        is_one = any(head.is_single for head in self.heads)
        if self.expected is not None and (order is not None or self.is_duplicates or is_one):
            # `One of the two`: nobody says which.
            return None
        return selector_of(
            self.heads, self.places, self.outside, order, is_duplicates=self.is_duplicates, expected=self.expected
        )

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
        if self.is_act:
            selector = replace(selector, condition=with_whole_words(selector.condition))
        return Chore(
            self.verb,
            selector,
            target=self.scene.below_known(self.target),
            names=tuple(self.names),
            text=self.text,
            number=self.lines,
            output=self.output,
        )
