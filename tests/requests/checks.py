"""Lists of requests, and what has to come of each.

A line is a request; `& ` begins one that continues the conversation; `@NAME` says in which folder what follows is asked, the
household's at first. What is indented below holds afterwards:

    says A; B|C            the answer holds each text (one of those parted by `|`)
    not A; B               and none of these
    gone GLOBS             these were thrown away
    back PATHS             these are there again, as they were at first
    moved A -> B; C -> D   and copied A -> B
    dir PATHS              new folders
    added GLOBS            new files match these, and nothing else is new
    one GLOBS              each matches a new file
    holds PATH: TEXT       a file holds the text; several are parted by `;`, a part without a path is of the one before
    lacks PATH: TEXT       and this not
    packed GLOB: NAMES     there is a new archive with these in it, and nothing else is new
    tagged PATH: TAG       the file has the tag
    sorted FOLDER          all files of the folder are in folders below it, none lost
    nothing                nothing was changed, whatever was said
    asks                   nothing was done, and the request did not end as done
    either ...             as above, and asking is as right

Whatever a line does not name stays as it was.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

__all__ = ["Request", "Talk", "Tree", "conversations", "known_as", "tree", "verdict"]

Tree = dict[str, str]
WORDS = {
    "says", "not", "gone", "back", "moved", "copied", "dir", "added", "one", "holds", "lacks", "packed", "tagged",
    "sorted", "asks", "nothing",
}  # fmt: skip


@dataclass
class Request:
    """A request and its checks."""

    text: str
    checks: list[tuple[str, str]] = field(default_factory=list)
    may_ask: bool = False

    @property
    def must_ask(self) -> bool:
        return any(word == "asks" for word, _ in self.checks)


@dataclass
class Talk:
    """Requests of one conversation, and the folder that they are about."""

    folder: str
    requests: list[Request]


def conversations(path: Path) -> list[Talk]:
    """The conversations of a list."""
    found: list[Talk] = []
    folder = "household"
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("    "):
            request = found[-1].requests[-1]
            word, _, rest = line.strip().partition(" ")
            if word == "either":
                request.may_ask = True
                word, _, rest = rest.partition(" ")
            assert word in WORDS, line
            request.checks.append((word, rest))
        elif line.startswith("@"):
            folder = line.removeprefix("@").strip()
        elif line.startswith("& "):
            found[-1].requests.append(Request(line.removeprefix("& ")))
        else:
            found.append(Talk(folder, [Request(line)]))
    return found


def tree(root: Path) -> Tree:
    """Each path with what it holds; a folder's ends in `/`."""
    found = {}
    for folder, folders, files in os.walk(root):
        place = Path(folder).relative_to(root)
        for name in folders:
            found[f"{place / name}/"] = ""
        for name in files:
            found[str(place / name)] = _digest(Path(folder) / name)
    return found


def _digest(path: Path) -> str:
    """What a file holds; one that nobody has touched since is not read again."""
    key = _key(path)
    if key not in _DIGESTS:
        _DIGESTS[key] = hashlib.sha256(path.read_bytes()).hexdigest()
    return _DIGESTS[key]


def known_as(path: Path, digest: str) -> None:
    """Says what a file holds that was just copied from one that was read."""
    _DIGESTS[_key(path)] = digest


def _key(path: Path) -> tuple[int, ...]:
    kept = path.stat()
    return (kept.st_dev, kept.st_ino, kept.st_size, kept.st_mtime_ns, kept.st_ctime_ns)


_DIGESTS: dict[tuple[int, ...], str] = {}


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";")]


def _matching(glob: str, names: Tree) -> list[str]:
    """Paths that match; `**/x` is also `x` at the top."""
    globs = [glob, glob.removeprefix("**/"), glob.replace("/**/", "/")]
    return [
        name for name in names if not name.endswith("/") and any(fnmatch.fnmatchcase(name, g) for g in globs)
    ]


