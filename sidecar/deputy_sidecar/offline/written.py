"""Answers questions from files they do not name: from the rows of a table, or from a line of text.

Tried where a question was not read in full, or where no name holds its words. Nothing is guessed: each word that says
something has to be found, in the table, in the line, or in the text or the name of the file that the line is in. `How
many` needs a number next to the word, `when` a day.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from deputy_sidecar.offline.courtesy import without_courtesies
from deputy_sidecar.offline.doubts import asks_advice
from deputy_sidecar.offline.job import Steps
from deputy_sidecar.offline.jobs.question_words import MEANINGS, PLAIN
from deputy_sidecar.offline.jobs.questions import TableQuestion
from deputy_sidecar.offline.jobs.tables import MOST_LOOKED_AT
from deputy_sidecar.offline.lexicon import language_of, lexicon
from deputy_sidecar.offline.looking import checked, one
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.stems import fold, holds, stem_of, stems_of
from deputy_sidecar.offline.steps import Call, Calls, NeedsModelError, NotPossibleError
from deputy_sidecar.offline.tokens import Token, normal, tokens_of
from deputy_sidecar.offline.words.asked import ASKS, BY_WHOM, SAYS_MORE, SAYS_NOTHING, VALUE_OF
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["Written", "has_order", "written_about"]

MOST_TABLES: Final = 8
MOST_FILES: Final = 3
MOST_LINES: Final = 6
MOST_WORDS: Final = 6
# Words of a question that has no verb: `open repairs total`.
MOST_TERSE: Final = 9
_CHANGES: Final = frozenset(
    f"do:{verb}" for verb in "trash move copy rename create tidy pack unpack replace write report undo".split()
)
SHORTEST_INSIDE: Final = 5

_DAY: Final = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|"
    r"\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|maerz|mai|okt|dez)",
)
_HOW_MANY: Final = re.compile(r"\b(?:how many|wie ?viele)\b")
_HOW_MUCH: Final = re.compile(r"\b(?:how (?:much|expensive)|wie ?viel|wie teuer|wie hoch)\b")
_MONEY: Final = re.compile(r"\d\s?(?:€|eur|usd|gbp|chf|\$|£)|(?:€|eur|usd|\$|£)\s?\d|\d[.,]\d\d\b")
# What a table is called that another one has taken the place of.
_OLD: Final = re.compile(r"(?<![a-z])(?:old|copy|backup|alt|kopie|former|ehemalige)(?![a-z])|\(\d\)", re.IGNORECASE)
_TOTAL: Final = re.compile(
    r"\b(?:altogether|all together|in total|total|in all|together|insgesamt|zusammen|summe|alles in allem)\b"
)
_AMOUNT: Final = re.compile(r"\d[\d.,]*[.,]\d\d(?!\d)")
_WHEN: Final = re.compile(r"\b(?:when|wann|what (?:day|date)|an welchem tag)\b")
_TO_PAY: Final = re.compile(r"\b(?:to pay|zu (?:be)?zahlen|(?:be)?zahlen muessen)\b")
_LEFT: Final = re.compile(r"\b(?:left|remaining|remain|in stock|on hand|uebrig|vorraetig|auf lager)\b")
_STOCK: Final = re.compile(r"stock|inventory|lager|bestand|vorrat")
_MARKS: Final = re.compile(r"(?P<path>.+?):(?P<line>\d+):(?P<text>.*)")


@dataclass(frozen=True)
class Written:
    """A question, and the words that have to be found."""

    request: str
    language: str
    words: tuple[str, ...]
    # Whether there is a tool that reads tables.
    has_tables: bool = True
    # A few words without a verb are about a table, or nothing: in a text they may stand anywhere.
    has_texts: bool = True
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading."""
        said = ", ".join(f"“{word}”" if language != "de" else f"„{word}“" for word in self.words)
        return say(language, f"look for what is written about {said}", f"nachsehen, was über {said} geschrieben ist")

    def run(self, language: str) -> Steps:
        """Searches the tables, then the texts; raises if neither has the answer."""
        said = (yield from self._in_a_table(language)) if self.has_tables else None
        if said is None and self.has_texts:
            said = yield from self._in_texts(language)
        if said is None:
            words = ", ".join(f"“{word}”" if language != "de" else f"„{word}“" for word in self.words)
            raise NeedsModelError(
                say(
                    language,
                    f"No table or text says anything about {words}. Connect a model, or say it in other words.",
                    f"Keine Tabelle und kein Text sagt etwas über {words}. Verbinde ein Modell, oder sag es anders.",
                )
            )
        return said

    def _in_a_table(self, language: str) -> Steps:
        what = self.phrase(language)
        tables = {"action": "find", "path": ".", "extension": "csv,tsv", "sort": "newest", "limit": MOST_TABLES}
        found = listing(checked((yield from one(what, Call("search", tables))), language, what))
        paths = [line.split("\t")[0] for line in found.lines if line.count("\t") >= 3]
        if not paths or found.more:
            # With more tables than are read, the right one may be among the rest.
            return None
        results = yield Calls(what, [Call("table", {"path": path, "limit": MOST_LOOKED_AT}) for path in paths])
        words = tuple(word for word in (each.strip('?!.,:;()"“”„') for each in self.request.split()) if word)
        told: dict[TableQuestion, int] = {}
        of_each: list[TableQuestion] = []
        for path, result in zip(paths, results, strict=True):
            rows = [line.split("\t") for line in listing(result.content).lines] if result.ok else []
            own = _for_this(words, path)
            question = TableQuestion(path, own or words)
            number = question.told_by(rows, is_named=own is not None) if len(rows) > 1 else 0
            if number and own is not None:
                of_each.append(question)
            elif number:
                told[question] = number
        if of_each:
            return (yield from self._of_each(of_each, language))
        # The table that says the most: what only is no word there may be a name in another.
        fits = [each for each, number in told.items() if number == max(told.values())]
        fits = [each for each in fits if not _OLD.search(each.file)] or fits
        named = [each for each in fits if self._names(each.file)] or [
            each for each in fits if self._is_verb_of(each.file)
        ]
        if not named and _LEFT.search(normal(self.request)):
            # `How many are left`: of what is there, not of what was ordered.
            named = [each for each in fits if _STOCK.search(normal(posixpath.basename(each.file)))]
        fits = named if len(named) == 1 else fits
        if not fits:
            return None
        if len(fits) > 1:
            names = ", ".join(each.file for each in fits)
            raise NotPossibleError(
                say(language, f"Say in which table: {names}.", f"Bitte sagen, in welcher Tabelle: {names}.")
            )
        answer = yield from fits[0].run(language)
        asked = fits[0].phrase(language)
        return say(language, f"I read this as: {asked}.", f"Ich verstehe das so: {asked}.") + f"\n\n{answer}"

    def _of_each(self, questions: list[TableQuestion], language: str) -> Steps:
        """One table after the other: `the sum of amount in each ledger`."""
        parts = []
        for question in questions:
            answer = yield from question.run(language)
            parts.append(f"{question.file}:\n{answer}")
        asked = "; ".join(question.phrase(language) for question in questions)
        said = say(language, f"I read this as: {asked}.", f"Ich verstehe das so: {asked}.")
        return "\n\n".join([said, *parts])

    def _names(self, path: str) -> bool:
        """Whether a word of the question is one of the file's name."""
        return any(_is_in_name(word, path) for word in self.words)

    def _is_verb_of(self, path: str) -> bool:
        """`Who ordered the most lamps`, where `orders.csv` is."""
        stem = stem_of(posixpath.basename(path).rpartition(".")[0])
        forms = re.findall(r"\w+", fold(self.request))
        return len(stem) >= SHORTEST_INSIDE and any(form.startswith(stem) for form in forms)

    def _in_texts(self, language: str) -> Steps:
        what = self.phrase(language)
        pattern = rf"\b(?:{'|'.join(_pattern_of(word) for word in self.words)})"
        call = Call("search", {"action": "grep", "pattern": pattern, "ignore_case": True, "path": "."})
        found = listing(checked((yield from one(what, call)), language, what))
        files: dict[str, _File] = {}
        for line in found.lines:
            parts = _MARKS.fullmatch(line)
            # The first line of a table names its columns.
            is_head = parts is not None and parts["line"] == "1" and parts["path"].lower().endswith((".csv", ".tsv"))
            if parts is not None and not is_head:
                files.setdefault(parts["path"], _File()).add(int(parts["line"]), parts["text"], self.words)
        fitting = {path: lines for path, file in files.items() if (lines := self._fitting(path, file))}
        if not fitting or len(fitting) > MOST_FILES:
            return None
        total = self._total([text for lines in fitting.values() for _, text in lines])
        if total is None and len(fitting) > 1 and _TOTAL.search(normal(self.request)):
            return None
        shown = [f"- {path}:{number}: {text}" for path, lines in fitting.items() for number, text in lines[:MOST_LINES]]
        if total is not None:
            shown.append("\n" + say(language, f"Together: {total:.2f}.", f"Zusammen: {total:.2f}."))
        return say(language, f"I read this as: {what}.", f"Ich verstehe das so: {what}.") + "\n\n" + "\n".join(shown)

    def _total(self, lines: list[str]) -> float | None:
        """The sum of the lines' amounts of money, if it is asked for and each line has exactly one."""
        amounts = [_AMOUNT.findall(line) for line in lines]
        if not _TOTAL.search(normal(self.request)) or len(lines) < 2 or any(len(each) != 1 for each in amounts):
            return None
        return sum(_number(each[0]) for each in amounts)

    def _fitting(self, path: str, file: _File) -> list[tuple[int, str]]:
        """The lines with the most words of the question, if the file has all of them."""
        in_name = {word for word in self.words if _is_in_name(word, path)}
        values = {word for word in self.words if word in VALUE_OF} - in_name - file.words
        asked = normal(self.request)
        if set(self.words) - in_name - values - file.words or not file.words:
            return []
        # Words in the file's name identify the file; the line must have the others.
        wanted = [words for _, _, words in file.lines]
        most = max((len(words - in_name), len(words)) for words in wanted)
        best = [
            (number, text) for number, text, words in file.lines if (len(words - in_name), len(words)) == most and words
        ]
        held = {word for _, _, words in file.lines for word in words if (len(words - in_name), len(words)) == most}
        if len(set(self.words) - in_name - values - held) > 1:
            # The words are far apart.
            return []
        for word in values:
            best = [(number, text) for number, text in best if VALUE_OF[word].search(text)]
        if _HOW_MANY.search(asked):
            best = [(number, text) for number, text in best if any(_is_counted(word, text) for word in held)]
        elif _HOW_MUCH.search(asked):
            best = [
                (number, text)
                for number, text in best
                if _MONEY.search(text.lower()) or any(_is_counted(word, text) for word in held)
            ]
        best = [(number, text) for number, text in best if self._says_more(text)]
        if _WHEN.search(asked):
            best = [(number, text) for number, text in best if _DAY.search(normal(text))]
        return best

    def _says_more(self, text: str) -> bool:
        """Whether a line says more than the question does: a heading alone is not an answer."""
        said = [word for word in re.findall(r"\w+", text) if not _is_filler(normal(word))]
        return any(not any(_is_in(asked, word) for asked in self.words) for word in said)


