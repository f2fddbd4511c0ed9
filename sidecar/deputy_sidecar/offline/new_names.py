"""Names that a request gives to what is new, each to its end: `rename X to Winter 2026`, `a folder Save backup`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from deputy_sidecar.offline.lexicon import lexicon
from deputy_sidecar.offline.tokens import Token, normal

if TYPE_CHECKING:
    from deputy_sidecar.offline.known_names import KnownNames

__all__ = ["DATED", "FOLDER_WORDS", "LONGEST_NAME", "TARGETS", "is_small", "new_at", "renamed_to", "token_of"]

LONGEST_NAME: Final = 9
FOLDER_WORDS: Final = frozenset("folder folders directory dir ordner ordners verzeichnis".split())
TARGETS: Final = frozenset("to into onto nach ins zu zum".split())
_CALLED: Final = frozenset("called named namens".split())


def is_small(token: Token) -> bool:
    """Whether a word is one of those that hold requests together, or says what is done."""
    meanings = {each for language in ("en", "de") for each in lexicon(language).phrases.get((token.form,), ())}
    return any(
        each.startswith("do:") or each in {"filler", "to", "in", "and", "or", "not", "of", "named", "file"}
        for each in meanings
    )


def renamed_to(request: str, tokens: list[Token], at: int) -> tuple[Token, int] | None:
    """`Rename X to Winter 2026`, `benenne X in Hausarbeit Biologie.odt um`: the new name, to the end of the request."""
    is_german = any(token.form.startswith(("benenn", "umbenenn")) for token in tokens)
    copies = any(token.form.startswith(("cop", "kopier", "save", "speicher")) for token in tokens[:at])
    if copies and at > 1 and tokens[at - 1].form in {"as", "als"}:
        return _to_the_file(request, tokens, at)
    if at > 1 and [token.form for token in tokens[at - 2 : at]] in _CALLED_IT and not is_german:
        return _to_the_file(request, tokens, at)
    if not is_german and not any(token.form.startswith("renam") for token in tokens):
        return None
    leads = _GERMAN_LEADS if is_german else _ENGLISH_LEADS
    if at == 0 or tokens[at - 1].form not in leads or tokens[at].sort not in {"word", "number"}:
        return None
    said = max(i for i, token in enumerate(tokens) if token.form.startswith(("renam", "benenn", "umbenenn")))
    if any(token.form.startswith(_OTHER_ORDERS) for token in tokens[said + 1 : at]):
        # `Rename it, and move it to a new folder`: where it goes is no name.
        return None
    end = len(tokens)
    while end > at and (tokens[end - 1].form in _BEHIND_NAMES or tokens[end - 1].sort == "mark"):
        end -= 1
    for stop in range(at, end):
        if tokens[stop].sort == "mark" or tokens[stop].form in _NAME_ENDS:
            end = stop
            break
    name = tokens[at:end]
    if len(name) < 2 or any(token.sort not in {"word", "number", "file", "date"} for token in name):
        return None
    if is_german and any(token.sort == "word" and not token.text[:1].isupper() for token in name):
        return None
    if any(token.form in leads for token in name) or not any(
        token.sort in {"number", "file", "date"} or token.text[:1].isupper() for token in name
    ):
        return None
    return token_of(request[tokens[at].start : tokens[end - 1].end], tokens[at], tokens[end - 1], False), end


def _to_the_file(request: str, tokens: list[Token], at: int) -> tuple[Token, int] | None:
    """`Name it Read me second.txt`: all words to the file's end are its name."""
    end = next((each for each in range(at, min(len(tokens), at + LONGEST_NAME)) if tokens[each].sort == "file"), None)
    if end is None or end == at or any(token.sort not in {"word", "number"} for token in tokens[at:end]):
        return None
    return token_of(request[tokens[at].start : tokens[end].end], tokens[at], tokens[end], False), end + 1


_OTHER_ORDERS: Final = (
    "move",
    "put",
    "copy",
    "place",
    "zip",
    "pack",
    "store",
    "verschieb",
    "kopier",
    "leg",
    "schieb",
    "steck",
)
_CALLED_IT: Final = [[verb, it] for verb in ("name", "call") for it in ("it", "them", "that")]
_ENGLISH_LEADS: Final = frozenset("to into as".split())
_GERMAN_LEADS: Final = frozenset("in zu als".split())
_BEHIND_NAMES: Final = frozenset("please pls thanks um bitte now jetzt instead umbenennen".split())
_NAME_ENDS: Final = frozenset("and then und dann".split())


