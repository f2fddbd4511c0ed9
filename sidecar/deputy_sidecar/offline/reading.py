"""A request to its reading: cut into clauses, each read by itself, then tied by `them`, `there`, `if` and `then`."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from deputy_sidecar.offline.acting import is_file_name
from deputy_sidecar.offline.amounts import number_of, size_at
from deputy_sidecar.offline.chore import ACTS, Chore, Reading, Test
from deputy_sidecar.offline.conditions import is_unless_there, skip
from deputy_sidecar.offline.follow_up import Undo, follow_up, is_about_a_list
from deputy_sidecar.offline.forms import match
from deputy_sidecar.offline.grammar import SOME, Clause
from deputy_sidecar.offline.intent import is_no_order
from deputy_sidecar.offline.jobs import FORMS
from deputy_sidecar.offline.jobs.questions import TableQuestion, table_in
from deputy_sidecar.offline.known_names import KnownNames, glued
from deputy_sidecar.offline.lexicon import Language, Term, language_of, terms_of
from deputy_sidecar.offline.referring import tied
from deputy_sidecar.offline.selector import Named, Not, Selector, joined
from deputy_sidecar.offline.terminal import in_words
from deputy_sidecar.offline.tokens import Token, tokens_of, without_formal_you

__all__ = ["read"]

LONGEST: Final = 600
_BREAKS: Final = frozenset(";.!?")
_NEED_A_FILE: Final = frozenset({"read", "head", "tail", "linecount", "words", "when"})
_NO_QUESTIONS: Final = frozenset(
    "pack unpack replace compare undo write report linecount head tail words when lines tidy tree usage size".split()
)
_NOT_DONE: Final = frozenset({"pack", "unpack", "replace", "compare", "group", "undo", "write"})


def read(
    request: str,
    today: date,
    earlier: tuple[Chore, ...] = (),
    known: KnownNames | None = None,
    undoable: Undo | None = None,
) -> Reading:
    """The reading; `earlier` are chores that `them` or `the same` may refer to, `known` the names that are there."""
    request = in_words(request)
    reading = _read(request, today, earlier, known, undoable)
    if any(chore.is_act for chore in reading.chores) and is_no_order(request):
        return replace(reading, missing="no_order")
    return reading


def _read(
    request: str, today: date, earlier: tuple[Chore, ...], known: KnownNames | None, undoable: Undo | None
) -> Reading:
    tokens = tokens_of(request[:LONGEST])
    language = language_of(tokens)
    if language == "de":
        tokens = without_formal_you(tokens)
    if len(request) > LONGEST:
        return Reading(language, missing="what")
    if known is not None:
        tokens = glued(request, tokens, known)
    whole = _formed(tokens, language, today, earlier[-1] if earlier else None, undoable)
    if whole is not None or is_about_a_list(tokens):
        return Reading(language, (whole,)) if whole is not None else Reading(language, missing="refers")
    reading = _by_clauses(tokens, language, today, earlier, undoable)
    question = _question(request, tokens, language)
    if question is not None and (not reading.is_complete or _asks_in_a_table(tokens, reading)):
        return Reading(language, (Chore("form", job=question),))
    return reading


def _question(request: str, tokens: list[Token], language: Language) -> TableQuestion | None:
    """The request as a question to the table that it names, if it changes nothing."""
    table = table_in(tokens)
    if table is None or any(token.sort in {"glob", "symbol"} for token in tokens):
        return None
    terms = terms_of(tokens, language)
    verbs = _verbs(terms)
    first = next((term for term in terms if not term.means("filler") and term.token.sort != "mark"), terms[0])
    asks = bool(set(_verbs([first])) & {"count", "which", "list", "when", "where", "exists"})
    if set(verbs) & _NO_QUESTIONS or (set(verbs) & ACTS and not asks):
        return None
    # As they were typed: a name that is a folder's, too, is one of the table's here.
    words = [request[token.start : token.end] for token in tokens if token is not table and token.sort != "mark"]
    return TableQuestion(table.text, tuple(" ".join(words).split()))


def _asks_in_a_table(tokens: list[Token], reading: Reading) -> bool:
    """`How many customers in orders.csv`: what is counted is in the table, not in the folder."""
    table = table_in(tokens)
    at = next(at for at, token in enumerate(tokens) if token is table)
    led = at > 0 and not {"file", "folder"} & {m for term in terms_of(tokens, reading.language) for m in term.meanings}
    led = led and at > 0 and tokens[at - 1].form in {"in", "of", "from", "aus", "von"}
    return (
        led
        and {chore.verb for chore in reading.chores} <= {"count", "list", "which", "exists", "search"}
        and len(tokens) > 3
    )


def _by_clauses(
    tokens: list[Token], language: Language, today: date, earlier: tuple[Chore, ...], undoable: Undo | None
) -> Reading:
    terms = terms_of(tokens, language)
    chores: list[Chore] = []
    unused: list[str] = []
    missing: str | None = None
    before = earlier[-1] if earlier else None
    for part in _clauses(terms, language):
        goes_on = bool(chores) and not _has_verb(part) and any(term.form in _GOES for term in part)
        formed = _formed([token for term in part for token in term.tokens], language, today, before, undoable)
        if formed is not None:
            one = Reading(language, (formed,))
        else:
            one = _clause(_with_verb(part, chores), language, today, before)
        unused += one.unused
        missing = missing or one.missing
        for chore in one.chores:
            if goes_on and not chore.selector.places and not chore.selector.exact:
                # `Move the scans from Inbox to A and the pictures to B`: from there as well.
                chore = replace(chore, selector=replace(chore.selector, places=chores[-1].selector.places))
            if (
                chore.is_act
                and chores
                and chores[-1].verb in {"list", "search"}
                and chores[-1].selector == chore.selector
            ):
                chores.pop()
            chores.append(chore)
            before = chore if chore.verb != "create" or before is None else replace(before, names=chore.names)
    if any(chore.is_act for chore in chores):
        # In what leads to an act as well: `some of the logs are large, delete all logs`.
        unused += [term.form for term in terms if term.form in SOME and term.form not in unused]
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
    chore, missing = tied(clause, chore, before)
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
        if (term.means("and") or term.text == ",") and _goes_on(parts[-1], rest):
            parts.append([])
            continue
        parts[-1].append(term)
    return [part for part in parts if any(each.token.sort != "mark" and not each.means("filler") for each in part)]


_GOES: Final = frozenset({"to", "into", "nach", "to the folder", "into the folder", "to folder", "into folder", "->"})


def _goes_on(before: list[Term], rest: list[Term]) -> bool:
    """`Move A to X and B to Y`: the same again with other things, to somewhere else."""
    if not {"move", "copy"} & set(_verbs(before)) or not any(term.form in _GOES for term in before):
        return False
    end = next((at for at, term in enumerate(rest) if term.means("and", "then") or term.text in {",", ";"}), len(rest))
    goes = next((at for at, term in enumerate(rest[:end]) if term.form in _GOES), 0)
    return any(not term.means("filler") for term in rest[:goes]) and not _verbs(rest[:end])


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
    if "create" in _verbs(before) and rest[-1].form in _INTO_IT and not _has_verb(rest):
        return True
    end = next((i for i, term in enumerate(rest) if term.means("and") or term.text in {",", ";"}), len(rest))
    return bool(set(_verbs(rest[max(0, end - 2) : end])) & ACTS)


_INTO_IT: Final = frozenset({"rein", "hinein", "dorthin", "dahin", "reinpacken"})


def _with_verb(part: list[Term], chores: list[Chore]) -> list[Term]:
    """`Delete the tmp files, then the empty folders`: a clause without a verb has the one before."""
    names = any(term.kind or term.token.is_name or term.means("file", "folder") for term in part)
    goes = any(term.form in {"to", "into", "nach"} for term in part)
    if chores and chores[-1].verb == "create" and not _has_verb(part) and part[-1].form in _INTO_IT:
        # `Ordner X anlegen und die Bilder rein`.
        there = Term("", frozenset({"there"}), part[-1].tokens)
        return [Term("", frozenset({"do:move"}), part[0].tokens), *part[:-1], there]
    again = goes and bool(chores) and chores[-1].verb in {"move", "copy"}
    if not chores or _has_verb(part) or not chores[-1].is_act or not (names or again) or (goes and not again):
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
    if not (clause.verbs or clause.heads or clause.refers or clause.nth) and chore.selector.is_everything:
        return Reading(language, unused=tuple(clause.unused), missing="what")
    chore, missing = tied(clause, chore, before)
    unused = list(clause.unused)
    if tail and chore.verb in {"move", "copy"} and is_unless_there(tail):
        chore = replace(chore, skips_there=True)
    elif tail:
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
    if acts and not clause.is_order:
        return "ambiguous"
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
        if not selector.has_head and not selector.is_duplicates and clause.nth is None:
            return "which"
        if selector.order is not None and selector.order.is_usual:
            return "how_many"
        if verb != "trash" and chore.target is None:
            return "where"
        if verb != "trash" and is_file_name(chore.target or "") and len(selector.exact) != 1:
            return "where"
        return None
    if verb == "overview" and (selector.condition is not None or selector.exact or selector.order is not None):
        return "ambiguous"
    counts = verb in {"linecount", "words"} and selector.condition is not None and selector.order is None
    if verb in _NEED_A_FILE and not selector.exact and clause.nth is None and not counts:
        return "file"
    if verb == "lines" and chore.text is None and not _holds(selector):
        return "text"
    return None


def _missing_in_rename(chore: Chore, clause: Clause) -> str | None:
    if len(chore.selector.exact) != 1 and clause.nth is None:
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
