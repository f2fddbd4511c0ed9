"""Cuts a request into clauses: at sentences, at `then`, and at an `and` that another verb follows."""

from __future__ import annotations

from typing import Final

from deputy_sidecar.offline.chore import ACTS, Chore
from deputy_sidecar.offline.conditions import skip
from deputy_sidecar.offline.lexicon import Language, Term

__all__ = ["GOES", "clauses", "has_verb", "verbs", "with_verb"]

_OF_FORMS: Final = frozenset("tag untag label tagge markiere number nummeriere".split())
_BREAKS: Final = frozenset(";.!?")


def clauses(terms: list[Term], language: Language) -> list[list[Term]]:
    """The request in pieces, each with a verb of its own or something to do with the one before."""
    parts: list[list[Term]] = [[]]
    for at, term in enumerate(terms):
        rest = terms[at + 1 :]
        if term.text == "." and at and terms[at - 1].token.sort == "number" and rest and _is_month(rest[0]):
            # `24. Dezember`.
            continue
        if term.token.sort == "mark" and term.text in _BREAKS:
            if parts[-1] and any(each.token.sort != "mark" for each in rest):
                parts.append([])
            continue
        if (
            term.means("then")
            and not term.means("after")
            and has_verb(parts[-1])
            and rest
            and not _is_if(parts[-1])
            and not _only_leads(parts[-1])
        ):
            parts.append([])
            continue
        if (
            (term.means("and") or term.text == ",")
            and has_verb(parts[-1])
            and _begins_clause(rest, parts[-1], language)
            and not _only_leads(parts[-1])
            and not _is_if(parts[-1])
        ):
            parts.append([])
            continue
        if (term.means("and") or term.text == ",") and _goes_on(parts[-1], rest):
            parts.append([])
            continue
        parts[-1].append(term)
    return [part for part in parts if any(each.token.sort != "mark" and not each.means("filler") for each in part)]


def _is_month(term: Term) -> bool:
    return any(meaning.startswith("month:") for meaning in term.meanings)


GOES: Final = frozenset({"to", "into", "nach", "to the folder", "into the folder", "to folder", "into folder", "->"})


def _goes_on(before: list[Term], rest: list[Term]) -> bool:
    """`Move A to X and B to Y`: the same again with other things, to somewhere else."""
    if not {"move", "copy", "rename"} & set(verbs(before)) or not any(term.form in GOES for term in before):
        return False
    end = next((at for at, term in enumerate(rest) if term.means("and", "then") or term.text in {",", ";"}), len(rest))
    goes = next((at for at, term in enumerate(rest[:end]) if term.form in GOES), 0)
    return any(not term.means("filler") for term in rest[:goes]) and not verbs(rest[:end])


def _is_if(part: list[Term]) -> bool:
    """Whether it begins with a condition whose end has not come yet."""
    begin = skip(part, 0)
    return begin < len(part) and part[begin].means("if", "unless") and not any(each.text == "," for each in part)


def verbs(terms: list[Term]) -> list[str]:
    """What is done, by all words that can say so."""
    return [
        each.removeprefix("do:")
        for term in terms
        if term.kind is None
        for each in term.meanings
        if each.startswith("do:")
    ]


def has_verb(part: list[Term]) -> bool:
    """Whether it says what is done; what only forms know says so at its beginning."""
    begin = skip(part, 0, "then", "first", "and")
    return bool(verbs(part)) or (begin < len(part) and part[begin].form in _OF_FORMS)


def _only_leads(part: list[Term]) -> bool:
    """`Find and` is not a clause of its own."""
    return all(term.means("filler", "first") or any(each.startswith("do:") for each in term.meanings) for term in part)


def _begins_clause(rest: list[Term], before: list[Term], language: Language) -> bool:
    at = 0
    while at < len(rest) and (rest[at].means("filler", "then", "first", "and") or rest[at].text == ","):
        at += 1
    if at >= len(rest):
        return False
    first = rest[at]
    if at and rest[at - 1].form in _LEADS_A_NOUN and len(first.tokens) == 1 and language == "en":
        # `The jars and the zip`.
        return False
    if first.form in _OF_FORMS and len(rest) > at + 2:
        # `Rename it and tag it as old`.
        return True
    if (
        first.kind is None
        and any(each.startswith("do:") for each in first.meanings)
        and not first.means("changed", "holds", "duplicate", "inside_all")
    ):
        return not first.means("do:which", "do:group") or first.means("do:list")
    if language != "de" or not set(verbs(before)) & ACTS:
        return False
    if "create" in verbs(before) and rest[-1].form in _INTO_IT and not has_verb(rest):
        return True
    end = next((i for i, term in enumerate(rest) if term.means("and") or term.text in {",", ";"}), len(rest))
    return bool(set(verbs(rest[max(0, end - 2) : end])) & ACTS)


_LEADS_A_NOUN: Final = frozenset("the my our a an these those".split())
_INTO_IT: Final = frozenset({"rein", "hinein", "dorthin", "dahin", "reinpacken"})


def with_verb(part: list[Term], chores: list[Chore]) -> list[Term]:
    """`Delete the tmp files, then the empty folders`: a clause without a verb has the one before."""
    names = any(term.kind or term.token.is_name or term.means("file", "folder") for term in part)
    goes = any(term.form in {"to", "into", "nach"} for term in part)
    if chores and chores[-1].verb == "create" and not has_verb(part) and part[-1].form in _INTO_IT:
        # `Ordner X anlegen und die Bilder rein`.
        there = Term("", frozenset({"there"}), part[-1].tokens)
        return [Term("", frozenset({"do:move"}), part[0].tokens), *part[:-1], there]
    again = goes and bool(chores) and chores[-1].verb in {"move", "copy", "rename"}
    if not chores or has_verb(part) or not chores[-1].is_act or not (names or again) or (goes and not again):
        return part
    verb = Term("", frozenset({f"do:{chores[-1].verb}"}), part[0].tokens)
    return [verb, *part]
