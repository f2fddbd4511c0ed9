"""Requests that are questions to a table: it is named, or the request continues such a question."""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.chore import ACTS, Chore, Reading
from deputy_sidecar.offline.cutting import verbs
from deputy_sidecar.offline.jobs.question_words import MEANINGS
from deputy_sidecar.offline.jobs.questions import TableQuestion, ranked_rows, table_in, table_named
from deputy_sidecar.offline.jobs.tables import Ask
from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.lexicon import terms_of
from deputy_sidecar.offline.scene import Scene
from deputy_sidecar.offline.tokens import Token, normal

__all__ = ["asked_on", "asks_in_a_table", "question_of", "questions_of_each"]

_NO_QUESTIONS: Final = frozenset(
    "pack unpack replace compare undo write report linecount head tail words when lines tidy tree usage size".split()
)


def asked_on(request: str, tokens: list[Token], scene: Scene, earlier: tuple[Chore, ...]) -> TableQuestion | None:
    """`And only for food?`: the question to a table before, with one more condition."""
    job = earlier[-1].job if earlier else None
    terms = terms_of(tokens, scene.language)
    leads = {"and", "und", "only", "nur", "just"}
    if (
        not isinstance(job, Ask | TableQuestion)
        or verbs(terms)
        or tokens[0].form not in leads
        or len(tokens) > MOST_MORE
    ):
        return None
    words = _words_of(request)
    while words and words[0].lower() in leads | {"for", "fuer", "für", "in", "the"}:
        words = words[1:]
    said: tuple[str, ...]
    if isinstance(job, Ask):
        said = () if job.value or job.compare or job.group else (job.what, job.column)
    else:
        said = job.words
    return TableQuestion(job.file, (*said, *words)) if said and words else None


MOST_MORE: Final = 8


def _words_of(text: str) -> list[str]:
    return [word for word in (word.strip('?!.,:;()"“”„') for word in text.split()) if word]


def question_of(request: str, tokens: list[Token], scene: Scene) -> TableQuestion | None:
    """The request as a question to the table that it names, if it changes nothing."""
    language = scene.language
    table, file = table_in(tokens), None
    if table is None and (ranked := ranked_rows(tokens, scene.known)) is not None:
        table, file = ranked
        return TableQuestion(file, tuple(_words_of(request)))
    if table is None and (named := table_named(tokens, scene.known)) is not None:
        table, file = named
    if table is None or any(
        token.sort == "glob" or (token.sort == "symbol" and token.text not in {"<", ">", "<=", ">="})
        for token in tokens
    ):
        return None
    terms = terms_of(tokens, language)
    # `Show only name and joined`: a column.
    said = verbs([term for at, term in enumerate(terms) if at == 0 or term.form != "name"])
    first = next((term for term in terms if not term.means("filler") and term.token.sort != "mark"), terms[0])
    asks = bool(set(verbs([first])) & {"count", "which", "list", "when", "where", "exists"})
    if set(said) & _NO_QUESTIONS or (set(said) & ACTS and not asks):
        return None
    # As they were typed: a name that is a folder's, too, is one of the table's here.
    words = _words_of(f"{request[: table.start]} {request[table.end :]}")
    return TableQuestion(file or table.text, tuple(words))


def questions_of_each(request: str, tokens: list[Token], scene: Scene) -> tuple[TableQuestion, ...]:
    """The same question to each of several tables that are named: `sum of amount in a.csv and b.csv`."""
    tables = [
        token for token in tokens if token.sort in {"file", "path"} and token.text.lower().endswith((".csv", ".tsv"))
    ]
    terms = terms_of(tokens, scene.language)
    if len(tables) < 2 or set(verbs(terms)) & (_NO_QUESTIONS | ACTS) or _words_of(request)[-1:] == []:
        return ()
    rest = "".join(char for at, char in enumerate(request) if not any(each.start <= at < each.end for each in tables))
    words = _words_of(re.sub(r"(?:\s+(?:and|und|,|or|oder))+\s*(?=[.?!]*$)", " ", rest))
    asks = any(
        meaning.startswith("compute:")
        for length in (1, 2)
        for meaning in (MEANINGS.get(tuple(map(normal, words[:length]))) or "",)
    )
    return tuple(TableQuestion(each.text, tuple(words)) for each in tables) if asks else ()


def asks_in_a_table(tokens: list[Token], reading: Reading, known: KnownNames | None = None) -> bool:
    """`How many customers in orders.csv`: what is counted is in the table, not in the folder."""
    table = table_in(tokens)
    if table is None and ranked_rows(tokens, known) is not None:
        return not any(chore.is_act for chore in reading.chores)
    if table is None:
        return False
    at = next(at for at, token in enumerate(tokens) if token is table)
    led = at > 0 and not {"file", "folder"} & {m for term in terms_of(tokens, reading.language) for m in term.meanings}
    led = led and at > 0 and tokens[at - 1].form in {"in", "of", "from", "aus", "von"}
    if any(chore.verb == "read" and chore.selector.places for chore in reading.chores):
        # `Show me the orders from Miller in orders.csv`.
        return True
    return (
        led
        and {chore.verb for chore in reading.chores} <= {"count", "list", "which", "exists", "search"}
        and len(tokens) > 3
    )
