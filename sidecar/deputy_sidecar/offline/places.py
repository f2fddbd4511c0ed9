"""Where things are, where they go, and what they are called afterwards."""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.amounts import number_of
from deputy_sidecar.offline.conditions import condition_at, name_at, skip
from deputy_sidecar.offline.lexicon import Term
from deputy_sidecar.offline.nouns import Head
from deputy_sidecar.offline.selector import (
    Deep,
)
from deputy_sidecar.offline.slots import FOLDERS_OF_HOME, Slots
from deputy_sidecar.offline.stems import fold

__all__ = ["Places"]

_OF: Final = frozenset("of from by for von vom zum zur".split())
_CALLED: Final = frozenset("called named namens genannt".split())
_BELOW: Final = frozenset({"subfolder", "unterordner", "a folder", "a new folder", "a new subfolder", "new folder"})
_SEVERAL: Final = frozenset("folders directories subfolders subdirectories dirs ordnern verzeichnisse".split())
# Verbs whose `in` says where to.
_PUTTING: Final = frozenset(
    {
        "put",
        "place",
        "stick",
        "putting",
        "file away",
        "drop",
        "bring",
        "shove",
        "go",
        "goes",
        "belong",
        "belongs",
        "get",
        "pop",
        "slide",
        "throw",
        "save a copy of",
    }
)


# What leads from a new folder to the one that it is made in.
_INSIDE: Final = frozenset("in inside within under below unter innerhalb im".split()) | {
    "inside of",
    "in folder",
    "im ordner",
    "in the folder",
}
_INTO_NEW: Final = (
    "into a folder", "into a new", "to a folder", "to a new", "in einen", "in den neuen", "in ein ",
    "in das ", "rueber ", "rein in", "hinein in", "in den ordner",
    "in den unterordner",
)  # fmt: skip


# What leads to other things rather than to a folder.
_WITH_THEM: Final = frozenset({"zu den", "zu", "zu meinen", "zu unseren", "to the other"})


