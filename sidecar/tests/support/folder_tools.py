"""Tools that work on a real folder and answer in the form of the real ones, for chores played to their end."""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from deputy_sidecar.models import AgentPlan, AssistantMessage, Message, ToolMessage, UserMessage
from deputy_sidecar.offline.results import plural, size_text

Answer = tuple[str, bool]


class FolderTools:
    """`search`, `code` and `shell` on one folder. `deny` says which calls are refused."""

    def __init__(self, root: Path, *, room_lines: int = 10_000, deny: Callable[[str, Any], bool] | None = None) -> None:
        self.root = root
        self.room_lines = room_lines
        self.deny = deny or (lambda tool, parameters: False)
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def run(self, tool: str, parameters: dict[str, Any]) -> Answer:
        self.calls.append((tool, parameters))
        if self.deny(tool, parameters):
            return "Denied: not now", False
        path = self.root / parameters.get("path", ".")
        if tool == "shell":
            done = subprocess.run(
                ["bash", "-c", parameters["command"]], cwd=self.root, capture_output=True, text=True, check=False
            )
            return f"exit code {done.returncode} after 0.0 s\n{done.stdout}{done.stderr}", done.returncode == 0
        if parameters["action"] == "write":
            path.write_text(parameters["content"], encoding="utf-8")
            return f"wrote {parameters['path']}", True
        if not path.exists():
            return f"could not open {parameters['path']}: it does not exist", False
        if not hasattr(self, f"_{parameters['action']}"):
            # What the tools can do beyond this is tried with the real ones, in `tests/requests`.
            return f"{tool} {parameters['action']} is not there", False
        answer: Answer = getattr(self, f"_{parameters['action']}")(path, parameters)
        return answer

    def _walk(self, start: Path) -> Iterator[tuple[Path, str]]:
        for entry in sorted(start.rglob("*")):
            if not any(part.startswith(".") for part in entry.relative_to(start).parts):
                yield entry, os.path.relpath(entry, self.root)

    def _cut(self, lines: list[str], summary: str) -> Answer:
        shown, more = lines[: self.room_lines], len(lines) - self.room_lines
        return "\n".join([*shown, *([f"... and {more} more"] if more > 0 else []), summary]), True

    @staticmethod
    def _figures(entries: list[Path]) -> str:
        files = [entry for entry in entries if entry.is_file()]
        size = size_text(sum(entry.stat().st_size for entry in files))
        return f"{len(files)} file{'s' * (len(files) != 1)}, {plural(len(entries) - len(files), 'folder')}, {size}"

    def _find(self, start: Path, wanted: dict[str, Any]) -> Answer:
        kind = wanted.get("kind")
        found = [
            (entry, shown)
            for entry, shown in self._walk(start)
            if (kind is None or entry.is_dir() == (kind == "folder")) and self._fits(entry, start, wanted)
        ]
        entries = [entry for entry, _ in found]
        figures = self._figures(entries)
        order = wanted.get("sort")
        if order is None:
            return self._cut([shown + "/" * entry.is_dir() for entry, shown in found], figures)
        found.sort(key=lambda pair: pair[1])
        if order != "name":
            keys = {"size": lambda pair: pair[0].stat().st_size, "time": lambda pair: pair[0].stat().st_mtime}
            found.sort(
                key=keys["size" if order in {"largest", "smallest"} else "time"], reverse=order in {"largest", "newest"}
            )
        offset, limit = wanted.get("offset", 0), wanted.get("limit")
        lines = [
            f"{shown}{'/' * entry.is_dir()}\t{'folder' if entry.is_dir() else 'file'}\t"
            f"{'-' if entry.is_dir() else entry.stat().st_size}\t{_local(entry.stat().st_mtime)}"
            for entry, shown in found
        ][offset : offset + limit if limit else None]
        return self._cut(lines, f"{figures}; {sum(entry.stat().st_size for entry in entries if entry.is_file())} bytes")

    def _fits(self, entry: Path, start: Path, wanted: dict[str, Any]) -> bool:
        """Whether an entry fits a filter, as the tools define it."""
        below = os.path.relpath(entry, start)
        stat = entry.stat()
        if wanted.keys() & {"extension", "min_bytes", "max_bytes", "text"} and entry.is_dir():
            return False
        checks: dict[str, Callable[[Any], bool]] = {
            "pattern": lambda glob: _glob_fits(glob, below if "/" in glob else entry.name),
            "extension": lambda names: entry.suffix.lower().lstrip(".") in names.split(",") and bool(entry.suffix),
            "min_bytes": lambda least: stat.st_size >= least,
            "max_bytes": lambda most: stat.st_size <= most,
            "newer_than": lambda moment: stat.st_mtime >= _moment(moment),
            "older_than": lambda moment: stat.st_mtime < _moment(moment),
            "empty": lambda empty: (stat.st_size == 0 if entry.is_file() else not any(entry.iterdir())) == empty,
            "depth": lambda levels: len(Path(below).parts) <= levels,
            "text": lambda text: text.lower() in entry.read_bytes()[:100_000].decode("utf-8", "replace").lower(),
            "any": lambda filters: any(self._fits(entry, start, each) for each in filters),
            "none": lambda filters: not any(self._fits(entry, start, each) for each in filters),
        }
        return all(check(wanted[name]) for name, check in checks.items() if name in wanted)

    def _ls(self, start: Path, _: dict[str, Any]) -> Answer:
        entries = (
            [start]
            if start.is_file()
            else [entry for entry in sorted(start.iterdir()) if not entry.name.startswith(".")]
        )
        lines = [
            f"{entry.name}\t{'file' if entry.is_file() else 'folder'}\t"
            f"{entry.stat().st_size if entry.is_file() else '-'}\t2026-01-31"
            for entry in entries
        ]
        return self._cut(lines, self._figures(entries))

    def _duplicates(self, start: Path, wanted: dict[str, Any]) -> Answer:
        groups: dict[tuple[int, str], list[str]] = {}
        for entry, shown in self._walk(start):
            if entry.is_file() and entry.stat().st_size and self._fits(entry, start, wanted.get("where", {})):
                content = entry.read_bytes()
                groups.setdefault((len(content), hashlib.sha256(content).hexdigest()), []).append(shown)
        same = sorted((key[0] * (len(paths) - 1), key[0], paths) for key, paths in groups.items() if len(paths) > 1)
        lines: list[str] = []
        for wasted, size, paths in reversed(same):
            lines += [f"{len(paths)} files of {size} bytes, {wasted} wasted", *(f"  {path}" for path in paths)]
        files, waste = sum(len(paths) for _, _, paths in same), sum(wasted for wasted, _, _ in same)
        return self._cut(lines, f"{plural(len(same), 'group')}, {plural(files, 'file')}, {size_text(waste)} wasted")

    def _usage(self, start: Path, _: dict[str, Any]) -> Answer:
        shares = []
        for entry in start.iterdir():
            files = [entry] if entry.is_file() else [each for each in entry.rglob("*") if each.is_file()]
            shares.append((sum(each.stat().st_size for each in files), len(files), entry.name + "/" * entry.is_dir()))
        lines = [
            f"{size}\t{files}\t{name}" for size, files, name in sorted(shares, key=lambda share: (-share[0], share[2]))
        ]
        return self._cut(lines, self._figures([entry for entry, _ in self._walk(start)]))

    def _tree(self, start: Path, _: dict[str, Any]) -> Answer:
        lines = [
            f"{'  ' * (len(entry.relative_to(start).parts) - 1)}{entry.name}{'/' * entry.is_dir()}"
            for entry, _ in self._walk(start)
        ]
        return self._cut(lines, self._figures([entry for entry, _ in self._walk(start)]))

    def _head(self, path: Path, wanted: dict[str, Any]) -> Answer:
        return "\n".join([*path.read_text(encoding="utf-8").splitlines()[: wanted["lines"]], "the first"]), True

    def _tail(self, path: Path, wanted: dict[str, Any]) -> Answer:
        return "\n".join([*path.read_text(encoding="utf-8").splitlines()[-wanted["lines"] :], "the last"]), True

    def _wc(self, path: Path, wanted: dict[str, Any]) -> Answer:
        if path.is_dir():
            rows = []
            for entry, shown in self._walk(path):
                if entry.is_file() and self._fits(entry, path, wanted.get("where", {})):
                    text = entry.read_text(encoding="utf-8")
                    rows.append(f"{len(text.splitlines())}\t{len(text.split())}\t{len(text)}\t{shown}")
            return self._cut(rows, f"{len(rows)} files")
        text = path.read_text(encoding="utf-8")
        return f"{len(text.splitlines())}\t{len(text.split())}\t{len(text)}\t{wanted['path']}\n1 file", True

    def _submit_plan(self, _: Path, wanted: dict[str, Any]) -> Answer:
        """All operations or none: each is checked as it would be."""
        for each in wanted["operations"]:
            path = self.root / each["path"]
            to = (
                self.root / each["to"]
                if each["type"] in {"move", "copy"}
                else path.with_name(each.get("to", path.name))
            )
            if each["type"] == "create_folder":
                path.mkdir(parents=True)
                continue
            if not path.exists() or (to.exists() and to != path):
                return f"{each['path']}: cannot be done", False
            match each["type"]:
                case "trash":
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                case "move" | "rename":
                    path.rename(to)
                case "copy":
                    shutil.copytree(path, to) if path.is_dir() else shutil.copy2(path, to)
        return f"job j1: {len(wanted['operations'])} steps are done", True

    def _grep(self, start: Path, wanted: dict[str, Any]) -> Answer:
        said = re.escape(wanted["pattern"]) if wanted.get("literal") else wanted["pattern"]
        pattern = re.compile(said, re.IGNORECASE if wanted.get("ignore_case") else 0)
        lines: list[str] = []
        files = (
            [(start, wanted["path"])] if start.is_file() else [pair for pair in self._walk(start) if pair[0].is_file()]
        )
        for entry, shown in files:
            if entry == start or self._fits(entry, start, wanted.get("where", {})):
                text = entry.read_text(encoding="utf-8", errors="replace").splitlines()
                lines += [f"{shown}:{number}:{line}" for number, line in enumerate(text, 1) if pattern.search(line)]
        names = {line.split(":")[0] for line in lines}
        return self._cut(lines, f"{plural(len(lines), 'match')} in {len(names)} of {plural(len(files), 'file')}")

    def _read(self, path: Path, wanted: dict[str, Any]) -> Answer:
        text = path.read_text(encoding="utf-8")
        lines = len(text.splitlines())
        return f"{wanted['path']}: lines 1-{lines} of {lines}, {size_text(len(text))}\n{text}", True


