"""Archives: what one holds, packing, unpacking."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, replace
from typing import Final

from deputy_sidecar.offline.acting import chosen
from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.forms import Form, Slots
from deputy_sidecar.offline.job import Job, Steps
from deputy_sidecar.offline.looking import checked, one, path_of
from deputy_sidecar.offline.phrasing import selector_in_words
from deputy_sidecar.offline.results import listing, size_text
from deputy_sidecar.offline.selector import Named, Selector
from deputy_sidecar.offline.steps import Call, NotPossibleError
from deputy_sidecar.offline.words.say import in_language as say
from deputy_sidecar.offline.words.told import told

__all__ = ["FORMS", "KINDS", "Inside", "Pack"]

KINDS: Final = (".zip", ".tar.gz", ".tgz", ".tar")


@dataclass(frozen=True)
class Inside:
    """What an archive holds."""

    archive: str
    is_act: bool = False

    def phrase(self, language: str) -> str:
        """The reading."""
        return say(language, f"list what is in {self.archive}", f"auflisten, was in {self.archive} ist")

    def run(self, language: str) -> Steps:
        """Lists it."""
        path = yield from path_of(self.archive, language)
        what = self.phrase(language)
        found = listing(
            checked((yield from one(what, Call("archive", {"action": "list", "path": path}))), language, what)
        )
        lines = []
        for line in found.lines:
            name, kind, size, *_ = line.split("\t")
            lines.append(f"- {name}" + (f" ({size_text(int(size))})" if kind == "file" and size.isdecimal() else ""))
        return f"{path}: {told(found.summary, language)}.\n\n" + "\n".join(lines)


@dataclass(frozen=True)
class Unpack:
    """An archive to a folder; to a new one next to it where none is named."""

    archive: str
    folder: str
    is_act: bool = True

    def phrase(self, language: str) -> str:
        """The reading."""
        to = say(language, f" into {self.folder}", f" nach {self.folder}") if self.folder else ""
        if self.folder == ".":
            to = say(language, " into this folder", " in diesen Ordner")
        return say(language, f"unpack {self.archive}{to}", f"{self.archive}{to} entpacken")

    def run(self, language: str) -> Steps:
        """Unpacks it; nothing is overwritten."""
        path = yield from path_of(self.archive, language)
        what = self.phrase(language)
        call = Call("archive", {"action": "unpack", "path": path} | ({"to": self.folder} if self.folder else {}))
        said = checked((yield from one(what, call)), language, what)
        return told(said.strip(), language)


@dataclass(frozen=True)
class Pack:
    """Files or a folder into a new archive."""

    selector: Selector
    archive: str
    is_act: bool = True

    @property
    def target(self) -> str:
        """The archive's name; that of the folder where none was given."""
        if self.archive.endswith(KINDS):
            return self.archive
        folder = self.selector.exact[0] if self.selector.exact else ""
        return (self.archive or posixpath.basename(folder.rstrip("/")) or "files") + ".zip"

    def placed(self, folder: str) -> Pack:
        """The same archive in a folder."""
        return replace(self, archive=f"{folder.rstrip('/')}/{self.target}")

    def phrase(self, language: str) -> str:
        """The reading."""
        what = selector_in_words(self.selector, language)
        return say(language, f"pack {what} into {self.target}", f"in {self.target} packen: {what}")

    def run(self, language: str) -> Steps:
        """Packs it."""
        entries = yield from chosen(Chore("pack", self.selector), language)
        if not entries:
            raise NotPossibleError(say(language, "There is nothing to pack.", "Es gibt nichts zu packen."))
        what = self.phrase(language)
        call = Call("archive", {"action": "pack", "paths": [entry.path for entry in entries], "to": self.target})
        return told(checked((yield from one(what, call)), language, what).strip(), language)


def _is_archive(name: str) -> bool:
    return name.lower().endswith(KINDS)


def _inside(slots: Slots) -> Job | None:
    return Inside(slots.get("file")) if _is_archive(slots.get("file")) else None


def _unpack(slots: Slots) -> Job | None:
    return Unpack(slots.get("file"), slots.get("folder")) if _is_archive(slots.get("file")) else None


def _unpack_here(slots: Slots) -> Job | None:
    return Unpack(slots.get("file"), ".") if _is_archive(slots.get("file")) else None


def _pack(slots: Slots) -> Job | None:
    name = slots.get("name")
    if slots.which is None or slots.which.order is not None or slots.which.is_duplicates:
        return None
    return Pack(slots.which, name) if not name or _is_archive(name) or "." not in name else None


def _pack_in(slots: Slots) -> Job | None:
    """`In` is where things are, unless what follows is an archive's name."""
    return _pack(slots) if _is_archive(slots.get("name")) else None


def _pack_folder(slots: Slots) -> Job | None:
    folder, name = slots.get("folder"), slots.get("name")
    selector = Selector(entries="folder", condition=Named(folder, "is"), exact=(folder,), is_single=True)
    return Pack(selector, name) if not name or _is_archive(name) or "." not in name else None


