"""What a clause is about: kinds, files and folders by name, and words that may be pieces of names."""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.amounts import number_of
from deputy_sidecar.offline.conditions import name_at, skip
from deputy_sidecar.offline.lexicon import Term, lexicon
from deputy_sidecar.offline.nouns import Head
from deputy_sidecar.offline.selector import (
    Condition,
    Empty,
    Holds,
    IsKind,
    Named,
)
from deputy_sidecar.offline.slots import FOLDERS_OF_HOME, OWN
from deputy_sidecar.offline.stems import fold, holds, stems_of
from deputy_sidecar.offline.tokens import normal
from deputy_sidecar.offline.topics import INDEFINITE, Topics

__all__ = ["Things"]

# What describes rather than names: such a word in front of a kind is not a piece of a name.
_DESCRIBES: Final = re.compile(
    r"(?:ed|ing|ful|less|able|ible|ous|ive|est|ier|lich|liche|lichen|ige|igen|bare|baren|ische|ischen)\Z"
)
_SINGLE_GERMAN: Final = frozenset(
    "datei bild foto video film lied rechnung dokument tabelle archiv skript pdf bildschirmfoto screenshot".split()
)
_ANY: Final = frozenset("a an any ein eine einen kein keine keinen".split())
_MASSES: Final = frozenset("music audio code data musik".split())
# What is said of names is for forms that rename.
_OF_NAMES: Final = frozenset("name names filename filenames dateiname dateinamen namen".split())
_INFLECTED: Final = re.compile(r"(?:e|en|er|es|em)\Z")
_OF_LINES: Final = frozenset("list which search exists lines count".split())
_SINGLE: Final = {"file", "folder", "directory", "datei", "ordner", "verzeichnis", "one", "thing", "item"}


SHORTEST_TOPIC: Final = 3