@dataclass
class _File:
    """The lines of a file that hold some of the words."""

    lines: list[tuple[int, str, frozenset[str]]] = field(default_factory=list)

    @property
    def words(self) -> set[str]:
        """All words that its lines hold."""
        return {word for _, _, words in self.lines for word in words}

    def add(self, number: int, text: str, words: tuple[str, ...]) -> None:
        """Adds a line."""
        self.lines.append((number, text.strip(), frozenset(word for word in words if _is_in(word, text))))


_EACH: Final = frozenset("each every all both jede jeder jedes jedem jeden alle allen beide beiden".split())


def _for_this(words: tuple[str, ...], path: str) -> tuple[str, ...] | None:
    """The question for one of several tables: without `each` and what the table's name says; None if it is not that."""
    for at, word in enumerate(words[:-1]):
        if normal(word) in _EACH and _is_in_name(words[at + 1], path):
            return (*words[:at], *words[at + 1 :])
    return None


def _number(text: str) -> float:
    """`1,312.40` and `1.312,40`."""
    return float(re.sub(r"[.,]", "", text[:-3]) + "." + text[-2:])


def _pattern_of(word: str) -> str:
    """The search pattern: stems of the word and its synonyms, with umlauts in both spellings."""
    return "|".join(_spellings(stem) for stem in stems_of(word))


