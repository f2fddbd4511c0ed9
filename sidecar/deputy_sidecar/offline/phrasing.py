"""A reading in words: the sentence that stands first in each answer, in the language of the request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from deputy_sidecar.offline.chore import REPORT, Chore, Reading
from deputy_sidecar.offline.results import size_text
from deputy_sidecar.offline.selector import (
    All,
    Any_,
    Changed,
    Condition,
    Deep,
    Empty,
    Holds,
    IsKind,
    Measured,
    Named,
    NoExtension,
    Not,
    OfSort,
    Selector,
    Sized,
    Tagged,
    Topic,
    Under,
)

__all__ = ["called", "can_say", "counted", "nothing_found", "quoted", "reading_in_words", "say", "selector_in_words"]

SAYINGS: Final[dict[str, tuple[str, str]]] = {
    "list": ("list {what}", "{what} auflisten"),
    "count": ("count {what}", "{what} zählen"),
    "size": ("add up the size of {what}", "die Größe zusammenzählen: {what}"),
    "usage": ("say what takes the most room in {where}", "sagen, was in {where} am meisten Platz braucht"),
    "tree": ("show {where} as a tree", "{where} als Baum zeigen"),
    "overview": ("say what is in {where}", "sagen, was in {where} ist"),
    "duplicates": ("find files with the same content among {what}", "Dateien mit gleichem Inhalt finden: {what}"),
    "read": ("show the text of {what}", "den Text zeigen: {what}"),
    "head_one": ("show the first line of {what}", "die erste Zeile zeigen: {what}"),
    "tail_one": ("show the last line of {what}", "die letzte Zeile zeigen: {what}"),
    "head": ("show the first {number} lines of {what}", "die ersten {number} Zeilen zeigen: {what}"),
    "tail": ("show the last {number} lines of {what}", "die letzten {number} Zeilen zeigen: {what}"),
    "linecount": ("count the lines of {what}", "die Zeilen zählen: {what}"),
    "words": ("count the words of {what}", "die Wörter zählen: {what}"),
    "when": ("say when {what} changed last", "sagen, wann zuletzt geändert wurde: {what}"),
    "lines": ("show the lines with “{text}” in {what}", "die Zeilen mit „{text}“ zeigen: {what}"),
    "trash": ("put into the trash {what}", "in den Papierkorb legen: {what}"),
    "trash_duplicates": ("put surplus copies into the trash and keep one of each, among {what}", "überzählige Kopien in den Papierkorb legen und je eine behalten: {what}"),
    "move": ("move {what} to {target}", "nach {target} verschieben: {what}"),
    "copy": ("copy {what} to {target}", "nach {target} kopieren: {what}"),
    "rename": ("rename {what} to {target}", "umbenennen in {target}: {what}"),
    "create": ("create {names}", "anlegen: {names}"),
    "tidy": ("tidy up {where} by one plan", "{where} nach einem Plan aufräumen"),
    "report": ("write a report on {where} to {output}", "einen Bericht über {where} in {output} schreiben"),
    "output": (" and write it to {output}", " und in {output} schreiben"),
    "skips_there": (", unless it is there already", ", wenn es dort nicht schon ist"),
    "measured:landscape": ("in landscape format", "im Querformat"),
    "measured:portrait": ("in portrait format", "im Hochformat"),
    "measured:width": ("pixels wide", "Pixel breit"),
    "measured:height": ("pixels high", "Pixel hoch"),
    "measured:pages": ("pages long", "Seiten lang"),
    "measured:lines": ("lines long", "Zeilen lang"),
    "measured:words": ("words long", "Wörter lang"),
    "measured": ("{count} {what}", "{count} {what}"),
    "measured_least": ("at least {count} {what}", "mindestens {count} {what}"),
    "measured_most": ("at most {count} {what}", "höchstens {count} {what}"),
    "if_any": (", if there are any {tested}", ", wenn es welche gibt: {tested}"),
    "if_no": (", if there are no {tested}", ", wenn es keine gibt: {tested}"),
    "if_least": (", if there are at least {count} {tested}", ", wenn es mindestens {count} gibt: {tested}"),
    "if_most": (", if there are at most {count} {tested}", ", wenn es höchstens {count} gibt: {tested}"),
    "reading": ("I read this as: {steps}.", "Ich verstehe das so: {steps}."),
    "remarks": ("I took {remarks} as no part of it.", "Nicht als Teil davon verstanden: {remarks}."),
    "then": ("; then ", "; dann "),
    "here": ("this folder", "diesem Ordner"),
    "files": ("files", "Dateien"),
    "folders": ("folders", "Ordner"),
    "both": ("files and folders", "Dateien und Ordner"),
    "all_files": ("all files", "alle Dateien"),
    "and": (" and ", " und "),
    "or": (" or ", " oder "),
    "not": ("not ({what})", "nicht ({what})"),
    "but_not": (", but not {what}", ", aber nicht {what}"),
    "empty_ones": ("empty {what}", "leere {what}"),
    "in": (" in {where}", " in {where}"),
    "is": ("named “{text}”", "mit dem Namen „{text}“"),
    "has": ("with “{text}” in the name", "mit „{text}“ im Namen"),
    "starts": ("with a name that begins with “{text}”", "deren Name mit „{text}“ beginnt"),
    "ends": ("with a name that ends in “{text}”", "deren Name auf „{text}“ endet"),
    "glob": ("with names like {text}", "mit Namen wie {text}"),
    "bare": ("named “{text}”", "mit dem Namen „{text}“"),
    "topic": ("with “{text}” in the name or in the name of their folder", "mit „{text}“ im Namen oder im Namen ihres Ordners"),
    "no_extension": ("without an extension", "ohne Endung"),
    "at_least": ("of at least {size}", "von mindestens {size}"),
    "at_most": ("of at most {size}", "von höchstens {size}"),
    "between": ("between {least} and {most}", "zwischen {least} und {most}"),
    "since": ("changed since {day}", "geändert seit {day}"),
    "before": ("changed before {day}", "geändert vor dem {day}"),
    "from_to": ("changed from {day} to {last}", "geändert vom {day} bis {last}"),
    "hours_newer": ("changed within {hours} hours", "geändert in den letzten {hours} Stunden"),
    "hours_older": ("not changed within {hours} hours", "nicht geändert in den letzten {hours} Stunden"),
    "holds": ("whose text holds “{text}”", "deren Text „{text}“ enthält"),
    "under": ("in {text}", "in {text}"),
    "deep": ("directly in the folder", "direkt im Ordner"),
    "empty": ("empty", "leer"),
    "tagged": ("with the tag “{tag}”", "mit dem Tag „{tag}“"),
    "expected": (" (exactly {expected})", " (genau {expected})"),
    "skip": (", but not the first {skip}, {order}", ", außer den ersten {skip}, {order}"),
    "nth": (", number {number}, {order}", ", Nummer {number}, {order}"),
    "largest": ("largest first", "die größten zuerst"),
    "smallest": ("smallest first", "die kleinsten zuerst"),
    "newest": ("newest first", "die neuesten zuerst"),
    "oldest": ("oldest first", "die ältesten zuerst"),
    "name": ("by name", "nach Namen"),
    "most:largest": (", only the {limit} largest", ", nur die {limit} größten"),
    "most:smallest": (", only the {limit} smallest", ", nur die {limit} kleinsten"),
    "most:newest": (", only the {limit} newest", ", nur die {limit} neuesten"),
    "most:oldest": (", only the {limit} oldest", ", nur die {limit} ältesten"),
    "most:name": (", only the first {limit} by name", ", nur die ersten {limit} nach Namen"),
    "one:largest": (", only the largest", ", nur die größte"),
    "one:smallest": (", only the smallest", ", nur die kleinste"),
    "one:newest": (", only the newest", ", nur die neueste"),
    "one:oldest": (", only the oldest", ", nur die älteste"),
    "one:name": (", only the first by name", ", nur die erste nach Namen"),
    "order": (", {order}", ", {order}"),
    "unused": ("I couldn't read {words}, so I did nothing.", "Nicht verstanden habe ich: {words}. Deshalb habe ich nichts getan."),
    "rest": ("I read the rest as: {steps}. I did nothing.", "Den Rest verstehe ich so: {steps}. Ich habe nichts getan."),
    "so_far": ("I read it as: {steps}. I did nothing.", "Ich lese es so: {steps}. Ich habe nichts getan."),
    "unread": ("I do not understand “{request}”: {why}.", "Ich verstehe „{request}“ nicht: {why}."),
    "why:what": ("no word says what to do with which files", "kein Wort sagt, was mit welchen Dateien geschehen soll"),
    "why:which": ("it does not say which files", "es fehlt, welche Dateien"),
    "why:folder": ("it does not say which folder; `this folder` is the one you are in", "es fehlt, welcher Ordner; `dieser Ordner` ist der, in dem du bist"),
    "why:which_one": ("it takes one file or folder by its name", "es braucht genau eine Datei oder einen Ordner beim Namen"),
    "why:where": ("it does not say where to", "es fehlt, wohin"),
    "why:name": ("it does not say the new name", "es fehlt der neue Name"),
    "why:file": ("it does not say which file", "es fehlt, welche Datei"),
    "why:text": ("it does not say which text", "es fehlt, welcher Text"),
    "why:how_many": ("it does not say how many", "es fehlt, wie viele"),
    "why:order_by": ("it does not say which of them", "es fehlt, welche davon"),
    "why:ambiguous": ("it can be read in more than one way", "es lässt sich verschieden verstehen"),
    "why:one_step": ("it asks for two things at once; say them one after the other", "es verlangt zweierlei auf einmal; bitte nacheinander"),
    "why:order": ("something follows behind where things go", "hinter dem Ziel folgt noch etwas"),
    "why:refers": ("I do not know what it refers back to", "ich weiß nicht, worauf es sich bezieht"),
    "why:if": ("its condition is more than I can check", "seine Bedingung kann ich nicht prüfen"),
    "why:no_order": ("it talks of doing it rather than asking me to do it now", "es spricht davon, statt es jetzt zu verlangen"),
    "why:who": ("who or why something is, I can't tell from names, dates and sizes", "wer oder warum, kann ich an Namen, Daten und Größen nicht ablesen"),
    "why:unused": ("without a model I don't know what to do with {words}", "ohne Modell weiß ich nicht, was {words} hier heißen soll"),
    "why:cannot": ("that takes a model", "das kann nur ein Modell"),
    "choices": ("Say it in other words, or connect a model.", "Sag es anders, oder verbinde ein Modell."),
    "guessed": ("That reading was a guess: say it in other words, or connect a model.", "So zu lesen war geraten: Sag es anders, oder verbinde ein Modell."),
    "wider": ("Nothing fits exactly that, but there are {what}.", "Genau das gibt es nicht, aber {what}."),
    "no_more": ("That was all: there are {count}.", "Das war alles: Es gibt {count}."),
    "empty_place": ("Nothing is in {what}: it is empty.", "In {what} ist nichts: leer."),
    "none:file": ("There are no such files.", "Es gibt keine solchen Dateien."),
    "none:folder": ("There are no such folders.", "Es gibt keine solchen Ordner."),
    "none:both": ("There is nothing like that.", "So etwas gibt es nicht."),
    "no_such_names": ("No file or folder name contains {words}. Only a model can tell what files show or are about: connect one, or name the files.", "Kein Name einer Datei oder eines Ordners enthält {words}. Was Dateien zeigen oder wovon sie handeln, kann nur ein Modell sagen: Verbinde eines, oder nenne die Dateien."),
    "by_text": ("No name contains {words}, but the text of these does:", "Kein Name enthält {words}, aber der Text von diesen:"),
    "there_are": ("{count}{size}.", "{count}{size}."),
    "more": ("... and {count} more", "... und {count} weitere"),
    "more_of_list": ("... and {count} more; say “more” to see them", "... und {count} weitere; „mehr“ zeigt sie"),
    "page": (", from number {number} on, {order}", ", ab Nummer {number}, {order}"),
    "trash_done": ("Put {count} into the trash ({size}).", "{count} in den Papierkorb gelegt ({size})."),
    "move_done": ("Moved {count} to {target}.", "{count} nach {target} verschoben."),
    "copy_done": ("Copied {count} to {target} ({size}).", "{count} nach {target} kopiert ({size})."),
    "rename_done": ("Renamed {path} to {target}.", "{path} in {target} umbenannt."),
    "copied_as": ("Copied {path} to {target}.", "{path} nach {target} kopiert."),
    "create_done": ("Created {names}.", "Angelegt: {names}."),
    "written": ("I wrote it to {output}.", "Ich habe es in {output} geschrieben."),
    "nothing": ("Nothing was to be done: there are no such entries.", "Es war nichts zu tun: Es gibt keine solchen Einträge."),
    "already": ("Nothing was to be done: they are there already.", "Es war nichts zu tun: Sie sind schon dort."),
    "not_met": ("Nothing was done: the condition does not hold ({count}).", "Nichts getan: Die Bedingung trifft nicht zu ({count})."),
    "exists_all": ("Nothing was done: {names} exists already.", "Nichts getan: {names} gibt es schon."),
    "not_found": ("There is no {what}, so nothing was done.", "Es gibt nicht: {what}. Nichts wurde getan."),
    "several": ("There are {count}: {paths}. Say which one, with its folder. Nothing was done.", "Es gibt {count}: {paths}. Bitte mit Ordner sagen, welche. Nichts wurde getan."),
    "move_or_rename": ("There is no folder {target}. Say “rename {path} to …” or “create the folder {target}” first. Nothing was done.", "Einen Ordner {target} gibt es nicht. Sag „benenne {path} um in …“ oder lege zuerst den Ordner {target} an. Nichts wurde getan."),
    "called_so": ("Some of these files are called notes, but these are not: {paths}. Say which you mean, by name or folder. Nothing was done.", "Einige dieser Dateien heißen nach Notizen, diese aber nicht: {paths}. Bitte mit Namen oder Ordner sagen, welche gemeint sind. Nichts wurde getan."),
    "not_so_many": ("You said {expected}, but there are {count}: {paths}. Nothing was done.", "Du sagst {expected}, es gibt aber {count}: {paths}. Nichts wurde getan."),
    "into_itself": ("{path} cannot be copied into itself ({target}). Nothing was done.", "{path} lässt sich nicht in sich selbst kopieren ({target}). Nichts wurde getan."),
    "no_file_in_it": ("{path} is neither a file nor a folder, so its folder was not copied.", "{path} ist weder Datei noch Ordner; deshalb wurde der Ordner nicht kopiert."),
    "in_project": ("{path} belongs to the project {project}. From outside a project is only moved as a whole; start the task in that folder. Nothing was done.", "{path} gehört zum Projekt {project}. Von außen wird ein Projekt nur als Ganzes bewegt; starte die Aufgabe in diesem Ordner. Nichts wurde getan."),
    "too_many": ("There are more than {count} of them, which is more than I plan at once. Nothing was done.", "Es sind mehr als {count}, mehr als ich auf einmal plane. Nichts wurde getan."),
    "denied": ("That was denied ({reason}). Nothing was changed.", "Das wurde abgelehnt ({reason}). Nichts wurde geändert."),
    "failed": ("I tried to {what}, but it failed: {reason}", "Das ist nicht gelungen ({what}): {reason}"),
    "changed_on": ("{path} was last changed on {day}.", "{path} wurde zuletzt am {day} geändert."),
    "together": (", {size}", ", {size}"),
    "waste": ("{groups}; deleting the surplus copies would free {size}.", "{groups}; ohne die überzähligen Kopien wären {size} frei."),
    "no_duplicates": ("No two of these files have the same content.", "Keine zwei dieser Dateien haben den gleichen Inhalt."),
    "group": ("{count} groups", "{count} Gruppen"),
    "group_one": ("1 group", "1 Gruppe"),
    "kept": ("Kept: {paths}.", "Behalten: {paths}."),
    "no_lines": ("No line holds it.", "Keine Zeile enthält das."),
    "outside": ("{target} is outside of this folder; start the task in a folder that holds both.", "{target} liegt außerhalb dieses Ordners; starte die Aufgabe in einem Ordner, der beides enthält."),
}  # fmt: skip


# In place of what a request did not say.
UNKNOWN: Final = "…"


def say(language: str, key: str, **values: object) -> str:
    """A sentence."""
    return SAYINGS[key][language == "de"].format(**values)


def quoted(words: Iterable[str], language: str) -> str:
    """Words of a request in quotation marks: `“a”, “b” and “c”`."""
    marked = [f"„{word}“" if language == "de" else f"“{word}”" for word in dict.fromkeys(words)]
    return say(language, "and").join([", ".join(marked[:-1]), marked[-1]] if len(marked) > 1 else marked)


def counted(language: str, files: int, folders: int = 0) -> str:
    """`2 files and 1 folder`."""

    def noun(number: int, one: str, many: str) -> str:
        return f"{number:,} {one if number == 1 else many}"

    german = language == "de"
    parts = []
    if files or not folders:
        parts.append(noun(files, "Datei" if german else "file", "Dateien" if german else "files"))
    if folders:
        parts.append(noun(folders, "Ordner" if german else "folder", "Ordner" if german else "folders"))
    return say(language, "and").join(parts) if files or folders else ("keine Dateien (0)" if german else "no files (0)")


def called(language: str, places: tuple[str, ...]) -> str:
    """The folder that is looked in."""
    return say(language, "and").join(places) if places else say(language, "here")


def nothing_found(selector: Selector, language: str) -> str:
    """The answer when nothing matches."""
    return say(language, f"none:{selector.entries or 'both'}")


def selector_in_words(selector: Selector, language: str) -> str:
    """Which entries are meant."""
    text, left_out = _described(selector, language)
    text += say(language, "in", where=called(language, selector.places)) + left_out
    if selector.expected is not None:
        text += say(language, "expected", expected=selector.expected)
    if selector.order is not None:
        order = say(language, selector.order.by)
        limit = selector.order.limit
        if selector.order.skip:
            key = "nth" if limit == 1 else "page" if limit else "skip"
            number = selector.order.skip + bool(limit)
            return text + say(language, key, number=number, skip=number, order=order)
        text += (
            say(language, f"{'one' if limit == 1 else 'most'}:{selector.order.by}", limit=limit)
            if limit
            else say(language, "order", order=order)
        )
    return text


def _parts(condition: Condition | None) -> list[Condition]:
    """The conditions that all have to hold."""
    if isinstance(condition, All):
        return [each for part in condition.parts for each in _parts(part)]
    return [condition] if condition is not None else []


def _described(selector: Selector, language: str) -> tuple[str, str]:
    """The kind with its descriptions, then what is excluded."""
    condition = selector.condition
    parts = list(dict.fromkeys(_parts(condition)))
    kind = next((part for part in parts if isinstance(part, IsKind)), None)
    if kind is not None:
        noun = _condition(kind, language)
    elif condition is None and selector.is_all and selector.entries == "file":
        noun = say(language, "all_files")
    else:
        noun = say(language, {"file": "files", "folder": "folders", None: "both"}[selector.entries])
    if Empty() in parts:
        noun = say(language, "empty_ones", what=noun)
    rest = [part for part in parts if part not in (kind, Empty())]
    kept = [_condition(part, language) for part in rest if not isinstance(part, Not)]
    left_out = [
        say(language, "but_not", what=_condition(part.part, language)) for part in rest if isinstance(part, Not)
    ]
    return " ".join(each for each in (noun, ", ".join(kept)) if each), "".join(left_out)


def _condition(condition: Condition, language: str) -> str:
    match condition:
        case IsKind(kind):
            return kind.german if language == "de" else kind.english
        case Named(text, how):
            return say(language, how, text=text)
        case Topic(word):
            return say(language, "topic", text=word)
        case NoExtension():
            return say(language, "no_extension")
        case Sized(least, most):
            if least is not None and most is not None:
                return say(language, "between", least=size_text(least), most=size_text(most))
            return (
                say(language, "at_least", size=size_text(least))
                if least is not None
                else say(language, "at_most", size=size_text(most or 0))
            )
        case Changed(hours=int() as hours):
            return say(language, "hours_older" if condition.is_older else "hours_newer", hours=hours)
        case Changed(first, end):
            if first is not None and end is not None:
                return say(language, "from_to", day=first, last=end.fromordinal(end.toordinal() - 1))
            return say(language, "since", day=first) if first is not None else say(language, "before", day=end)
        case Holds(text):
            return say(language, "holds", text=text)
        case Under(folder):
            return say(language, "under", text=folder)
        case Deep():
            return say(language, "deep")
        case Empty():
            return say(language, "empty")
        case Tagged(tag):
            return say(language, "tagged", tag=tag)
        case Measured():
            return _measured(condition, language)
        case OfSort(entries):
            return say(language, "files" if entries == "file" else "folders")
        case Not(part):
            return say(language, "not", what=_condition(part, language))
        case Any_(parts):
            return "(" + say(language, "or").join(_condition(part, language) for part in parts) + ")"
        case All(parts):
            words = [_condition(part, language) for part in parts]
            return words[0] + ", " + ", ".join(words[1:])


def _measured(condition: Measured, language: str) -> str:
    if condition.what in {"landscape", "portrait"}:
        return say(language, f"measured:{condition.what}")
    what = say(language, f"measured:{condition.what}")
    if condition.least is not None and condition.least == condition.most:
        return say(language, "measured", what=what, count=condition.least)
    if condition.least is not None:
        return say(language, "measured_least", what=what, count=condition.least)
    return say(language, "measured_most", what=what, count=condition.most)


def chore_in_words(chore: Chore, language: str) -> str:
    """One step."""
    text = chore.job.phrase(language) if chore.job is not None else _chore_alone(chore, language)
    if chore.test is not None:
        test = chore.test
        key = "no" if test.most == 0 else "most" if test.most is not None else "any" if test.least == 1 else "least"
        number = test.most if test.most is not None else test.least
        text += say(language, f"if_{key}", count=number, tested=selector_in_words(test.selector, language))
    return text


def _chore_alone(chore: Chore, language: str) -> str:
    """One step without the condition on it."""
    selector = chore.selector
    verb = {"where": "list", "which": "list", "exists": "list", "search": "list", "write": "list"}.get(
        chore.verb, chore.verb
    )
    if selector.is_duplicates:
        verb = "trash_duplicates" if chore.verb == "trash" else "duplicates"
    text = say(
        language,
        f"{verb}_one" if verb in {"head", "tail"} and chore.number == 1 else verb,
        what=selector_in_words(selector, language),
        where=called(language, selector.places),
        target=chore.target or UNKNOWN,
        names=", ".join(chore.names),
        number=chore.number or UNKNOWN,
        text=chore.text or UNKNOWN,
        output=chore.output or REPORT,
    )
    if chore.output is not None and verb != "report":
        text += say(language, "output", output=chore.output)
    if chore.skips_there:
        text += say(language, "skips_there")
    return text


def can_say(reading: Reading) -> bool:
    """Whether there are words for each step, also for one that lacks something."""
    return all(chore.job is not None or chore.verb not in _WITHOUT_WORDS for chore in reading.chores)


# Only a form does these.
_WITHOUT_WORDS: Final = frozenset("pack unpack replace compare group undo".split())


def reading_in_words(reading: Reading, key: str = "reading") -> str:
    """The whole request as it was read."""
    steps = say(reading.language, "then").join(chore_in_words(chore, reading.language) for chore in reading.chores)
    said = say(reading.language, key, steps=steps)
    remarks = ", ".join(f"“{remark.rstrip(' .,!')}”" for remark in reading.remarks)
    return f"{said} {say(reading.language, 'remarks', remarks=remarks)}" if remarks else said