def _glob_fits(glob: str, text: str) -> bool:
    """A glob as the tools read it: any case, `{a,b}`, and `**/` for no folder as well."""
    return _glob(glob.lower()).fullmatch(text.lower()) is not None


@cache
def _glob(glob: str) -> re.Pattern[str]:
    known = {"**/": "(?:.*/)?", "**": ".+", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")", ",": "|"}
    pieces = re.findall(r"\*\*/|\*\*|\[[^\]]+\]|.", glob)
    depth, out = 0, ""
    for piece in pieces:
        depth += (piece == "{") - (piece == "}")
        if piece.startswith("[") and len(piece) > 1:
            out += piece.replace("[!", "[^")
        elif piece == "," and not depth:
            out += re.escape(piece)
        else:
            out += known.get(piece) or re.escape(piece)
    return re.compile(out)


def _local(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC).astimezone():%Y-%m-%dT%H:%M:%S}"


def _moment(text: str) -> float:
    if text[-1] in "hd":
        return (datetime.now(UTC) - timedelta(**{"hours" if text[-1] == "h" else "days": int(text[:-1])})).timestamp()
    return datetime.fromisoformat(text).timestamp()


def converse(
    goal: str, tools: FolderTools, plan: Callable[[list[Message]], AgentPlan], answers: tuple[str, ...] = ()
) -> tuple[AgentPlan, list[Message]]:
    """Plays a chore to its end, as the core does: calls run, questions answered in order."""
    messages: list[Message] = [UserMessage(text=goal)]
    waiting = list(answers)
    for iteration in range(1, 20):
        answer = plan(messages)
        if answer.is_complete:
            return answer, messages
        if answer.question is not None:
            messages += [AssistantMessage(text=answer.question), UserMessage(text=waiting.pop(0))]
            continue
        calls = [
            type(call)(id=f"t1-{iteration}-{call.id}", tool=call.tool, parameters=call.parameters)
            for call in answer.tool_calls
        ]
        messages.append(AssistantMessage(text=answer.reasoning, tool_calls=calls))
        for call in calls:
            content, ok = tools.run(call.tool, call.parameters)
            messages.append(ToolMessage(call=call.id, tool=call.tool, content=content, ok=ok))
    raise AssertionError(f"no end after 20 iterations: {tools.calls}")