_UMLAUTS: Final = {"a": "(?:ae|ä|a)", "o": "(?:oe|ö|o)", "u": "(?:ue|ü|u)"}


def _spellings(stem: str) -> str:
    out = "".join(".*" if char == "*" else _UMLAUTS.get(char) or re.escape(char) for char in stem)
    return out.replace("ss", "(?:ss|ß)")


_TAIL: Final = r"(?:s|e|es|n|en|er|ern|y|ies|ed|ing|['’]s)?(?![a-z0-9])"


def _is_in(word: str, text: str) -> bool:
    """Whether a text has the word as a whole word."""
    plain = fold(text)
    return any(
        re.search(rf"(?<![a-z0-9]){re.escape(stem).replace(re.escape('*'), '.*')}{_TAIL}", plain)
        for stem in stems_of(word)
    )


def _is_in_name(word: str, path: str) -> bool:
    """Whether a path has the word, also inside a compound if the word is long enough."""
    plain = fold(path)
    return _is_in(word, re.sub(r"[_-]+", " ", path)) or any(
        len(stem) >= SHORTEST_INSIDE and holds(plain, stem) for stem in stems_of(word)
    )


def _is_counted(word: str, text: str) -> bool:
    """Whether a number is right before or after the word: `2 eggs`, `eggs: 2`."""
    plain = fold(text)
    return any(
        re.search(rf"\d[\w.,]*\s+(?:\w+\s+)?{re.escape(stem)}|{re.escape(stem)}\w*[\s:=,;]+\d", plain)
        for stem in stems_of(word)
    )