class Things(Topics):
    """Reads heads."""

    def _head(self) -> bool:
        term = self.terms[self.at]
        home = FOLDERS_OF_HOME.get(term.form)
        before = self._term(-1)
        if (
            home is not None
            and not self.is_act_on_files
            and before is not None
            and before.form in OWN
            and not self.places
        ):
            self.places.append(home)
            self.at = self._past_home(self.at + 1)
            return True
        if term.means("empty"):
            behind, after = self._term(1), self._term(2)
            if behind is not None and behind.is_unknown and after is not None and after.means("folder"):
                return self._folder_named(self.at)
            led = skip(self.terms, self.at + 1)
            if (
                self.joined_by
                and led < len(self.terms)
                and (self.terms[led].kind or self.terms[led].means("file", "folder"))
            ):
                # `Empty files and empty folders`: said of what follows.
                self.ahead.append(Empty())
            else:
                self._add(Empty())
            self.at += 1
            return True
        if term.means("duplicate") or (
            term.means("copy_noun") and self.verb == "trash" and self.at + 1 == len(self.terms)
        ):
            self.is_duplicates = True
            self.at += 1
            return True
        if (
            term.means("copy_noun")
            and self.verb != "copy"
            and (after := self._term(1)) is not None
            and after.means("with")
        ):
            # `The copy with "(2)" in its name`.
            self._open(Head(is_general=True, is_single=self.article))
            self.at += 1
            return True
        if self._folder_named(self.at):
            return True
        if term.token.is_name:
            return self._exact(term)
        if term.kind is not None or term.token.sort == "ending":
            kind = IsKind(term.kind) if term.kind is not None else condition_of_ending(term)
            return self._described(kind, general=False)
        if term.means("file"):
            if self.heads and self.is_open and not self.heads[-1].is_exact:
                self.at += 1
                return True
            return self._described(None, general=True)
        if term.means("folder"):
            if self.heads and self.is_open and self.heads[-1].topics:
                return False
            self._open(Head(entries="folder", is_general=True, is_single=self._is_single()))
            self.at += 1
            return self._take_number()
        return False

    def _is_single(self) -> bool:
        """Whether it is `the picture`, not `the pictures` and not `every picture`."""
        term, at = self.terms[self.at], self.at - 1
        if self.is_act and self.order is None and self._is_one_of_them():
            return True
        while at >= 0 and self.terms[at].means("empty", "new"):
            at -= 1
        if at < 0 or self.is_all_ahead or self.order is not None:
            return False
        last = term.tokens[-1].form
        if self.language == "de":
            if last in {"ordner", "verzeichnis"}:
                # `Die Ordner` are several.
                return self.terms[at].form in {"das", "den", "dem"}
            return self.terms[at].form in {"das", "den", "die", "der", "dem"} and last in _SINGLE_GERMAN
        return self.terms[at].form in {"the", "that", "this", "my"} and not last.endswith("s") and last not in _MASSES

    def _is_one_of_them(self) -> bool:
        """`A photo`, `one of the photos`, `eines der Fotos`: one that nobody has named."""
        at = self.at - 1
        while (
            at >= 0
            and (
                self.terms[at].means("filler", "one", "empty")
                or any(m.startswith("number:") for m in self.terms[at].meanings)
            )
            and self.terms[at].text != ","
        ):
            if self.terms[at].form in INDEFINITE:
                return True
            at -= 1
        return False

    def _is_beside(self, at: int) -> bool:
        """Whether nothing that counts is between there and here."""
        return all(each.means("filler", "all", "named") for each in self.terms[at + 1 : self.at])

    def _folder_named(self, at: int) -> bool:
        """`The Scans folder`, `folder Scans`: one folder as the thing itself."""
        term = self.terms[at]
        words: list[str] = []
        end = at
        if term.means("folder", "new_folder") and not term.means("here") and self.verb != "create":
            nxt = skip(self.terms, at + 1, "named")
            name = name_at(self.terms, nxt)
            if name is None or not (
                self.terms[nxt].is_unknown
                or self.terms[nxt].token.sort in {"path", "quoted"}
                or (
                    (self.terms[nxt].kind is not None or self.terms[nxt].text[:1].isupper())
                    and term.tokens[-1].form in _SINGLE
                )
            ):
                return False
            if self.terms[nxt - 1].means("filler") and self.terms[nxt - 1] is not term:
                return False
            words, end = [name[0]], name[1]
        else:
            while (
                end < len(self.terms)
                and len(words) < 3
                and (
                    self.terms[end].is_unknown
                    or self.terms[end].kind is not None
                    or self.terms[end].token.sort in {"path", "quoted"}
                    or (
                        (
                            (self.terms[end].means("empty", "oldest") and end == at)
                            or (self.terms[end].text[:1].isupper() and end > 0)
                        )
                        and not self.terms[end].means("folder")
                    )
                )
                and not self.terms[end].means("all")
            ):
                words += [each.text for each in self.terms[end].tokens]
                end += 1
            if (
                not words
                or end >= len(self.terms)
                or not self.terms[end].means("folder")
                or self.terms[end].tokens[-1].form not in _SINGLE
            ):
                return False
            if end - at == 1 and term.means("empty"):
                return False
            end += 1
        self.at = end
        named = Named(" ".join(words).rstrip("/"), "is")
        if self.verb in {"size", "usage", "overview", "tree", "count", "list", "which", "tidy"} and not (
            self.heads or self.is_test
        ):
            self.places.append(named.text)
            return True
        self._open(Head(entries="folder", what=named, is_exact=True))
        return True

    def _exact(self, term: Term) -> bool:
        sort, text = term.token.sort, term.text
        if self.verb == "rename" and self.target is None and self._is_new_name():
            self.target, self.at = text, self.at + 1
            return True
        if self.verb == "create" and self.verb_words[-1:] == ["mkdir"] and not self.names and not looks_like_file(text):
            self.names.append(text.rstrip("/"))
            self.at += 1
            return True
        if self.verb == "create" or (sort == "quoted" and self.verb in {"lines", "search"}):
            if self.text is not None or self.verb == "create":
                return False
            self.text = text
            self.at += 1
            return True
        is_file = looks_like_file(text) or self._is_file(text)
        if sort == "path" and not is_file and not any(char in text for char in "*?"):
            behind = self._term(1)
            if behind is not None and number_of(behind) is not None:
                # `Baker's two invoices`.
                behind = self._term(2)
            if not self.places and behind is not None and behind.kind is not None and text in self._folders():
                # `The Baker invoices`: those in that folder.
                self.places.append(text.rstrip("/"))
            elif not self.places and self.is_all_ahead and self.verb in {"move", "copy"} and text in self._folders():
                # `All saves`, where the folder is called so: what is in it.
                self.places.append(text.rstrip("/"))
                self._open(Head(is_general=True, is_all=True))
            elif self.verb in {"move", "copy", "trash", "rename"} and not self.places:
                self._open(Head(entries=None, what=Named(text.rstrip("/"), "is"), is_exact=True))
            elif not self.places:
                self.places.append(text.rstrip("/") or "/")
            else:
                return False
            self.at += 1
            return True
        if sort == "quoted" and not is_file and not self.is_act:
            self._add(Holds(text)) if self.verb == "search" else self._open(Head(what=Named(text, "has")))
            self.at += 1
            return True
        last = self.heads[-1] if self.heads and self.is_open else None
        if (
            last is not None
            and is_file
            and not (last.behind or last.topics or last.is_exact or last.is_all)
            and _is_one_of_kind(last.what, text)
        ):
            # `The picture icon.gif` is that file.
            last.what, last.is_exact, last.is_general = Named(text, "is"), True, False
            self.at += 1
            return True
        before = self._term(-1)
        if (
            last is not None
            and len(last.topics) == 1
            and last.what is None
            and not (last.behind or last.before or self.is_act)
            and is_file
            and not (before is not None and before.means("in"))
        ):
            # `The recipe for Linsensuppe.txt`: the file says it all.
            last.topics, last.what, last.is_exact, last.is_general = [], Named(text, "is"), True, False
            self.at += 1
            return True
        how = "glob" if sort == "glob" or any(char in text for char in "*?") else "is"
        self._open(
            Head(
                entries="file" if is_file or how == "glob" else None,
                what=Named(text, how),
                is_exact=how == "is",
            )
        )
        self.at += 1
        return True

    def _is_in_its_path(self, word: str) -> bool:
        """Whether a word right behind a file only says again in which folder it is."""
        head = self.heads[-1] if self.heads and self.is_open else None
        known = self.scene.known
        if head is None or known is None or not (head.is_exact and isinstance(head.what, Named)):
            return False
        paths = known.paths.get(normal(head.what.text), [])
        folder = fold(paths[0].rpartition("/")[0]) if len(paths) == 1 and paths[0] not in known.folders else ""
        return self.last_object_at == self.at - 1 and any(holds(folder, stem) for stem in stems_of(word))

    def _is_file(self, name: str) -> bool:
        """Whether a file is called just so, without an ending: `Makefile`."""
        known = self.scene.known
        paths = known.paths.get(normal(name), []) if known is not None else []
        return bool(paths) and all(path.rpartition("/")[2] == name and path not in self._folders() for path in paths)

    def _folders(self) -> frozenset[str]:
        return self.scene.known.folders if self.scene.known is not None else frozenset()

    def _is_new_name(self) -> bool:
        """`Rename a.txt b.txt`, `name it b.txt`: nothing is between the two."""
        before = self.terms[self.at - 1] if self.at else None
        if self.refers and not self.heads:
            return before is not None and before.means("pronoun")
        return len(self.heads) == 1 and self.heads[0].is_exact and self.last_object_at == self.at - 1

    def _described(self, what: Condition | None, *, general: bool) -> bool:
        head = self.heads[-1] if self.heads and self.is_open else None
        if head is not None and head.topics and head.what is None and not head.behind and not head.is_general:
            # `The wedding photos`.
            head.what = what
            head.is_single = head.is_single and not self.terms[self.at].tokens[-1].form.endswith("s")
            head.is_general = False
        elif head is not None and head.is_exact:
            if not (
                isinstance(what, IsKind) and isinstance(head.what, Named) and _is_one_of_kind(what, head.what.text)
            ):
                return False
            # `The boss fight clip`, which is `boss fight.mkv`.
            self.at += 1
            return True
        elif (
            head is not None
            and head.is_general
            and what is not None
            and not head.behind
            and head.entries == "file"
            and not head.is_all
            and self._is_beside(self.last_object_at)
        ):
            head.what, head.is_general = what, False
        elif head is not None and head.what is not None and what is not None:
            return False
        else:
            self._open(Head(what=what, is_general=general, is_single=self._is_single()))
        self.at += 1
        return self._take_number()

    def _unknown(self) -> bool:
        term = self.terms[self.at]
        if not term.is_unknown:
            return False
        word = term.text
        if (_DESCRIBES.search(term.form) and not self._is_noun(term)) or term.form in _OF_NAMES:
            return False
        if len(word) < SHORTEST_TOPIC and not self.scene.is_there(word):
            return False
        if "-" in word and any(_says_no_name(part) for part in term.form.split("-")):
            return False
        if self._is_in_its_path(word):
            # `The fax template`, which is `Templates/Old/fax.docx`.
            self.at += 1
            return True
        if not self.is_act and self._is_of_place(word):
            # `Pictures of the Spring concert`, where they are looked for in `Concerts/Spring`.
            self.at += 1
            return True
        before = self._term(-1)
        if before is not None and before.form in {
            "are",
            "is",
            "was",
            "were",
            "be",
            "ist",
            "sind",
            "war",
            "waren",
            "that are",
            "which are",
        }:
            return False
        if self._may_be_a_verb():
            return False
        if not self.verb_words and not self.inner and not self.scene.is_there(word):
            # The word in front of the verb may be another verb; without any, things are named to see them.
            return False
        file_at = self._file_behind()
        if file_at is not None and not self.heads and self.verb in _OF_LINES:
            # `Errors in latest.log`: the lines that hold it.
            self.verbs.append("lines")
            self.text = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
            self.at = file_at
            return True
        behind = self._term(1)
        if behind is not None and behind.means("line") and self.text is None and not self.is_act:
            self.verbs.append("lines")
            self.text = word
            self.at += 2
            return True
        known = self.scene.known
        is_there = known is not None and known.is_there(word)
        if known is not None and known.is_missing(word) and self._says_what() and not self._may_be_in_text():
            # A guess at a name that no name has.
            return False
        if self.verb in {"read", "linecount", "words", "head", "tail", "when"} and not self.heads:
            may_be_in_text = self.verb == "read" and self.article and known is not None and not is_there
            if self._is_described(word) or may_be_in_text:
                is_many = self.is_all_ahead or self.expected is not None
                self._open(Head(topics=[word], is_single=not is_many))
                self.at += 1
                return True
            self._open(Head(entries="file", what=Named(word, "is"), is_exact=True))
            self.at += 1
            return True
        folder = self.scene.folder(word)
        if (
            self.verb in {"size", "overview", "tree", "usage"}
            and not (self.heads or self.places)
            and (folder is not None or self.verb != "size" or not is_there)
        ):
            self.places.append(folder or word)
            self.at += 1
            return True
        if self.verb == "create" or not (self.verbs or self.inner or is_there):
            return False
        if self.inner and not self.scene.is_name(word):
            # `Photos without people`: what is left out has to be there.
            return False
        if (
            self.verbs
            and set(self.verbs) <= {"which", "exists"}
            and not is_there
            and not (known is not None and known.is_missing(word) and (self.heads or "exists" in self.verbs))
            and not self._beside_a_kind()
            and not (before is not None and before.form in _ANY and "exists" in self.verbs)
        ):
            return False
        if (
            self.language == "de"
            and word.islower()
            and _INFLECTED.search(word)
            and behind is not None
            and (behind.kind or behind.means("file", "folder"))
        ):
            return False
        alone = not self.heads or not self.is_open
        if self.is_act:
            return self._acted_on(term, alone=alone)
        head = self._topic_head(alone=alone)
        head.topics.append(word)
        self.at += 1
        return self._take_number()


def looks_like_file(name: str) -> bool:
    """Whether a name has an ending."""
    return re.search(r"\.[A-Za-z]\w{0,7}\Z", name) is not None


def _says_no_name(part: str) -> bool:
    """`Possibly-wrong`, `half-finished`: a piece that describes."""
    known = lexicon("en")
    return part in known.vague or "filler" in known.phrases.get((part,), ())


def _is_one_of_kind(what: Condition | None, name: str) -> bool:
    """Whether a file of this name is of the kind that was said in front of it."""
    if not isinstance(what, IsKind) or not what.kind.extensions:
        return True
    return name.rpartition(".")[2].lower() in what.kind.extensions.split()


def condition_of_ending(term: Term) -> Condition:
    """`.pdf` as a kind."""
    from deputy_sidecar.offline.words.kinds import Kind

    extension = term.token.form.lstrip(".")
    return IsKind(Kind("", f"{extension} files", f"{extension}-Dateien", extension))
