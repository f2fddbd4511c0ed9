"""A request to its reading: cut into clauses, each read by itself, then tied by `them`, `there`, `if` and `then`."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Final

from deputy_sidecar.offline.amounts import number_of, size_at
from deputy_sidecar.offline.asking import asked_on, asks_in_a_table, question_of, questions_of_each
from deputy_sidecar.offline.chore import ACTS, REPORT, Chore, Reading, Test
from deputy_sidecar.offline.conditions import skip
from deputy_sidecar.offline.courtesy import without_courtesies
from deputy_sidecar.offline.cutting import GOES, clauses, has_verb, verbs, with_verb
from deputy_sidecar.offline.doubts import (
    asks_a_person,
    asks_advice,
    asks_for_each,
    asks_who_too,
    counts_compounds,
    finds_nothing,
    is_a_sentence,
    is_only_a_day,
    missing_in_some,
    names_another_place,
    tidies_vaguely,
)
from deputy_sidecar.offline.exceptions import excluded
from deputy_sidecar.offline.follow_up import Undo, follow_up, is_about_a_list
from deputy_sidecar.offline.forms import match
from deputy_sidecar.offline.general_verbs import as_asked
from deputy_sidecar.offline.grammar import LEADS_TO_A_PLACE, SOME, Clause
from deputy_sidecar.offline.intent import is_no_order
from deputy_sidecar.offline.jobs import FORMS
from deputy_sidecar.offline.jobs.archives import KINDS as ARCHIVES
from deputy_sidecar.offline.jobs.archives import OF_A_FOLDER, Pack
from deputy_sidecar.offline.jobs.questions import TableQuestion
from deputy_sidecar.offline.known_names import KnownNames, glued, without_appositions
from deputy_sidecar.offline.lacking import missing_in
from deputy_sidecar.offline.lexicon import Term, language_of, lexicon, terms_of
from deputy_sidecar.offline.nouns import each_alone
from deputy_sidecar.offline.referring import tied
from deputy_sidecar.offline.remarks import may_be_passed_by, without_remarks
from deputy_sidecar.offline.rewordings import other_words
from deputy_sidecar.offline.scene import Scene
from deputy_sidecar.offline.second_readings import one_by_one, referring, with_place_of
from deputy_sidecar.offline.selector import (
    Condition,
    Empty,
    Holds,
    IsKind,
    Named,
    Not,
    Selector,
    joined,
    with_whole_words,
)
from deputy_sidecar.offline.terminal import in_words
from deputy_sidecar.offline.tokens import Token, normal, tokens_of, without_compounds, without_formal_you
from deputy_sidecar.offline.unless import in_front, is_unless_there, text_in_it
from deputy_sidecar.offline.wordings import in_plain_words

__all__ = ["read"]

LONGEST: Final = 600


# The steps of a task each begin with its reading, and those of the tasks before it.
@lru_cache(maxsize=32)
def read(
    request: str,
    today: date,
    earlier: tuple[Chore, ...] = (),
    known: KnownNames | None = None,
    undoable: Undo | None = None,
) -> Reading:
    """The reading; `earlier` are chores that `them` or `the same` may refer to, `known` the names that are there."""
    said = in_plain_words(in_words(without_courtesies(request)))

    def once(text: str, before: tuple[Chore, ...]) -> Reading:
        return _read(text, today, before, known, None)

    reading = _read(said, today, earlier, known, undoable)
    is_question = len(reading.chores) == 1 and isinstance(reading.chores[0].job, TableQuestion)
    if not reading.is_complete or is_question:
        for rest, remarks in without_remarks(said, known):
            again = _read(in_plain_words(in_words(without_courtesies(rest))), today, earlier, known, undoable)
            if again.is_complete and may_be_passed_by(remarks, again.chores):
                reading = replace(again, remarks=remarks)
                break
    if not reading.is_complete:
        reading = referring(said, known, once) or reading
    if not reading.is_complete or finds_nothing(reading, known):
        for other in other_words(said, known):
            again = _read(other.text, today, earlier, known, undoable)
            if again.is_complete and other.may_be(again.chores) and not finds_nothing(again, known):
                reading = again
                if other.use == "looks":
                    reading = replace(again, chores=tuple(replace(chore, is_guess=True) for chore in again.chores))
                break
    if not reading.is_complete or (asks_who_too(said) and asks_a_person(request, said, reading)):
        reading = one_by_one(said, earlier, known, once) or reading
    missing = missing_in_some(reading, known)
    if reading.is_complete and missing:
        return replace(reading, unused=missing)
    if reading.is_complete and (is_only_a_day(request, reading) or counts_compounds(reading, known)):
        return replace(reading, missing="what")
    if reading.is_complete and (asks_for_each(request, reading) or names_another_place(request, reading)):
        return replace(reading, missing="ambiguous")
    if reading.is_complete and tidies_vaguely(request, reading):
        return replace(reading, missing="ambiguous")
    if asks_a_person(request, said, reading):
        return replace(reading, missing="what" if asks_advice(request) else "who")
    if any(chore.is_act for chore in reading.chores) and is_no_order(request):
        return replace(reading, missing="no_order")
    return reading


def _read(
    request: str, today: date, earlier: tuple[Chore, ...], known: KnownNames | None, undoable: Undo | None
) -> Reading:
    tokens = tokens_of(request[:LONGEST])
    scene = Scene(language_of(tokens), today, known)
    if scene.language == "de":
        tokens = without_formal_you(tokens)
        tokens = without_compounds(tokens, lambda word: _is_word(word, scene))
    if len(request) > LONGEST:
        return Reading(scene.language, missing="what")
    if known is not None:
        tokens = without_appositions(glued(request, tokens, known))
    whole = _formed(tokens, scene, earlier[-1] if earlier else None, undoable)
    if whole is not None or is_about_a_list(tokens):
        return Reading(scene.language, (whole,)) if whole is not None else Reading(scene.language, missing="refers")
    reading = _by_clauses(tokens, scene, earlier, undoable)
    if any(chore.output is not None and "." not in chore.output.rpartition("/")[2] for chore in reading.chores):
        # `Get the photos and put them in Press`: no list is written to a file of that name.
        reading = replace(reading, missing=reading.missing or "where")
    if any(chore.target is not None and is_a_sentence(chore.target) for chore in reading.chores):
        # A sentence that was taken for a name.
        reading = replace(reading, missing=reading.missing or "where")
    if not reading.is_complete and (again := asked_on(request, tokens, scene, earlier)) is not None:
        return Reading(scene.language, (Chore("form", job=again),))
    question = question_of(request, tokens, scene)
    if question is not None and (not reading.is_complete or asks_in_a_table(tokens, reading, scene.known)):
        return Reading(scene.language, (Chore("form", job=question),))
    each = questions_of_each(request, tokens, scene) if not reading.is_complete else ()
    return Reading(scene.language, tuple(Chore("form", job=one) for one in each)) if each else reading


def _is_word(word: str, scene: Scene) -> bool:
    """Whether a word is one of the vocabulary or a piece of a name as it is."""
    named = scene.known is not None and any(normal(word) in name for name in scene.known.paths)
    return lexicon("de").is_word(normal(word)) or named


def _by_clauses(tokens: list[Token], scene: Scene, earlier: tuple[Chore, ...], undoable: Undo | None) -> Reading:
    language = scene.language
    terms = terms_of(tokens, language, scene.is_name)
    chores: list[Chore] = []
    unused: list[str] = []
    missing: str | None = None
    before = earlier[-1] if earlier else None
    for part in clauses(terms, language):
        goes_on = bool(chores) and not has_verb(part) and any(term.form in GOES for term in part)
        formed = _formed([token for term in part for token in term.tokens], scene, before, undoable)
        one = Reading(language, (formed,)) if formed else _clause(with_verb(part, chores), scene, before)
        unused += one.unused
        if chores and isinstance(chores[-1].job, Pack) and (name := _name_of_it(one, chores[-1])) is not None:
            # `Zip the clips and call it clips.zip`.
            chores[-1] = replace(chores[-1], job=replace(chores[-1].job, archive=name))
            continue
        if _names_the_copy(one, chores):
            # `Copy a.txt and name it b.txt`.
            chores[-1] = replace(chores[-1], target=one.chores[0].target)
            missing = None if missing == "where" else missing
            continue
        missing = missing or one.missing
        for chore in one.chores:
            if goes_on and not chore.selector.places and not chore.selector.exact:
                # `Move the scans from Inbox to A and the pictures to B`: from there as well.
                chore = replace(chore, selector=replace(chore.selector, places=chores[-1].selector.places))
            if chores and isinstance(chores[-1].job, Pack) and _is_the_archive(part, chore):
                # `Zip the scans and put the zip into Old`: it is made there.
                chores[-1] = replace(chores[-1], job=chores[-1].job.placed(chore.target or ""))
                continue
            if (
                chores
                and (chore.is_act or chore.verb in _LISTING)
                and chores[-1].verb in _LISTING
                and replace(chores[-1].selector, is_single=chore.selector.is_single) == chore.selector
            ):
                # `Find and delete`, `find it and list it`.
                chores.pop()
            chores.append(chore)
            before = chore if chore.verb != "create" or before is None else replace(before, names=chore.names)
    if any(chore.is_act for chore in chores):
        # In what leads to an act as well: `some of the logs are large, delete all logs`.
        unused += [term.form for term in terms if term.form in SOME and term.form not in unused]
    if not chores and missing is None:
        missing = "what"
    if len(chores) > 1:
        chores = [with_place_of(chores[-1], chore) for chore in chores]
    if missing is None:
        chores = _with_folders_made(_as_report(chores))
    return Reading(language, tuple(chores), tuple(unused), missing)


_LISTING: Final = frozenset({"list", "search", "where", "which"})


def _is_the_archive(part: list[Term], chore: Chore) -> bool:
    """Whether a step moves the archive that the one before makes."""
    said = {term.form for term in part}
    only_that = isinstance(chore.selector.condition, IsKind) and not chore.selector.places
    return chore.verb == "move" and only_that and bool(said & _THE_ARCHIVE) and "." not in (chore.target or ".")


_THE_ARCHIVE: Final = frozenset({"zip", "zip file", "archive file", "zip-datei", "zip datei", "archivdatei"})


def _names_the_copy(one: Reading, chores: list[Chore]) -> bool:
    """Whether a step names the copy that the one before makes."""
    return (
        bool(chores)
        and chores[-1].verb == "copy"
        and chores[-1].target is None
        and _name_of_it(one, Chore("copy")) is not None
    )


def _name_of_it(one: Reading, made: Chore) -> str | None:
    """The name of `call it clips.zip`, which says of nothing else what it is called."""
    only = one.chores[0] if len(one.chores) == 1 and not one.unused else None
    if only is None or only.verb != "rename" or only.job is not None:
        return None
    is_same = (only.selector.condition, only.selector.places) == (made.selector.condition, made.selector.places)
    is_of_it = only.selector.is_everything or (is_same and (only.target or "").endswith(ARCHIVES))
    return only.target if is_of_it else None


def _formed(tokens: list[Token], scene: Scene, before: Chore | None, undoable: Undo | None) -> Chore | None:
    """The chore of a form that fits all of the tokens, or of a form that is about what came before."""
    again = follow_up(tokens, before, undoable)
    if again is not None:
        return again
    selected: list[Selector] = []

    def which(inside: list[Token]) -> Selector | None:
        selector = _selection(inside, scene, before)
        selected[:] = [selector] if selector is not None else []
        return selector

    job = match(FORMS, tokens, scene.language, which)
    if isinstance(job, Pack) and _is_no_folder(job, scene):
        # `Pack the receipts`, where no folder is called so.
        job = match([form for form in FORMS if form.make not in OF_A_FOLDER], tokens, scene.language, which)
    return Chore("form", selected[0] if selected else Selector(), job=job) if job is not None else None


def _is_no_folder(job: Pack, scene: Scene) -> bool:
    selector = job.selector
    return (
        scene.known is not None
        and selector.entries == "folder"
        and len(selector.exact) == 1
        and selector.exact[0].rstrip("/") not in scene.known.folders
        and scene.folder(selector.exact[0]) is None
    )


def _selection(tokens: list[Token], scene: Scene, before: Chore | None) -> Selector | None:
    """Words that only say which files; None where they say anything else, or not enough."""
    if tokens[-1].form in LEADS_TO_A_PLACE:
        return None
    verb = Term("", frozenset({"do:list"}), (Token("", "", "word", 0, 0),))
    terms = [verb, *terms_of(tokens, scene.language, scene.is_name)]
    clause = Clause(terms, scene).read()
    chore = clause.chore()
    if chore is None or clause.unused or clause.missing or chore.verb != "list" or clause.there or clause.target:
        return None
    if not (clause.heads or clause.places or clause.refers or chore.selector.condition):
        return None
    chore, missing = tied(clause, chore, before)
    # Most forms change something.
    selector = replace(chore.selector, condition=with_whole_words(chore.selector.condition))
    return selector if missing is None else None


# One clause.


def _clause(terms: list[Term], scene: Scene, before: Chore | None) -> Reading:
    language = scene.language
    begin = skip(terms, 0, "then", "first", "and")
    if begin < len(terms) and terms[begin].means("if", "unless"):
        return _leading_if(terms, begin, scene, before)
    cut = next(
        (
            at
            for at, term in enumerate(terms)
            if term.means("if", "unless") and at > begin and not term.means("do:exists")
        ),
        None,
    )
    tail = terms[cut:] if cut is not None else []
    if tail and _formed([token for term in terms[:cut] for token in term.tokens], scene, before, None) is not None:
        return _leading_if(in_front(terms[:cut], tail, scene.known), 0, scene, before)
    clause = Clause(terms[:cut] if cut is not None else terms, scene).read()
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
        chore, left = _narrowed(chore, tail, scene)
        tested = _leading_if(in_front(terms[:cut], tail, scene.known), 0, scene, before) if left else None
        if tested is not None and tested.is_complete:
            return tested
        unused += left
    chore = as_asked(chore, clause)
    missing = missing or clause.missing or missing_in(chore, clause)
    return Reading(language, _each_alone(chore, clause), tuple(unused), missing)


def _each_alone(chore: Chore, clause: Clause) -> tuple[Chore, ...]:
    """`Delete todo.txt and the empty folder`: one step for each, so that the folder has to be the only one."""
    if chore.verb not in {"trash", "move", "copy"} or clause.order or clause.refers or chore.selector.expected:
        return (chore,)
    alone = each_alone(clause.heads, clause.places, clause.outside)
    if alone is None or chore.selector.is_duplicates:
        return (chore,)
    return tuple(replace(chore, selector=replace(each, condition=with_whole_words(each.condition))) for each in alone)


def _narrowed(chore: Chore, tail: list[Term], scene: Scene) -> tuple[Chore, list[str]]:
    """`If it is older than a year`, `unless they are flac`: conditions on what is acted on."""
    words = " ".join(term.text for term in tail)
    is_unless = tail[0].means("unless")
    if (text := text_in_it(tail[1:])) is not None and chore.verb in ACTS:
        # `Unless there are errors in it`: a single one is enough to leave it.
        held: Condition = Not(Holds(text.removesuffix("s"))) if is_unless else Holds(text)
        both = joined([*([chore.selector.condition] if chore.selector.condition else []), held])
        return replace(chore, selector=replace(chore.selector, condition=both)), []
    inner = Clause(tail[1:], scene, inner=True).read()
    condition = excluded(inner)
    is_guess = any(head.topics for head in inner.heads)
    if inner.unused or not condition or len(condition) != 1 or chore.verb not in ACTS or inner.places or is_guess:
        # A word that is not a kind, date or size is ambiguous: it may be in the name or in the text.
        return chore, [words]
    both = joined(
        [
            *([chore.selector.condition] if chore.selector.condition else []),
            Not(condition[0]) if is_unless else condition[0],
        ]
    )
    return replace(chore, selector=replace(chore.selector, condition=both)), []


def _leading_if(terms: list[Term], begin: int, scene: Scene, before: Chore | None) -> Reading:
    language = scene.language
    end = next((at for at, term in enumerate(terms) if at > begin and (term.text == "," or term.means("then"))), None)
    words = tuple(term.text for term in terms[begin : end or len(terms)] if term.token.sort != "mark")
    stop = end
    if end is None:
        # `If there are more than 2 logs delete the oldest`: it ends where the order begins.
        orders = [at for at, term in enumerate(terms) if at > begin + 2 and set(verbs([term])) & ACTS]
        stop = orders[0] if len(orders) == 1 else None
        end = stop - 1 if stop is not None else None
    if end is None:
        return Reading(language, unused=words, missing="if")
    inside, least, most = _counted(terms[begin + 1 : stop])
    clause = Clause(inside, scene)
    clause.is_test = True
    tested = clause.read().chore()
    if (
        tested is None
        or clause.unused
        or (tested.selector.is_everything and not tested.selector.places)
        or tested.is_act
        or clause.missing
    ):
        return Reading(language, unused=words, missing="if")
    selector = tested.selector
    if clause.refers and clause.is_duplicates and any(head.topics or head.is_exact for head in clause.heads):
        # `If it is the same as b.csv`: whether two things are alike is no count.
        return Reading(language, unused=words, missing="if")
    if selector.condition == Empty() and len(selector.places) == 1 and not any(head.is_led for head in clause.heads):
        # `If Scores/Old is empty, delete it`: the folder itself.
        place = selector.places[0]
        if inside[0].token.sort == "path":
            condition = joined([Named(place, "is"), Empty()])
            selector = Selector(entries="folder", condition=condition, exact=(place,), is_single=True)
    if terms[begin].means("unless"):
        turned = _turned(least, most)
        if turned is None:
            return Reading(language, unused=words, missing="if")
        least, most = turned
    if most == 0 and selector.entries == "folder":
        # `If there is no folder called X, create it.`
        name = [selector.condition.text] if isinstance(selector.condition, Named) else []
        rest = Clause(terms[end + 1 :], scene).read()
        if rest.verb == "create" and rest.refers and name and not rest.unused:
            test = Test(selector, least=0, most=0)
            return Reading(language, (Chore("create", names=tuple(name), test=test),))
    # `If there is a folder X, move them there`.
    there = selector.exact if selector.entries == "folder" and len(selector.exact) == 1 else ()
    leads = Chore("list", selector, names=there)
    formed = _formed([token for term in terms[end + 1 :] for token in term.tokens], scene, leads, None)
    done = Reading(language, (formed,)) if formed is not None else _clause(terms[end + 1 :], scene, leads)
    if not done.chores:
        return done
    test = Test(selector, least=least, most=most)
    return replace(done, chores=tuple(replace(chore, test=test) for chore in done.chores))


def _turned(least: int, most: int | None) -> tuple[int, int | None] | None:
    """The bounds that hold where these do not."""
    if most is None:
        return 0, least - 1
    if least == most == 1:
        # `Unless there is only one`.
        return 2, None
    return (most + 1, None) if least == 0 else None


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
            and (
                terms[at + 2].kind
                or terms[at + 2].means("file", "folder", "empty")
                or terms[at + 2].is_unknown
                or terms[at + 2].token.is_name
            )
        ):
            inclusive = term.form in {"at least", "at most", "mindestens", "hoechstens", "up to", "bis zu", "maximal"}
            least, most = (
                (int(number) + (not inclusive), None) if term.means("more") else (0, int(number) - (not inclusive))
            )
            at += 2
            continue
        if term.means("only") and number == 1:
            # `Only one reminder` is `a reminder`, of which there is no second.
            least, most = 1, 1
            kept.append(Term("a", frozenset({"filler"}), terms[at + 1].tokens))
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
    name = chores[-1].output or (chores[-1].selector.exact[0] if chores[-1].selector.exact else REPORT)
    if any(chore.verb in {"overview", "which", "tree"} for chore in chores[:-1]):
        return [Chore("report", replace(chores[0].selector, exact=(), condition=None), output=name)]
    return [*chores[:-2], replace(chores[-2], output=name)]
