"""Conditions on files, each read from where it begins: sizes, ages, dates, contents, names, places."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

from deputy_sidecar.offline.amounts import size_at, skip_words, unit_of
from deputy_sidecar.offline.dates import Days, Span, days_at, span_at
from deputy_sidecar.offline.lexicon import Term
from deputy_sidecar.offline.selector import (
    Any_,
    Changed,
    Condition,
    Deep,
    Holds,
    IsKind,
    Named,
    NoExtension,
    Not,
    Sized,
    Tagged,
    Topic,
    joined,
)
from deputy_sidecar.offline.words.kinds import Kind

__all__ = ["Found", "condition_at", "name_at", "skip"]


@dataclass(frozen=True)
class Found:
    """A condition, and where the request continues behind it."""

    condition: Condition
    end: int


Reader = Callable[[list[Term], int, date], Found | None]


def skip(terms: list[Term], at: int, *meanings: str) -> int:
    """Past articles, `of` and other words that ask for nothing."""
    while at < len(terms) and terms[at].means("filler", *meanings) and not _is_time(terms[at]):
        at += 1
    return at


def _is_time(term: Term) -> bool:
    return any(each.startswith(("time:", "unit:", "month:", "number:")) for each in term.meanings)


def condition_at(terms: list[Term], at: int, today: date) -> Found | None:
    """The condition that begins here."""
    for reader in _READERS:
        found = reader(terms, at, today)
        if found is not None:
            return found
    return None


def _size(terms: list[Term], at: int, _: date) -> Found | None:
    if terms[at].means("between"):
        least = size_at(terms, at + 1)
        if least is None:
            return _bare_between(terms, at)
        join = at + 1 + least[1]
        most = size_at(terms, join + 1) if join < len(terms) and terms[join].means("and") else None
        return Found(Sized(least[0], most[0]), join + 1 + most[1]) if most is not None else None
    bare = size_at(terms, at)
    if bare is not None:
        # `10 MB or more`.
        end = at + bare[1]
        if end + 1 < len(terms) and terms[end].means("or") and terms[end + 1].means("more", "less", "do:more"):
            return Found(Sized(bare[0], None) if terms[end + 1].means("more") else Sized(None, bare[0]), end + 2)
        return None
    if not terms[at].means("more", "less"):
        return None
    behind = at + 1 if size_at(terms, at + 1) is not None else skip(terms, at + 1)
    size = size_at(terms, behind)
    if size is None:
        return None
    is_more = terms[at].means("more")
    strict = terms[at].form.split()[0] in {
        "more",
        "larger",
        "bigger",
        "over",
        "above",
        "exceeding",
        "greater",
        ">",
        "groesser",
        "ueber",
        "mehr",
    }
    lower = terms[at].form.split()[0] in {
        "less",
        "smaller",
        "under",
        "below",
        "<",
        "kleiner",
        "unter",
        "weniger",
        "fewer",
    }
    condition = Sized(size[0] + strict, None) if is_more else Sized(None, size[0] - lower)
    return Found(condition, skip_words(terms, behind + size[1], {"in", "size", "gross", "big", "large"}))


def _bare_between(terms: list[Term], at: int) -> Found | None:
    """`Between 1 and 2 MB`: the unit stands once."""
    if at + 3 >= len(terms) or not terms[at + 2].means("and"):
        return None
    most = size_at(terms, at + 3)
    unit = unit_of(terms, at + 3)
    least = size_at([terms[at + 1], unit], 0) if unit is not None else None
    return Found(Sized(least[0], most[0]), at + 3 + most[1]) if most is not None and least is not None else None


def _changed(span: Span, today: date, *, is_older: bool) -> Condition | None:
    if span.unit in {"hour", "minute"}:
        hours = round(span.number) if span.unit == "hour" else 0
        return Changed(hours=hours, is_older=is_older) if hours else None
    if not is_older and span.unit in {"day", "week"}:
        # `Newer than 2 days` is to the hour: what is older by a part of a day is not acted on.
        hours = round(span.number * 24 * (7 if span.unit == "week" else 1))
        return Changed(hours=hours) if hours else None
    day = span.before(today)
    if day is None:
        return None
    return Changed(end=day) if is_older else Changed(first=day)


def _relative(terms: list[Term], at: int, today: date) -> Found | None:
    """`Older than 90 days`, `before 2024`, `since yesterday`."""
    term = terms[at]
    if term.means("untouched"):
        behind = at + 1
        while behind < len(terms) and terms[behind].means("more", "filler") and span_at(terms, behind) is None:
            behind += 1
        span = span_at(terms, behind)
        condition = _changed(span[0], today, is_older=True) if span is not None else None
        return Found(condition, behind + span[1]) if span is not None and condition is not None else None
    if not term.means("older", "newer", "before", "after", "since", "until"):
        return None
    behind = at + 1
    while (
        behind < len(terms)
        and terms[behind].means("filler", "in")
        and span_at(terms, behind) is None
        and days_at(terms, behind, today) is None
    ):
        behind += 1
    days = days_at(terms, behind, today)
    if days is not None:
        condition = _side(term, days[0])
        return Found(condition, behind + days[1]) if condition is not None else None
    span = span_at(terms, behind)
    if span is None or not (term.means("older", "newer")):
        return None
    condition = _changed(span[0], today, is_older=term.means("older"))
    end = behind + span[1]
    return Found(condition, end) if condition is not None else None


def _side(term: Term, days: Days) -> Condition | None:
    if term.means("older", "before"):
        return Changed(end=days.first) if days.first is not None else None
    if term.means("since"):
        return Changed(first=days.first)
    if term.means("newer", "after"):
        return Changed(first=days.end or days.first) if days.end or days.first else None
    return Changed(end=days.end) if days.end is not None else None


def _dated(terms: list[Term], at: int, today: date) -> Found | None:
    """`From 2024`, `in July`, `yesterday`, `in the last 7 days`, `between 2020 and 2022`."""
    if terms[at].means("between"):
        first = days_at(terms, at + 1, today)
        join = at + 1 + (first[1] if first else 0)
        last = days_at(terms, join + 1, today) if first and join < len(terms) and terms[join].means("and") else None
        if (
            first is None
            or last is None
            or first[0].first is None
            or last[0].end is None
            or last[0].end <= first[0].first
        ):
            return None
        return Found(Changed(first[0].first, last[0].end), join + 1 + last[1])
    behind = at
    while (
        behind < len(terms)
        and terms[behind].means("in", "filler", "inside")
        and days_at(terms, behind, today) is None
        and not (behind > at and terms[behind].means("before", "after", "since", "until"))
        and behind - at < 3
    ):
        behind += 1
    hours = span_at(terms, behind + 1) if terms[min(behind, len(terms) - 1)].means("lastn") else None
    if hours is not None and hours[0].unit == "hour":
        # `In the last 24 hours`.
        return Found(Changed(hours=max(1, round(hours[0].number))), behind + 1 + hours[1])
    days = days_at(terms, behind, today)
    if days is None:
        return None
    # A year that nothing leads to may be a part of a name.
    if behind == at and terms[at].token.sort == "number" and not (at + 1 < len(terms) and terms[at + 1].kind):
        return None
    return Found(Changed(days[0].first, days[0].end), behind + days[1])


def _inside_them(terms: list[Term], at: int, _: date) -> Found | None:
    """`With "ACME" in them`, `with TODO inside`, `mit Miller drin`."""
    if not terms[at].means("with"):
        return None
    text = _text_at(terms, skip(terms, at + 1, "word"))
    if text is None:
        return None
    rest = " ".join(term.form for term in terms[text[1] : text[1] + 2])
    for said, length in (
        ("in them", 2),
        ("in it", 2),
        ("inside", 1),
        ("drin", 1),
        ("darin", 1),
        ("in their text", 1),
        ("in the text", 1),
        ("in there", 1),
    ):
        if " ".join(term.form for term in terms[text[1] : text[1] + length]) == said:
            return Found(Holds(text[0]), text[1] + length)
    return _joined_inside(terms, text, rest)


def _joined_inside(terms: list[Term], text: tuple[str, int], rest: str) -> Found | None:
    """The same where the lexicon has taken `in them` for one phrase."""
    return Found(Holds(text[0]), text[1] + 1) if rest.split(" ", 1)[:1] == ["in them"] else None


def _holds(terms: list[Term], at: int, _: date) -> Found | None:
    if not terms[at].means("holds", "holds_not"):
        return None
    behind = at + 2 if at + 1 < len(terms) and terms[at + 1].form in _THE_WORD else at + 1
    text = _text_at(terms, skip(terms, behind, "word"))
    if text is None:
        return None
    condition: Condition = Holds(text[0])
    end = text[1]
    # `Both "a" and "b"`: all of them, which only quotes tell from other things.
    while (
        terms[end - 1].token.sort == "quoted"
        and end + 1 < len(terms)
        and terms[end].means("and")
        and terms[end + 1].token.sort == "quoted"
    ):
        condition = joined([condition, Holds(terms[end + 1].text)]) or condition
        end += 2
    # `TODO or FIXME`: another text, if nothing else is known of it.
    while (
        end + 1 < len(terms)
        and terms[end].means("or")
        and (terms[end + 1].is_unknown or terms[end + 1].token.sort == "quoted")
    ):
        other = _text_at(terms, end + 1)
        if other is None:
            break
        condition = Any_((condition, Holds(other[0])))
        end = other[1]
    while end < len(terms) and terms[end].means("holds_end"):
        end += 1
    return Found(Not(condition) if terms[at].means("holds_not") else condition, end)


def _mentioned(terms: list[Term], at: int, _: date) -> Found | None:
    """`In which Bremen is mentioned`, `where "oak" stands`, `in denen Miete vorkommt`."""
    begin = at
    if terms[at].means("in") and at + 1 < len(terms) and terms[at + 1].form in _RELATIVE:
        begin = at + 2
    elif terms[at].form in {"where", "wherein", "worin", "wo", "in which", "in denen", "in dem", "in der"}:
        begin = at + 1
    else:
        return None
    text = _text_at(terms, skip(terms, begin, "word", "holds"))
    if text is None:
        return None
    end = text[1]
    while end < len(terms) and terms[end].form in _BEING:
        end += 1
    if end >= len(terms) or not (terms[end].form in _MENTIONED or terms[end].means("holds_end")):
        return None
    end += 1
    while end < len(terms) and terms[end].form in _BEING:
        end += 1
    return Found(Holds(text[0]), end)


_THE_WORD: Final = frozenset({"the word", "the text", "das wort", "den text"})
_RELATIVE: Final = frozenset("which that denen dem der".split())
_BEING: Final = frozenset("is are was were been wird werden ist sind".split())
_MENTIONED: Final = frozenset(
    "mentioned named written said appears appear occurs occur found stands discussed quoted "
    "erwaehnt genannt vorkommt vorkommen steht "
    "stehen auftaucht auftauchen geschrieben vor enthalten".split()
)


def _one_of(text: str) -> str:
    return re.sub(r"\A([A-Z]{3,})s\Z", r"\1", text)


def _text_at(terms: list[Term], at: int) -> tuple[str, int] | None:
    if at >= len(terms):
        return None
    term = terms[at]
    if term.token.sort in {"quoted", "path", "file"} or (
        # What was taken for a mistyped word is more likely one of the text: `flour` is no `four`.
        term.token.sort == "word"
        and len(term.tokens) == 1
        and (term.mended is not None or not term.meanings - {"word", "holds"})
    ):
        # `TODOs` are written `TODO`.
        return _one_of(term.text), at + 1
    if term.token.sort == "number" and at > 0 and terms[at - 1].means("holds", "holds_not") and len(term.tokens) == 1:
        return term.text, at + 1
    if (
        term.token.sort == "word"
        and len(term.tokens) == 1
        and at > 0
        and terms[at - 1].form.split()[-1:] in (["word"], ["wort"], ["text"], ["string"], ["phrase"])
    ):
        return term.text, at + 1
    return None


# Words that join, and so name nothing unless they are written as names.
_JOINING: Final = (
    "and or not except but then if unless in in_folder not_in to there pronoun all filler here file "
    "do:rename do:trash do:move do:copy do:create changed older newer more less"
).split()


def name_at(terms: list[Term], at: int) -> tuple[str, int] | None:
    """A name: in quotes, a path, one word, or words that all begin with a capital."""
    if at >= len(terms):
        return None
    token = terms[at].token
    if token.is_name or token.sort == "ending":
        return token.text.rstrip("/") or "/", at + 1
    if token.sort not in {"word", "number"} or terms[at].means("folder", "named", "new_folder"):
        return None
    if terms[at].means(*_JOINING) and (len(terms[at].tokens) > 1 or not token.text[:1].isupper()):
        return None
    words = [each.text for each in terms[at].tokens]
    end = at + 1
    if token.text[:1].isupper():
        while (
            end < len(terms)
            and not terms[end].means("folder", "named")
            and all(each.sort == "word" and each.text[:1].isupper() for each in terms[end].tokens)
        ):
            words += [each.text for each in terms[end].tokens]
            end += 1
    return " ".join(words), end


def _named(terms: list[Term], at: int, _: date) -> Found | None:
    term = terms[at]
    lookahead = skip(terms, at) if term.means("with", "holds", "filler") else at
    if term.means("with", "holds"):
        lookahead = skip(terms, at + 1, "word", "all")
        if lookahead + 1 < len(terms) and terms[lookahead + 1].means("in_name") and (name := name_at(terms, lookahead)):
            return _named(terms, lookahead, _) or Found(Named(name[0], "has"), lookahead + 2)
        # `Mit draft anfangen`, `auf tmp enden`.
    if term.form in {"mit", "auf", "die mit"} and at + 2 < len(terms) and (name := name_at(terms, at + 1)):
        if name[1] < len(terms) and terms[name[1]].means("start_end"):
            return Found(Named(name[0], "starts"), name[1] + 1)
        if name[1] < len(terms) and terms[name[1]].means("end_end"):
            return Found(_ending(name[0]), name[1] + 1)
    if at + 1 < len(terms) and terms[at + 1].means("in_name") and (term.is_unknown or term.token.is_name or term.kind):
        behind = skip(terms, at + 3) if at + 2 < len(terms) and terms[at + 2].means("or") else len(terms)
        if behind < len(terms) and terms[behind].form in {"text", "content", "contents", "inhalt"}:
            # `In its name or text`.
            return Found(Any_((Named(term.text, "has"), Holds(term.text))), behind + 1)
        return Found(Named(term.text, "has"), at + 2)
    if term.means("extension", "ends", "starts", "named", "name_has"):
        return _names(terms, at)
    return Found(NoExtension(), at + 1) if term.means("no_extension") else None


def _names(terms: list[Term], at: int) -> Found | None:
    """One name or several behind a word for names."""
    term = terms[at]
    parts: list[Condition] = []
    end = at + 1
    while True:
        name = name_at(terms, skip(terms, end))
        if name is None:
            break
        parts.append(_as_named(term, terms[name[1] - 1], name[0]))
        end = name[1]
        if (
            end + 1 < len(terms)
            and terms[end].means("or")
            and (terms[end + 1].token.sort == "ending" or terms[end + 1].is_unknown or terms[end + 1].token.is_name)
        ):
            end += 1
            continue
        break
    condition = joined(parts, any_of=True)
    return Found(condition, end) if condition is not None else None


def _as_named(term: Term, last: Term, name: str) -> Condition:
    if term.means("extension", "ends"):
        return _ending(name)
    if last.token.sort == "glob" or any(char in name for char in "*?"):
        return Named(name, "glob")
    if term.means("starts"):
        return Named(name, "starts")
    if term.means("name_has"):
        return Named(name, "has")
    return Named(name, "is" if last.token.sort == "file" else "has")


def _ending(name: str) -> Condition:
    extension = name.lstrip(".").lower()
    known = 0 < len(extension) <= 8 and extension.isalnum()
    return IsKind(Kind("", f"{extension} files", f"{extension}-Dateien", extension)) if known else Named(name, "ends")


def _tagged(terms: list[Term], at: int, _: date) -> Found | None:
    """`Tagged as done`."""
    if not terms[at].means("tagged") or at + 1 >= len(terms):
        return None
    token = terms[at + 1].token
    if token.sort == "quoted" or (token.sort in {"word", "number"} and not terms[at + 1].means(*_JOINING)):
        return Found(Tagged(terms[at + 1].text), at + 2)
    return None


def _depth(terms: list[Term], at: int, _: date) -> Found | None:
    return Found(Deep(1), at + 1) if terms[at].means("top") else None


def _about(terms: list[Term], at: int, _: date) -> Found | None:
    """`About bees`, `über die Saalmiete`, `with flour`: what a name or a text holds."""
    is_with = terms[at].form in {"with", "mit"}
    if not (terms[at].means("about") or is_with):
        return None
    behind = skip(terms, at + 1)
    if behind >= len(terms):
        return None
    # What was taken for a mistyped word of the vocabulary is more likely a word of the text.
    pair = terms[behind : behind + 2]
    ends = behind + 2 >= len(terms) or terms[behind + 2].token.sort == "mark"
    if (
        not is_with
        and ends
        and len(pair) == 2
        and all(each.token.sort == "word" and not each.means("filler") for each in pair)
    ):
        # `About the summer party`: as a text, or both words in the name.
        words = [each.text for each in pair]
        both = joined([Topic(word.lower()) for word in words])
        return Found(Any_((Holds(" ".join(words)), both or Topic(words[0]))), behind + 2)
    is_text = terms[behind].is_unknown or terms[behind].token.sort == "quoted" or terms[behind].mended is not None
    if not is_text or len(terms[behind].tokens) > 1:
        return None
    after = terms[behind + 1] if behind + 1 < len(terms) else None
    if after is not None and not (
        after.means("in", "in_folder", "filler", "and", "or", "not", "not_in", "except", "but")
        or after.token.sort == "mark"
    ):
        # One word alone is what it is about.
        return None
    text = _one_of(terms[behind].text)
    about: Condition = Holds(text) if is_with else Any_((Holds(text), Topic(text.lower())))
    return Found(about, behind + 1)


_READERS: tuple[Reader, ...] = (
    _depth,
    _tagged,
    _size,
    _relative,
    _mentioned,
    _inside_them,
    _named,
    _dated,
    _holds,
    _about,
)