class Places(Slots):
    """Reads places, targets and new names."""

    def _is_pure_target(self, at: int) -> bool:
        """Whether a preposition leads to where things go, and to nothing else."""
        term = self.terms[at]
        if self.verb not in {"move", "copy", "rename"} or self.inner or not term.means("to"):
            return False
        pure = term.form in {
            "to",
            "into",
            "onto",
            "nach",
            "over to",
            "to the folder",
            "into the folder",
            "->",
            "=>",
            "over into",
            "in den ordner",
            "in das verzeichnis",
            "into folder",
            "to folder",
            "ins",
            "zum ordner",
            "in einen ordner",
            "in den",
            "in das",
            "to the directory",
            "into the directory",
        }
        if term.form.startswith(_INTO_NEW):
            return True
        if term.form in {"as", "als"} and at + 1 < len(self.terms) and self.terms[at + 1].token.sort == "file":
            return True
        behind = skip(self.terms, at + 1, "new", "all")
        return pure and behind < len(self.terms) and not self.terms[behind].means("and", "then")

    def _new_folder(self) -> bool:
        """`A folder called X` is made, or things go there."""
        if self.verb != "create" or not (
            self.terms[self.at].means("new_folder") or self.terms[self.at].means("folder")
        ):
            return False
        at = self.at + 1
        while (
            at < len(self.terms)
            and self.terms[at].means("named", "filler", "new")
            and not self.terms[at].means("in", "in_folder")
        ):
            at += 1
        inside: str | None = None
        if at < len(self.terms) and self.terms[at].means("in", "in_folder", "inside"):
            # `Three folders in Games: Old, New and Best`.
            place = self._folder_at(at + 1 if not self.terms[at].means("in_folder") else at)
            if place is not None and len(place[0]) == 1 and place[1] < len(self.terms):
                behind = self.terms[place[1]]
                if behind.text in {":", "-"} or behind.means("named"):
                    inside, at = place[0][0], place[1] + 1
        if at < len(self.terms) and self.terms[at].text == ":":
            at += 1
        found = False
        while (name := name_at(self.terms, at)) is not None and not self.terms[at].means("to", "in"):
            if (
                self.terms[at].kind is None
                and not self.terms[at].is_unknown
                and not self.terms[at].token.is_name
                and not self.terms[at].text[:1].isupper()
                and not (
                    self.terms[at].means("vague", "new", "oldest", "newest")
                    or self.terms[at].token.sort == "number"
                    or not self.terms[at].means("filler")
                )
            ):
                break
            self.names.append(name[0])
            found = True
            at = name[1]
            following = at
            while following < len(self.terms) and (
                self.terms[following].means("and", "filler", "new_folder") or self.terms[following].text == ","
            ):
                following += 1
            is_joined = any(each.means("and") or each.text == "," for each in self.terms[at:following])
            if not is_joined or following >= len(self.terms) or self._ends(at):
                break
            at = following
        if found:
            self.at = self._inside_of(at)
            if inside is not None:
                self.names = [f"{inside.rstrip('/')}/{name}" for name in self.names]
            if self.number is not None and int(self.number) == len(self.names):
                self.number = None
        return found

    def _inside_of(self, at: int) -> int:
        """`A folder Media in Downloads`: the new folders are made there."""
        if at >= len(self.terms) or not self.terms[at].means("in", "in_folder", "inside"):
            return at
        found = self._folder_at(at + 1 if not self.terms[at].means("in_folder") else at)
        if found is None or len(found[0]) != 1:
            return at
        self.names = [f"{found[0][0].rstrip('/')}/{name}" for name in self.names]
        return found[1]

    def _target(self) -> bool:
        term = self.terms[self.at]
        puts = term.means("in_folder") and set(self.verb_words) & _PUTTING
        behind = self._term(1)
        if (
            self.target is not None
            and self.verb in {"copy", "move"}
            and "." not in self.target
            and term.form in {"as", "als"}
            and behind is not None
            and behind.token.sort == "file"
        ):
            # `To Letters as draft.txt`.
            self.target, self.at = f"{self.target}/{behind.text}", self.at + 2
            return True
        if self.inner or not (term.means("to") or puts) or self.target is not None:
            return False
        verb = self.verb
        if verb == "rename":
            leads = any(self.terms[at].form in {"to", "into", "->", "=>"} for at in range(self.at + 1, len(self.terms)))
            # `Rename a.txt in Old to b.txt`: the place comes first.
            return False if term.form == "in" and leads else self._new_name()
        at = skip(self.terms, self.at + 1, "file", "named", "new")
        name = name_at(self.terms, at)
        if name is not None and self._is_output(term, self.terms[at]):
            self.output, self.at = name[0], name[1]
            return True
        if verb not in {"move", "copy"}:
            return False
        if not self._is_pure_target(self.at) and (
            any(self._is_pure_target(at) for at in range(self.at + 1, len(self.terms)))
            or any(each.means("there") for each in self.terms[self.at + 1 :])
        ):
            return False
        if not (self.heads or self.refers or self.ahead or self.is_duplicates or self.order or self.nth):
            return False
        if condition_at(self.terms, self.at, self.today) is not None and term.means("in"):
            return False
        if self.language == "en" and not self._is_pure_target(self.at) and not set(self.verb_words) & _PUTTING:
            return False
        begin = self.at if puts and not term.means("to") else self.at + 1
        found = self._below_another(begin) or self._folder_at(begin, is_target=True)
        if found is None or len(found[0]) != 1 or (term.form in {"as", "als"} and "." not in found[0][0]):
            return False
        if any(term.tokens[-1].form in _SEVERAL for term in self.terms[self.at : found[1]]):
            # `To the right folders`: things go to one.
            return False
        if self._is_among_others(begin, found[0][0]):
            return False
        self.target, end = self._below_its_place(found[0][0], found[1])
        self.at = end
        self.target_at = self.at
        self.is_open = False
        return True

    def _is_among_others(self, at: int, name: str) -> bool:
        """`To the invoices`, `zu den Rechnungen`: where they are, and no new folder of that name."""
        known = self.scene.known
        if known is None or "/" in name or name in known.folders or self.scene.folder(name) is not None:
            return False
        article = self.terms[at].form if at < len(self.terms) else ""
        leads = {self.terms[self.at].form, f"{self.terms[self.at].form} {article}"}
        is_led = bool(leads & _WITH_THEM) or (self.terms[self.at].form == "to" and article == "the")
        behind = skip(self.terms, at)
        term = self.terms[behind] if behind < len(self.terms) else None
        is_plural = term is not None and (self.language == "de" or term.form.endswith("s"))
        return is_led and is_plural and term is not None and (term.kind is not None or self.scene.is_there(name))

    def _below_its_place(self, name: str, end: int) -> tuple[str, int]:
        """`A folder Slides inside Lectures`: the folder is made there; nothing is taken from there."""
        said_folder = any(
            "folder" in each.form or "ordner" in each.form or each.means("new_folder")
            for each in self.terms[self.at : end]
        )
        if "/" in name or not said_folder or end >= len(self.terms) or self.terms[end].form not in _INSIDE:
            return name, end
        above = self._folder_at(end + 1)
        known = self.scene.known
        if above is None or len(above[0]) != 1 or known is None:
            return name, end
        folder = above[0][0].rstrip("/")
        path = folder if folder in known.folders else self.scene.folder(folder)
        return (f"{path}/{name}", above[1]) if path is not None else (name, end)

    def _is_output(self, term: Term, name: Term) -> bool:
        """Whether the file that follows is where the answer is written: only a verb for writing makes it one."""
        return (
            {"write", "report"} & set(self.verbs) != set()
            and not self.is_act
            and self.output is None
            and name.token.sort in {"file", "path"}
            and not (self.scene.known is not None and name.text.rstrip("/") in self.scene.known.folders)
            and term.form in {"to", "into", "in", "nach", "onto", "->", "as", "als", "under", "unter"}
        )

    def _new_name(self) -> bool:
        at = self.at + 1
        while at < len(self.terms) and self.terms[at].means("filler", "new") and not self._ends(at):
            at += 1
        name = name_at(self.terms, at)
        is_one = any(head.is_exact or (head.is_single and head.topics) for head in self.heads)
        if name is None or not (self.refers or self.nth or is_one):
            return False
        self.target, self.at = name
        return True

    def _folder_at(self, at: int, *, is_target: bool = False) -> tuple[list[str], int] | None:
        """The folder that is named from here: `the Old folder`, `a new folder called Old`, `Old and New`."""
        had_article = False
        while at < len(self.terms) and (
            self.terms[at].means("new_folder", "named", "folder", "in_folder", "new")
            or (self.terms[at].means("filler") and number_of(self.terms[at]) is None)
            or (number_of(self.terms[at]) == 1 and self.terms[at].token.sort == "word")
        ):
            had_article = had_article or self.terms[at].means("filler", "new_folder", "folder")
            if (
                self.terms[at].text[:1].isupper()
                and self.language == "en"
                and self.terms[at].token.sort == "word"
                and not self.terms[at].means("folder")
            ):
                break
            at += 1
        name = name_at(self.terms, at)
        if name is None or at >= len(self.terms):
            return None
        term, (text, end) = self.terms[at], name
        if is_target and term.means("vague") and not term.text[:1].isupper() and not self._is_called(at):
            # `To a better folder`, `in den anderen Ordner`: what describes is not a name.
            return None
        if term.form in {"subfolder", "subfolders", "unterordner", "unterordnern"}:
            return None
        home = FOLDERS_OF_HOME.get(text.lower())
        if is_target and term.form in {"desktop", "schreibtisch"} and term.token.sort == "word":
            return ["~/Desktop"], self._past_folder(end)
        if (
            home is not None
            and term.token.sort != "path"
            and (at > 0 and self.terms[at - 1].form in {"my", "meine", "meinen", "mein", "die", "den"})
        ):
            return [home], self._past_folder(end)
        if term.token.sort in {"file", "glob"} and not is_target:
            return None
        if term.token.sort == "path" and "." in text.rpartition("/")[2] and not is_target:
            return None
        if term.token.sort == "glob":
            return None
        behind = self._past_folder(end)
        said_folder = behind > end or (
            at > 0 and self.terms[at - 1].means("folder", "in_folder", "new_folder", "named")
        )
        known = not term.is_unknown and not term.token.is_name
        if known and not said_folder and not is_target:
            # `In notes` may be a kind; `in Notes` and `in the notes folder` are folders.
            bare = (at > 0 and not self.terms[at - 1].means("filler")) or self.terms[at - 1].means("in")
            if (
                self.is_act
                or not (
                    term.kind is not None and len(term.tokens) == 1 and bare and self.verb not in {"search", "lines"}
                )
            ) and not term.text[:1].isupper():
                return None
        if (
            known
            and is_target
            and not said_folder
            and not term.kind
            and not term.text[:1].isupper()
            and term.meanings & {"pronoun", "all", "file", "folder", "filler", "here", "not", "and"}
        ):
            return None
        folders = [text]
        while (
            behind + 1 < len(self.terms)
            and self.terms[behind].means("and", "or")
            and not is_target
            and (more := name_at(self.terms, behind + 1)) is not None
            and (self.terms[behind + 1].is_unknown or self.terms[behind + 1].token.sort == "path")
        ):
            folders.append(more[0])
            behind = self._past_folder(more[1])
        return folders, behind

    def _below_another(self, at: int) -> tuple[list[str], int] | None:
        """`A subfolder of Pictures called Phone`."""
        at = skip(self.terms, at, "new")
        if at + 1 >= len(self.terms) or not (self.terms[at].means("folder") or self.terms[at].form in _BELOW):
            return None
        if not (self.terms[at + 1].form in _OF or self.terms[at + 1].means("in", "inside")):
            return None
        above = self._folder_at(at + 2)
        if above is None or len(above[0]) != 1 or above[1] >= len(self.terms):
            return None
        name = name_at(self.terms, above[1] + 1) if self.terms[above[1]].means("named") else None
        return ([f"{above[0][0].rstrip('/')}/{name[0]}"], name[1]) if name is not None else None

    def _is_called(self, at: int) -> bool:
        """Whether a word for `called` is right before, behind which any word is a name."""
        before = self.terms[at - 1] if at else None
        return before is not None and (before.means("named") or before.tokens[-1].form in _CALLED)

    def _past_folder(self, at: int) -> int:
        return at + 1 if at < len(self.terms) and self.terms[at].means("folder") else at

    def _place(self) -> bool:
        term = self.terms[self.at]
        if term.means("inside_all"):
            found = self._folder_at(self.at + 1)
            if found is not None:
                self.places += found[0]
                self.at = found[1]
                self._open(Head(is_general=True, is_all=True))
                return True
        if term.form in _OF and self._is_of_a_thing():
            return True
        if term.form in {"of", "von"} and self._is_of_a_folder():
            self.places, self.at = [self.terms[self.at + 1].text.rstrip("/")], self.at + 2
            return True
        if not term.means("in", "in_folder", "inside") or (self.verb == "create" and not self.names):
            return False
        found = self._folder_at(self.at + 1 if not term.means("in_folder") else self.at)
        if found is None:
            return self._in_file()
        if len(found[0]) == 1 and self._is_no_folder(found[0][0], found[1]):
            # `The lines from the chapters`: files that are called so.
            last = self.heads[-1] if self.heads else None
            if last is not None and (last.is_exact or not self.is_open):
                return False
            if last is not None:
                # `The files from the museum`: another piece of their names.
                last.topics.append(found[0][0])
            else:
                self._open(Head(topics=[found[0][0]]))
            self.at = found[1]
            return True
        if len(self.places) == len(found[0]) == 1 and self.places[0].startswith(f"{found[0][0]}/"):
            # `From 2025 in Steuer`, where 2025 is a folder in it.
            self.at = found[1]
            return True
        if self.places:
            return False
        if self.is_act and len(self.heads) > 1 and self.heads[-1].is_led and not self.heads[0].is_led:
            # `Delete empty files and the logs in Old`: only the logs there, or both?
            self.missing = self.missing or "ambiguous"
        self.places, self.at = found
        if term.means("inside"):
            self.outside.append(Deep(1))
        self.is_open = bool(self.heads)
        return True

    def _is_of_a_thing(self) -> bool:
        """`The invoice from Nordwind`, where no folder is called so, but a file is: another piece of its name."""
        at = skip(self.terms, self.at + 1)
        known = self.scene.known
        if known is None or not self.heads or not self.is_open or at >= len(self.terms) or self.places:
            return False
        word, behind = self.terms[at], self.terms[at + 1] if at + 1 < len(self.terms) else None
        names = {fold(folder.rpartition("/")[2]) for folder in known.folders}
        is_old_year = word.token.sort == "number" and re.fullmatch(r"1[0-8]\d\d|19[0-6]\d", word.text)
        if is_old_year and word.text in known.pieces and not self.heads[-1].is_exact:
            # `The wedding photo of 1923`: no file was changed then, but one is called so.
            self.heads[-1].topics.append(word.text)
            self.at = at + 1
            return True
        if not word.is_unknown or (behind is not None and behind.means("folder")) or fold(word.text) in names:
            return False
        if not self.scene.is_there(word.text) or self.heads[-1].is_exact:
            return False
        self.heads[-1].topics.append(word.text)
        self.at = at + 1
        while (more := self._term()) is not None and more.is_unknown and self.scene.is_there(more.text):
            # `Of the Christmas concert`.
            self.heads[-1].topics.append(more.text)
            self.at += 1
        return True

    def _is_no_folder(self, word: str, end: int) -> bool:
        """Whether no folder is called so, but names of files hold the word."""
        known = self.scene.known
        if known is None or self.is_test or self.terms[end - 1].token.sort != "word":
            return False
        if self.is_act and not self.heads:
            return False
        said_folder = any(
            term.means("folder", "in_folder", "new_folder", "named") for term in self.terms[self.at : end]
        )
        names = {fold(folder.rpartition("/")[2]) for folder in known.folders}
        return not said_folder and fold(word) not in names and self.scene.is_there(word)

    def _is_of_a_folder(self) -> bool:
        """`The posters of 2026 Spring`, where that is a folder."""
        behind = self.terms[self.at + 1].token if self.at + 1 < len(self.terms) else None
        known = self.scene.known
        return (
            behind is not None
            and behind.sort in {"path", "quoted"}
            and known is not None
            and behind.text.rstrip("/") in known.folders
            and bool(self.heads)
            and not self.places
        )

    def _in_file(self) -> bool:
        """`In error.log`: the file is what is looked at."""
        behind = skip(self.terms, self.at + 1, "file")
        if (
            behind < len(self.terms)
            and self.terms[behind].token.sort in {"file", "path"}
            and self.verb in {"lines", "head", "tail", "linecount", "words", "read", "search"}
        ):
            self.at = behind
            return True
        return False
