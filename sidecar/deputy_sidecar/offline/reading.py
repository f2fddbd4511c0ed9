"""A request to its reading: cut into clauses, each read by itself, then tied by `them`, `there`, `if` and `then`."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from deputy_sidecar.offline.amounts import number_of, size_at
from deputy_sidecar.offline.chore import ACTS, Chore, Reading, Test
from deputy_sidecar.offline.conditions import skip
from deputy_sidecar.offline.follow_up import Undo, follow_up
from deputy_sidecar.offline.forms import match
from deputy_sidecar.offline.grammar import Clause
from deputy_sidecar.offline.jobs import FORMS
from deputy_sidecar.offline.known_names import KnownNames, glued
from deputy_sidecar.offline.lexicon import Language, Term, language_of, terms_of
from deputy_sidecar.offline.selector import Named, Not, Selector, joined
from deputy_sidecar.offline.tokens import Token, tokens_of

__all__ = ["read"]

LONGEST: Final = 600
_BREAKS: Final = frozenset(";.!?")
_NEED_A_FILE: Final = frozenset({"read", "head", "tail", "linecount", "words", "when"})
_NOT_DONE: Final = frozenset({"pack", "unpack", "replace", "compare", "group", "undo", "write"})


def read(
    request: str,
    today: date,
    earlier: tuple[Chore, ...] = (),
    known: KnownNames | None = None,
    undoable: Undo | None = None,
) -> Reading:
    """The reading; `earlier` are chores that `them` or `the same` may refer to, `known` the names that are there."""
    tokens = tokens_of(request[:LONGEST])
    language = language_of(tokens)
    if len(request) > LONGEST:
        return Reading(language, missing="what")
    if known is not None:
        tokens = glued(request, tokens, known)
    whole = _formed(tokens, language, today, earlier[-1] if earlier else None, undoable)
    if whole is not None:
        return Reading(language, (whole,))
    terms = terms_of(tokens, language)
    chores: list[Chore] = []
    unused: list[str] = []
    missing: str | None = None
    before = earlier[-1] if earlier else None
    for part in _clauses(terms, language):
        formed = _formed([token for term in part for token in term.tokens], language, today, before, undoable)
        if formed is not None:
            one = Reading(language, (formed,))
        else:
            one = _clause(_with_verb(part, chores), language, today, before)
        unused += one.unused
        missing = missing or one.missing
        for chore in one.chores:
            if (
                chore.is_act
                and chores
                and chores[-1].verb in {"list", "search"}
                and chores[-1].selector == chore.selector
            ):
                chores.pop()
            chores.append(chore)
            before = chore if chore.verb != "create" or before is None else replace(before, names=chore.names)
    if not chores and missing is None:
        missing = "what"
    if missing is None:
        chores = _with_folders_made(_as_report(chores))
    return Reading(language, tuple(chores), tuple(unused), missing)


def _formed(
    tokens: list[Token], language: Language, today: date, before: Chore | None, undoable: Undo | None
) -> Chore | None:
    """The chore of a form that fits all of the tokens, or of a form that is about what came before."""
    again = follow_up(tokens, before, undoable)
    if again is not None:
        return again
    selected: list[Selector] = []

    def which(inside: list[Token]) -> Selector | None:
        selector = _selection(inside, language, today, before)
        selected[:] = [selector] if selector is not None else []
        return selector

    job = match(FORMS, tokens, language, which)
    return Chore("form", selected[0] if selected else Selector(), job=job) if job is not None else None


def _selection(tokens: list[Token], language: Language, today: date, before: Chore | None) -> Selector | None:
    """Words that only say which files; None where they say anything else, or not enough."""
    verb = Term("", frozenset({"do:list"}), (Token("", "", "word", 0, 0),))
    terms = [verb, *terms_of(tokens, language)]
    clause = Clause(terms, language, today).read()
    chore = clause.chore()
    if chore is None or clause.unused or clause.missing or chore.verb != "list" or clause.there or clause.target:
        return None
    if not (clause.heads or clause.places or clause.refers or chore.selector.condition):
        return None
    chore, missing = _tied(clause, chore, before)
    return chore.selector if missing is None else None


# Cutting.


def _clauses(terms: list[Term], language: Language) -> list[list[Term]]:
    parts: list[list[Term]] = [[]]
    for at, term in enumerate(terms):
        rest = terms[at + 1 :]
        if term.token.sort == "mark" and term.text in _BREAKS:
            if parts[-1] and any(each.token.sort != "mark" for each in rest):
                parts.append([])
            continue
        if (
            term.means("then")
            and not term.means("after")
            and _has_verb(parts[-1])
            and rest
            and not _is_if(parts[-1])
            and not _only_leads(parts[-1])
        ):
            parts.append([])
            continue
        if (
            (term.means("and") or term.text == ",")
            and _has_verb(parts[-1])
            and _begins_clause(rest, parts[-1], language)
            and not _only_leads(parts[-1])
            and not _is_if(parts[-1])
        ):
            parts.append([])
            continue
        parts[-1].append(term)
    return [part for part in parts if any(each.token.sort != "mark" and not each.means("filler") for each in part)]


def _is_if(part: list[Term]) -> bool:
    """Whether it begins with a condition whose end has not come yet."""
    begin = skip(part, 0)
    return begin < len(part) and part[begin].means("if", "unless") and not any(each.text == "," for each in part)


def _verbs(terms: list[Term]) -> list[str]:
    return [
        each.removeprefix("do:")
        for term in terms
        if term.kind is None
        for each in term.meanings
        if each.startswith("do:")
    ]


def _has_verb(part: list[Term]) -> bool:
    return bool(_verbs(part))


def _only_leads(part: list[Term]) -> bool:
    """`Find and` is no clause of its own."""
    return all(term.means("filler", "first") or any(each.startswith("do:") for each in term.meanings) for term in part)


def _begins_clause(rest: list[Term], before: list[Term], language: Language) -> bool:
    at = 0
    while at < len(rest) and (rest[at].means("filler", "then", "first", "and") or rest[at].text == ","):
        at += 1
    if at >= len(rest):
        return False
    first = rest[at]
    if (
        first.kind is None
        and any(each.startswith("do:") for each in first.meanings)
        and not first.means("changed", "holds", "duplicate", "inside_all")
    ):
        return not first.means("do:which", "do:group") or first.means("do:list")
    if language != "de" or not set(_verbs(before)) & ACTS:
        return False
    end = next((i for i, term in enumerate(rest) if term.means("and") or term.text in {",", ";"}), len(rest))
    return bool(set(_verbs(rest[max(0, end - 2) : end])) & ACTS)


def _with_verb(part: list[Term], chores: list[Chore]) -> list[Term]:
    """`Delete the tmp files, then the empty folders`: a clause without a verb has the one before."""
    names = any(term.kind or term.token.is_name or term.means("file", "folder") for term in part)
    goes = any(term.form in {"to", "into", "nach"} for term in part)
    if not chores or _has_verb(part) or not chores[-1].is_act or not names or goes:
        return part
    verb = Term("", frozenset({f"do:{chores[-1].verb}"}), part[0].tokens)
    return [verb, *part]


# One clause.


def _clause(terms: list[Term], language: Language, today: date, before: Chore | None) -> Reading:
    begin = skip(terms, 0, "then", "first", "and")
    if begin < len(terms) and terms[begin].means("if", "unless"):
        return _leading_if(terms, begin, language, today, before)
    cut = next(
        (
            at
            for at, term in enumerate(terms)
            if term.means("if", "unless") and at > begin and not term.means("do:exists")
        ),
        None,
    )
    tail = terms[cut:] if cut is not None else []
    clause = Clause(terms[:cut] if cut is not None else terms, language, today).read()
    chore = clause.chore()
    if chore is None:
        return Reading(language, unused=tuple(clause.unused), missing=clause.missing)
    if not clause.verbs and not clause.heads and chore.selector.is_everything and not clause.refers:
        return Reading(language, unused=tuple(clause.unused), missing="what")
    chore, missing = _tied(clause, chore, before)
    unused = list(clause.unused)
    if tail:
        chore, left = _narrowed(chore, tail, language, today)
        unused += left
    chore = _as_asked(chore, clause)
    missing = missing or clause.missing or _missing(chore, clause)
    return Reading(language, (chore,), tuple(unused), missing)


def _as_asked(chore: Chore, clause: Clause) -> Chore:
    """What a general verb means for what it is about."""
    selector = chore.selector
    shows = {"show", "display", "show me", "zeig", "zeige", "zeig mir", "zeige mir", "let me see", "view"} & set(
        clause.verb_words
    )
    one = selector.exact[0] if len(selector.exact) == 1 else ""
    if (
        (chore.verb == "overview" or (chore.verb == "list" and shows))
        and "." in one
        and not any(char in one for char in "*?")
        and len(clause.heads) == 1
    ):
        return replace(chore, verb="read")
    if (
        chore.verb in {"list", "which", "where"}
        and selector.entries == "folder"
        and selector.order is not None
        and selector.condition is None
        and selector.order.by == "largest"
    ):
        return replace(chore, verb="usage")
    return chore


def _tied(clause: Clause, chore: Chore, before: Chore | None) -> tuple[Chore, str | None]:
    """`Them` and `there` as what they refer to."""
    if clause.there:
        if before is None or not before.names:
            return chore, "where"
        chore = replace(chore, target=before.names[-1])
    if _is_one_of(clause) and before is not None and chore.selector.order is not None:
        if (
            before.verb in {"move", "rename", "trash"}
            or before.selector.order is not None
            or before.selector.is_duplicates
        ):
            return chore, "refers"
        return replace(chore, selector=replace(before.selector, order=chore.selector.order, is_single=False)), None
    # A pronoun in a question (`is it empty`) or beside a thing that is named adds nothing.
    if not clause.refers:
        return chore, None
    narrowed = chore.selector
    if narrowed.condition is not None and not any(head.is_general for head in clause.heads) and clause.heads:
        return chore, "ambiguous" if chore.is_act and not narrowed.exact else None
    if before is None and not chore.is_act and not narrowed.is_everything:
        return chore, None
    if before is None or before.selector.is_everything:
        return chore, "refers"
    old = before.selector
    if before.verb == "rename" and before.target is not None and len(old.exact) == 1 and "." in before.target:
        # What was renamed has its new name.
        old = replace(old, condition=Named(before.target, "is"), exact=(before.target,))
    elif before.verb in {"move", "rename", "trash"}:
        return chore, "refers"
    if old.is_duplicates and chore.is_act:
        return chore, "refers"
    condition = joined([each for each in (old.condition, narrowed.condition) if each is not None])
    return replace(chore, selector=replace(old, condition=condition)), None


def _is_one_of(clause: Clause) -> bool:
    """`The biggest one`: one of what was meant before, and nothing else is said of it."""
    words = {term.form for term in clause.terms}
    return bool(words & {"one", "ones"}) and not (clause.heads or clause.places or clause.outside or clause.ahead)


def _narrowed(chore: Chore, tail: list[Term], language: Language, today: date) -> tuple[Chore, list[str]]:
    """`If it is older than a year`, `unless they are flac`: conditions on what is acted on."""
    words = " ".join(term.text for term in tail)
    is_unless = tail[0].means("unless")
    inner = Clause(tail[1:], language, today, inner=True).read()
    condition = inner.excluded()
    if inner.unused or not condition or len(condition) != 1 or chore.verb not in ACTS or inner.places:
        return chore, [words]
    both = joined(
        [
            *([chore.selector.condition] if chore.selector.condition else []),
            Not(condition[0]) if is_unless else condition[0],
        ]
    )
    return replace(chore, selector=replace(chore.selector, condition=both)), []


def _leading_if(terms: list[Term], begin: int, language: Language, today: date, before: Chore | None) -> Reading:
    end = next((at for at, term in enumerate(terms) if at > begin and (term.text == "," or term.means("then"))), None)
    words = tuple(term.text for term in terms[begin : end or len(terms)] if term.token.sort != "mark")
    if end is None or terms[begin].means("unless"):
        return Reading(language, unused=words, missing="if")
    inside, least, most = _counted(terms[begin + 1 : end])
    clause = Clause(inside, language, today).read()
    tested = clause.chore()
    if tested is None or clause.unused or tested.selector.is_everything or tested.is_act or clause.missing:
        return Reading(language, unused=words, missing="if")
    selector = tested.selector
    if most == 0 and selector.entries == "folder":
        # `If there is no folder called X, create it.`
        name = [selector.condition.text] if isinstance(selector.condition, Named) else []
        rest = Clause(terms[end + 1 :], language, today).read()
        if rest.verb == "create" and rest.refers and name and not rest.unused:
            test = Test(selector, least=0, most=0)
            return Reading(language, (Chore("create", names=tuple(name), test=test),))
    done = _clause(terms[end + 1 :], language, today, Chore("list", selector))
    if not done.chores:
        return done
    test = Test(selector, least=least, most=most)
    return replace(done, chores=tuple(replace(chore, test=test) for chore in done.chores))


def _counted(terms: list[Term]) -> tuple[list[Term], int, int | None]:
    """`There are more than 10 pdfs` without its number; then how many there have to be."""
    kept: list[Term] = []
    least, most = 1, None
    at = 0
    while at < len(terms):
        term = terms[at]
        number = number_of(terms[at + 1]) if at + 1 < len(terms) else None
        if (
            term.means("more", "less")
            and number is not None
            and size_at(terms, at + 1) is None
            and at + 2 < len(terms)
            and (terms[at + 2].kind or terms[at + 2].means("file", "folder", "empty"))
        ):
            inclusive = term.form in {"at least", "at most", "mindestens", "hoechstens", "up to", "bis zu", "maximal"}
            least, most = (
                (int(number) + (not inclusive), None) if term.means("more") else (0, int(number) - (not inclusive))
            )
            at += 2
            continue
        if (
            term.means("not")
            and not term.means("filler")
            and at + 1 < len(terms)
            and term.form in {"no", "kein", "keine", "keinen"}
        ):
            least, most = 0, 0
            at += 1
            continue
        kept.append(term)
        at += 1
    return kept, least, most


# Whether it is whole.


def _missing(chore: Chore, clause: Clause) -> str | None:
    selector, verb = chore.selector, chore.verb
    acts = {each for each in clause.verbs if each in ACTS} - ({"move"} if "trash" in clause.verbs else set())
    if len(acts) > 1:
        return "one_step"
    if verb == "tidy":
        plain = selector.condition is None and not selector.exact and selector.order is None
        says_what = selector.places or clause.heads or any(term.means("here") for term in clause.terms)
        return "ambiguous" if not plain else None if says_what else "folder"
    if verb in _NOT_DONE:
        return f"cannot:{verb}" if not (verb == "write" and (chore.output or selector.exact)) else None
    if verb == "create":
        return "ambiguous" if clause.heads or clause.refers else None if chore.names else "name"
    if verb == "rename":
        return _missing_in_rename(chore, clause)
    if verb in {"trash", "move", "copy"}:
        if selector.is_everything and not (selector.is_all and selector.places):
            return "which"
        if not selector.has_head and not selector.is_duplicates:
            return "which"
        if selector.order is not None and selector.order.is_usual:
            return "how_many"
        if verb != "trash" and chore.target is None:
            return "where"
        return None
    if verb == "overview" and (selector.condition is not None or selector.exact or selector.order is not None):
        return "ambiguous"
    if verb in _NEED_A_FILE and not selector.exact:
        return "file"
    if verb == "lines" and chore.text is None and not _holds(selector):
        return "text"
    return None


def _missing_in_rename(chore: Chore, clause: Clause) -> str | None:
    if not chore.selector.exact or len(chore.selector.exact) != 1:
        return "which_one"
    return None if chore.target is not None else "name"


def _holds(selector: Selector) -> bool:
    return selector.condition is not None


def _with_folders_made(chores: list[Chore]) -> list[Chore]:
    """A folder that an earlier step makes is not made again."""
    made: set[str] = set()
    known: list[Chore] = []
    for chore in chores:
        if chore.verb in {"move", "copy"} and chore.target is not None:
            known.append(replace(chore, names=(chore.target,)) if chore.target in made else chore)
            made.add(chore.target)
            continue
        if chore.verb == "create":
            made |= set(chore.names)
        known.append(chore)
    return known


def _as_report(chores: list[Chore]) -> list[Chore]:
    """What was looked at, then `write REPORT.md`: one report, or the list written to a file."""
    if len(chores) < 2 or chores[-1].verb not in {"write", "report"} or any(chore.is_act for chore in chores):
        return chores
    name = chores[-1].output or (chores[-1].selector.exact[0] if chores[-1].selector.exact else "REPORT.md")
    if any(chore.verb in {"overview", "which", "tree"} for chore in chores[:-1]):
        return [Chore("report", replace(chores[0].selector, exact=(), condition=None), output=name)]
    return [*chores[:-2], replace(chores[-2], output=name)]