def _back_up_folder(slots: Slots) -> Job | None:
    """Only an archive's name makes a backup a pack."""
    return _pack_folder(slots) if _is_archive(slots.get("name")) else None


OF_A_FOLDER: Final = frozenset({_pack_folder, _back_up_folder})
_CALLED: Final = "[(called|named|with name|with the name|by name|under name|and call it|and name it|name it|call it|titled|as|namens|mit namen|mit dem namen|als) {name}]"
_UNPACK: Final = "(unzip|unpack|extract|uncompress|decompress|untar|entpack|entpacke)"
_PACK: Final = "(zip|zip up|compress|pack|archive|bundle|tar|packe)"
_AN_ARCHIVE: Final = "zip|zip file|archive|zip archive|zip-datei|zip datei|archiv|zip-archiv|tar|tar file"

FORMS: Final = (
    Form(
        "[list|show|tell me] (whats|what's|what is|list|show|list contents of|list content of|contents of|content of|list files in|show contents of|what files are|which files are|what is inside|whats inside|what's inside|what is inside of|whats inside of|what's inside of|look into|peek into|what does) [in|inside] [zip|archive|file] {file} [zip|archive|file] [contain|hold]",
        _inside,
    ),
    Form(
        "(is anything|is there anything|anything|is something|ist etwas|ist was|gibt es etwas) (in|inside|inside of) [zip|archive|file|archiv] {file} [drin]",
        _inside,
    ),
    Form(
        "(was ist|was steckt|was liegt|welche dateien sind|inhalt von|zeig inhalt von|liste inhalt von|zeig) [in] [archiv] {file} [an|auf]",
        _inside,
    ),
    Form(
        f"{_UNPACK} [zip|archive|file|archiv|datei] {{file}} (here|in here|in this folder|to this folder|into this folder|hier|hierher|hier aus)",
        _unpack_here,
    ),
    Form(
        f"{_UNPACK} [zip|archive|file|archiv|datei] {{file}} [(into|to|in|nach|ins) [new] [folder|ordner] {{folder}}] [folder] [aus]",
        _unpack,
    ),
    Form("{file} [(nach|in) [ordner] {folder}] (entpacken|auspacken)", _unpack),
    Form("{file} (hier|hierher) (entpacken|auspacken)", _unpack_here),
    Form(
        f"{_PACK} [folder|directory|ordner] {{folder}} [folder|directory] [into|to|in] [{_AN_ARCHIVE}] [(into|to|as|in|called|named|als|namens) {{name}}] [ein]",
        _pack_folder,
    ),
    Form(
        f"(make|create|build|do|mach|mache|erstelle) [one|new|eine|ein] (zip|zip file|zip-file|archive|zip archive|zip-datei|zip datei|archiv|zip-archiv) (of|from|out of|with|aus|von|mit) [contents of|everything in] [folder|directory|ordner] {{folder}} [folder|directory] {_CALLED}",
        _pack_folder,
    ),
    Form(
        "[ordner] {folder} (als|in) [eine|ein] (zip|zip-datei|zip datei|archiv|zip-archiv) (packen|verpacken|speichern)",
        _pack_folder,
    ),
    Form("[ordner] {folder} (als|in) {name} (packen|verpacken)", _pack_folder),
    Form("{which} (als|in) (zip|zip-datei|zip datei|archiv|zip-archiv) (packen|verpacken)", _pack),
    Form("{which} (als|in) {name} (packen|verpacken|zusammenpacken)", _pack),
    Form("(pack|packe) [ordner] {folder} (in|als) (zip|zip-datei|zip datei|archiv|zip-archiv)", _pack_folder),
    Form(
        f"{_PACK} {{which}} [up|together] (into|to|as|als|namens) [{_AN_ARCHIVE}] [called|named] {{name}} [zusammen|ein]",
        _pack,
    ),
    Form(f"{_PACK} {{which}} in [{_AN_ARCHIVE}] [called|named|namens] {{name}} [zusammen|ein]", _pack_in),
    Form(f"{_PACK} {{which}} (into|to|as|in|als) ({_AN_ARCHIVE})", _pack),
    Form("(put|move) {which} (into|in) (zip|zip file|archive|zip archive) [(called|named) {name}]", _pack),
    Form(
        f"(make|create|build|do|mach|mache|erstelle) [one|new] (zip|zip file|zip-file|archive|zip archive|zip-datei|zip datei|archiv|zip-archiv) (of|from|with|out of|aus|von|mit) {{which}} {_CALLED}",
        _pack,
    ),
    Form(
        "(back up|backup|save|archive|sichere|sicher) [folder|directory|ordner] {folder} [folder] (as|to|into|in|als|nach) {name}",
        _back_up_folder,
    ),
    Form("(back up|backup|save|archive|sichere|sicher) {which} (as|to|into|in|als|nach) {name}", _pack_in),
    Form(f"{_PACK} {{which}}", _pack),
    Form("{which} (zippen|packen|komprimieren)", _pack),
)
