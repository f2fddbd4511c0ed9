"""Creates text files and appends lines to them: `add butter to the shopping list`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deputy_sidecar.offline.forms import Form, Slots
from deputy_sidecar.offline.job import Job, Steps
from deputy_sidecar.offline.lexicon import lexicon
from deputy_sidecar.offline.looking import checked, one, path_of
from deputy_sidecar.offline.results import listing
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.tokens import normal
from deputy_sidecar.offline.words.say import in_language as say

__all__ = ["FORMS", "Add"]

_TEXTS: Final = (".txt", ".md", ".org", ".log", ".markdown", ".text")


@dataclass(frozen=True)
class Add:
    """Appends a line to a text file, or removes the last line again."""

    file: str
    line: str
    is_removed: bool = False
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        if self.is_removed:
            return say(
                language,
                f"remove the last line of {self.file}, “{self.line}”",
                f"in {self.file} die letzte Zeile entfernen, „{self.line}“",
            )
        return say(
            language, f"add the line “{self.line}” to {self.file}", f"in {self.file} die Zeile „{self.line}“ anhängen"
        )

    def run(self, language: str) -> Steps:
        """Reads the whole text and writes it back with the line."""
        what = self.phrase(language)
        path = yield from path_of(self.file, language)
        # A later step that reads the file is a separate call, so it sees the line.
        before = Call("code", {"action": "read", "path": path, "start_line": 1})
        read = checked((yield from one(what, before)), language, what)
        head, _, text = read.partition("\n")
        is_cut = "; read on with offset=" in text or text.endswith(" was cut]")
        if is_cut or "its content is not shown" in head or "not UTF-8" in head:
            raise NotPossibleError(
                say(
                    language,
                    f"{path} is no text, or too long; nothing was changed.",
                    f"{path} ist kein Text oder zu lang; nichts wurde geändert.",
                )
            )
        if self.is_removed:
            kept, _, last = text.rstrip("\n").rpartition("\n")
            if last != self.line:
                raise NotPossibleError(
                    say(
                        language,
                        f"{path} does not end with “{self.line}” any more; nothing was changed.",
                        f"{path} endet nicht mehr mit „{self.line}“; nichts wurde geändert.",
                    )
                )
            content = f"{kept}\n" if kept else ""
        else:
            content = text + ("" if text.endswith("\n") or not text else "\n") + self.line + "\n"
        checked(
            (yield from one(what, Call("code", {"action": "write", "path": path, "content": content}))), language, what
        )
        return say(language, f"Changed {path}.", f"{path} geändert.")

    def undone(self, paths: tuple[str, ...], said: str) -> Add | None:
        """How to undo the added line."""
        return Add(self.file, self.line, is_removed=True) if len(paths) == 1 and not self.is_removed and said else None


@dataclass(frozen=True)
class NewFile:
    """A text file, empty or with a line."""

    path: str
    line: str = ""
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        if self.line:
            return say(
                language,
                f"create {self.path} with the line “{self.line}”",
                f"{self.path} mit der Zeile „{self.line}“ anlegen",
            )
        return say(language, f"create the empty file {self.path}", f"die leere Datei {self.path} anlegen")

    def run(self, language: str) -> Steps:
        """Creates the file if it does not exist."""
        what = self.phrase(language)
        call = Call("search", {"action": "find", "path": ".", "pattern": self.path, "sort": "name"})
        there = listing(checked((yield from one(what, call)), language, what))
        if any(line.split("\t")[0] == self.path for line in there.lines):
            raise NotPossibleError(
                say(
                    language,
                    f"{self.path} is there already; nothing was changed.",
                    f"{self.path} gibt es schon; nichts wurde geändert.",
                )
            )
        call = Call("code", {"action": "write", "path": self.path, "content": f"{self.line}\n" if self.line else ""})
        checked((yield from one(what, call)), language, what)
        return say(language, f"Created {self.path}.", f"{self.path} angelegt.")


def _new_file(slots: Slots) -> Job | None:
    file, folder = slots.get("file"), slots.get("folder").rstrip("/")
    if not file.lower().endswith(_TEXTS) or (folder and "/" in file):
        return None
    return NewFile(f"{folder}/{file}" if folder else file, slots.get("text"))


def _add(slots: Slots) -> Job | None:
    file, text = slots.get("file"), slots.get("text")
    # `Write them to dups.md`, `add the list to notes.txt`: what was found, and not that word.
    is_known = any(lexicon(language).is_phrase(normal(text)) for language in ("en", "de"))
    return Add(file, text) if file.lower().endswith(_TEXTS) and text and text != file and not is_known else None


FORMS: Final = (
    Form("(create|make|add|touch|start|erstelle|erstell|leg|lege|mach|mache) [me|mir] [new|neue] [empty|blank|leere] [text] (file|document|datei|textdatei) [called|named|namens] {file} [(in|inside|under|im|unter) [folder|ordner] {folder}] [folder] [an] [with text {text}]", _new_file),
    Form("touch {file}", _new_file),
    Form("(add|append|write|note|note down|jot down|insert) [line|text|word|item|entry] {text} (to|to end of|at end of|at bottom of|into|in|on|onto) [file|text file|list] {file}", _add),
    Form("(put) [line|text|word] {text} (to end of|at end of|at bottom of) [file|text file|list] {file}", _add),
    Form("(schreib|schreibe|setz|setze|trag|trage|fueg|fuege|haeng|haenge|notier|notiere) [zeile|text|wort] {text} (in|auf|zu|zur|zum|an|an ende von|ans ende von|unter) [datei|liste] {file} [ein|hinzu|dazu|an]", _add),
    Form("(ergaenze|ergaenz|erweiter|erweitere) [datei] {file} (um|mit) [zeile|text|wort] {text}", _add),
    Form("(ergaenze|ergaenz) {text} (in|auf|zu|an) [datei] {file}", _add),
    Form("[datei] {file} (um|mit) [zeile|text|wort] {text} (ergaenzen|erweitern)", _add),
    Form("{text} (in|auf|zu|zur|zum|an) {file} (eintragen|schreiben|hinzufuegen|setzen|anhaengen|ergaenzen)", _add),
)  # fmt: skip