def _words_to_the_end(tokens: list[Token], at: int) -> int:
    """Where a name ends that the last word or two of the request belong to: `a folder Save backup`."""
    rest = [token for token in tokens[at:] if token.sort != "mark"]
    is_name = 0 < len(rest) <= 2 and all(token.sort == "word" and not is_small(token) for token in rest)
    return at + len(rest) if is_name and all(token.sort != "mark" for token in tokens[at : at + len(rest)]) else at


def new_at(request: str, tokens: list[Token], at: int, known: KnownNames) -> tuple[Token, int] | None:
    """`Called Steuer 2026`: a name that is new, to where it ends."""
    if (spaced := _below_a_known(request, tokens, at, known)) is not None:
        return spaced
    if at > 0 and tokens[at].sort == "path" and tokens[at - 1].form in TARGETS and tokens[at].text not in known.folders:
        end = _words_to_the_end(tokens, at + 1)
        if end > at + 1 and tokens[at].text.rpartition("/")[0] in known.folders:
            return token_of(request[tokens[at].start : tokens[end - 1].end], tokens[at], tokens[end - 1], True), end
    if at == 0 or tokens[at].sort != "word":
        return None
    end = at + 1
    leads = _CALLED | TARGETS | FOLDER_WORDS | {"in", "as", "als"}
    if tokens[at - 1].form not in leads and tokens[at].sort == "word" and known.is_there(tokens[at].text):
        # `The files of the Konzert 2026`: names hold the word, and the number says more.
        return None
    if tokens[at - 1].form in _CALLED or tokens[at].text[:1].isupper():
        while end < len(tokens) and tokens[end].sort == "number" and len(tokens[end].text) in {2, 4}:
            end += 1
        if end == at + 1 and tokens[at - 1].form in _CALLED | FOLDER_WORDS and tokens[at].text[:1].isupper():
            while end < len(tokens) and tokens[end].sort == "word" and tokens[end].text[:1].isupper():
                end += 1
        if end == at + 1 and tokens[at - 1].form in _CALLED | FOLDER_WORDS and tokens[at].text[:1].isupper():
            end = _words_to_the_end(tokens, end)
    elif tokens[at - 1].form == "to" and any(token.form.startswith(("renam", "call")) for token in tokens[:at]):
        while end < len(tokens) and tokens[end].sort in {"word", "number"}:
            end += 1
        end = end + 1 if end < len(tokens) and tokens[end].sort == "file" else at + 1
    if end == at + 1 and tokens[at].text[:1].isupper() and end + 1 < len(tokens) + 1:
        # `In Ideen 2026.md um`.
        following = tokens[end] if end < len(tokens) else None
        if following is not None and following.sort == "file" and following.text[:1].isdigit():
            end += 1
    if (
        end - at < 2
        or tokens[at].form in MONTHS
        or (lexicon("en").mend(tokens[at].form) or lexicon("de").mend(tokens[at].form)) in MONTHS
    ):
        return None
    return token_of(request[tokens[at].start : tokens[end - 1].end], tokens[at], tokens[end - 1], False), end


def _below_a_known(request: str, tokens: list[Token], at: int, known: KnownNames) -> tuple[Token, int] | None:
    """`Houses/Elm Street 4/Photos`: a new folder in one whose name has spaces."""
    if tokens[at].sort != "path":
        return None
    rest = request[tokens[at].start :]
    for folder in sorted(known.folders, key=len, reverse=True):
        if " " not in folder or not rest.lower().startswith(f"{folder.lower()}/"):
            continue
        length = len(folder) + len(rest[len(folder) :].split(maxsplit=1)[0].rstrip(",.;:!?"))
        stop = tokens[at].start + length
        end = next((i for i in range(at, len(tokens)) if tokens[i].start >= stop), len(tokens))
        path = folder + rest[len(folder) : length]
        return token_of(path, tokens[at], tokens[end - 1], True), end
    return None


MONTHS: Final = frozenset(
    "year jahr jahre jahres quarter quartal kw week woche q1 q2 q3 q4 h1 h2 "
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec januar februar maerz mai juni juli oktober dezember ostern weihnachten easter christmas "
    "spring summer autumn fall winter fruehling fruehjahr sommer herbst since from before after "
    "between seit vor nach".split()
)


DATED: Final = MONTHS - frozenset("year jahr jahre jahres from before after between since seit vor nach".split())


def token_of(text: str, first: Token, last: Token, is_folder: bool) -> Token:
    """Several tokens as one, which nothing else takes apart."""
    sort = "path" if is_folder or "/" in text else "file" if "." in text else "quoted"
    return Token(text, f"{normal(text)}/", sort, first.start, last.end)