def expected(request: Request, first: Tree, before: Tree) -> Tree:
    """What the folder holds afterwards, except for what is new."""
    names = dict(before)
    for word, rest in request.checks:
        for part in _parts(rest):
            match word:
                case "gone":
                    assert part in names or f"{part}/" in names, part
                    for name in [n for n in names if n == part or n.startswith(f"{part}/")]:
                        del names[name]
                case "back":
                    names[part] = first[part]
                case "moved" | "copied":
                    source, _, target = part.partition(" -> ")
                    names[target] = names[source] if word == "copied" else names.pop(source)
                case "dir":
                    names[f"{part}/"] = ""
                case _:
                    pass
    for name in list(names):
        for parent in PurePosixPath(name).parents:
            if str(parent) != ".":
                names[f"{parent}/"] = ""
    return names


def verdict(request: Request, end: str, said: str, root: Path, first: Tree, before: Tree, after: Tree) -> str:
    """`right`, `asked`, `wrong answer` (it ended as done) or `wrong act` (something else was changed)."""
    if any(word == "nothing" for word, _ in request.checks):
        return "right" if before == after else "wrong act"
    if before == after and end != "completed":
        return "right" if request.must_ask or request.may_ask else "asked"
    wrong = "wrong answer" if before == after else "wrong act"
    if request.must_ask:
        return wrong
    return "right" if _holds(request, said, root, expected(request, first, before), after) else wrong


def _holds(request: Request, said: str, root: Path, wanted: Tree, after: Tree) -> bool:
    said = said.lower()
    words = {word for word, _ in request.checks}
    new = {name: what for name, what in after.items() if name not in wanted and not name.endswith("/")}
    changed = {name for name in wanted if name in after and after[name] != wanted[name]}
    if "sorted" in words:
        return all(_sorted(rest, wanted, after) for word, rest in request.checks if word == "sorted")
    if (
        wanted.keys() - after.keys()
        or (new and not words & {"added", "packed"})
        or (changed and "holds" not in words)
    ):
        return False
    parents = {f"{parent}/" for name in [*new, *wanted] for parent in PurePosixPath(name).parents}
    if (
        any(name.endswith("/") and name not in wanted and name not in parents for name in after)
        and "added" not in words
    ):
        return False
    return all(_one(word, rest, said, root, new, changed) for word, rest in request.checks)


def _one(word: str, rest: str, said: str, root: Path, new: Tree, changed: set[str]) -> bool:
    match word:
        case "says":
            return all(any(choice in said for choice in part.split("|")) for part in _parts(rest.lower()))
        case "not":
            return not any(part in said for part in _parts(rest.lower()))
        case "added":
            return all(any(name in _matching(glob, new) for glob in _parts(rest)) for name in new) and bool(
                new
            )
        case "one":
            return all(_matching(glob, new) for glob in _parts(rest))
        case "holds" | "lacks":
            return _texts(word, rest, root, new, changed)
        case "packed":
            glob, _, names = rest.partition(": ")
            archives = _matching(glob, new) or _matching(f"**/{glob}", new) or _matching(f"*/{glob}", new)
            return len(new) == len(archives) == 1 and all(
                name in _inside(root / archives[0]) for name in _parts(names)
            )
        case "tagged":
            path, _, tag = rest.partition(": ")
            try:
                return tag.encode() in os.getxattr(root / path, "user.xdg.tags").split(b",")
            except OSError:
                return False
        case _:
            return True


def _texts(word: str, rest: str, root: Path, new: Tree, changed: set[str]) -> bool:
    path, named = "", set()
    for part in _parts(rest):
        before, colon, text = part.partition(": ")
        if colon:
            path = next(iter(_matching(before, new)), before)
        named.add(path)
        held = (root / path).read_text(encoding="utf-8") if (root / path).is_file() else ""
        if ((text if colon else part) in held) != (word == "holds"):
            return False
    return word == "lacks" or changed <= named


def _inside(path: Path) -> str:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return "\n".join(archive.namelist())
    with tarfile.open(path) as archive:
        return "\n".join(archive.getnames())


def _sorted(folder: str, wanted: Tree, after: Tree) -> bool:
    def below(names: Tree) -> list[tuple[str, str]]:
        return sorted(
            (PurePosixPath(n).name, what) for n, what in names.items() if n.startswith(f"{folder}/") and what
        )

    rest = all(after.get(n) == what for n, what in wanted.items() if not n.startswith(f"{folder}/"))
    deep = all(
        n.count("/") > folder.count("/") + 1
        for n in after
        if n.startswith(f"{folder}/") and not n.endswith("/")
    )
    return rest and deep and below(wanted) == below(after)