def written_about(request: str, tools: frozenset[str]) -> Written | None:
    """Reads the request as such a question; None if it asks for something else or names nothing to find."""
    asked = without_courtesies(request)
    plain = normal(asked)
    if "search" not in tools or asks_advice(request) or re.search(r"[.!;]\s+\w", asked):
        return None
    tokens = tokens_of(asked)
    asks = _asks(plain)
    if not asks and (len(tokens) > MOST_TERSE or "table" not in tools or _orders(tokens) or _may_order(tokens)):
        return None
    words = tuple(dict.fromkeys(_words(asked)))
    if not words or len(words) > MOST_WORDS:
        return None
    has_texts = asks or plain.rstrip().endswith("?")
    return Written(asked, language_of(tokens), words, has_tables="table" in tools, has_texts=has_texts)


def has_order(request: str) -> bool:
    """Whether it may order a change."""
    return _orders(tokens_of(without_courtesies(request)))


def _orders(tokens: list[Token]) -> bool:
    """Whether a word of it may be an order to change something: `shift` is none in `hours per shift`."""
    return any(
        _CHANGES & lexicon(language).phrases.get((token.form,), frozenset())
        for at, token in enumerate(tokens)
        for language in ("en", "de")
        if at == 0 or tokens[at - 1].form not in _LEADS_A_NOUN
    )


def _may_order(tokens: list[Token]) -> bool:
    """`Fix the gutter`: a first word that says nothing else, and an article behind it."""
    return (
        len(tokens) > 1
        and _is_filler(tokens[0].form)
        and tokens[1].form in _ARTICLES
        and tokens[0].form not in _ARTICLES
    )


_ARTICLES: Final = frozenset("the a an my our all der die das den dem mein meine meinen alle".split())
_LEADS_A_NOUN: Final = frozenset("per by each of the a an je pro der die das".split())


def _asks(plain: str) -> bool:
    """Whether it is a question, or begins with what is to be computed: `average fee per voice`."""
    return ASKS.match(plain) is not None or _COMPUTES.match(plain) is not None


_COMPUTES: Final = re.compile(
    r"(?:the |der |die |das )?(?:"
    + "|".join(re.escape(" ".join(words)) for words, meaning in MEANINGS.items() if meaning.startswith("compute:"))
    + r")\b"
)


def _words(asked: str) -> Iterator[str]:
    asks_who = normal(asked).startswith(("who", "wer ", "wem ", "von wem"))
    for token in tokens_of(asked):
        if token.sort in {"mark", "symbol", "glob"}:
            continue
        if token.sort in {"file", "path"}:
            yield posixpath.basename(token.text.rstrip("/")).rpartition(".")[0] or token.text
            continue
        form = re.sub(r"['’]s?\Z", "", token.form)
        if asks_who and form in BY_WHOM:
            # `Who wrote the offer`: who it is from is what is asked.
            yield token.text
            continue
        if form in {"pay", "zahlen", "bezahlen"} and _TO_PAY.search(normal(asked)):
            yield token.text
            continue
        if (
            form in SAYS_NOTHING
            # `Brauch ich`, as it is spoken.
            or f"{form}e" in SAYS_NOTHING
            or form in PLAIN - VALUE_OF.keys() - SAYS_MORE
            or (_is_filler(form) and token.sort == "word")
        ):
            continue
        yield re.sub(r"['’]s?\Z", "", token.text).strip("\"'“”„") if token.sort != "number" else token.text


def _is_filler(form: str) -> bool:
    return any("filler" in lexicon(language).phrases.get((form,), ()) for language in ("en", "de"))
