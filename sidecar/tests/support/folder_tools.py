"""Tools that work on a real folder and answer in the form of the real ones, for chores played to their end."""

import fnmatch
import hashlib
import os
import re
import subprocess
from collections.abc import Callable, Iterator
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
        found: list[tuple[Path, str]] = []
        files_only = wanted.get("kind") == "file" or bool(wanted.keys() & {"extension", "min_bytes", "max_bytes"})
        for entry, shown in self._walk(start):
            fits = (
                (entry.is_file() or not files_only)
                and (entry.is_dir() or wanted.get("kind") != "folder")
                and fnmatch.fnmatchcase(entry.name, wanted.get("pattern", "*"))
                and entry.suffix.lower().endswith(wanted.get("extension", ""))
                and entry.stat().st_size >= wanted.get("min_bytes", 0)
            )
            if fits:
                found.append((entry, shown + "/" * entry.is_dir()))
        return self._cut([shown for _, shown in found], self._figures([entry for entry, _ in found]))

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

    def _duplicates(self, start: Path, _: dict[str, Any]) -> Answer:
        groups: dict[tuple[int, str], list[str]] = {}
        for entry, shown in self._walk(start):
            if entry.is_file() and entry.stat().st_size:
                content = entry.read_bytes()
                groups.setdefault((len(content), hashlib.sha256(content).hexdigest()), []).append(shown)
        same = sorted((key[0] * (len(paths) - 1), key[0], paths) for key, paths in groups.items() if len(paths) > 1)
        lines: list[str] = []
        for wasted, size, paths in reversed(same):
            lines += [f"{len(paths)} files of {size} bytes, {wasted} wasted", *(f"  {path}" for path in paths)]
        files, waste = sum(len(paths) for _, _, paths in same), sum(wasted for wasted, _, _ in same)
        return self._cut(lines, f"{plural(len(same), 'group')}, {plural(files, 'file')}, {size_text(waste)} wasted")

    def _usage(self, start: Path, _: dict[str, Any]) -> Answer:
        lines = [f"{entry.stat().st_size}\t1\t{entry.name}" for entry in sorted(start.iterdir()) if entry.is_file()]
        return self._cut(lines, self._figures([entry for entry, _ in self._walk(start)]))

    def _grep(self, start: Path, wanted: dict[str, Any]) -> Answer:
        assert wanted["literal"]
        pattern = re.compile(re.escape(wanted["pattern"]), re.IGNORECASE if wanted.get("ignore_case") else 0)
        lines: list[str] = []
        files = (
            [(start, wanted["path"])] if start.is_file() else [pair for pair in self._walk(start) if pair[0].is_file()]
        )
        for entry, shown in files:
            if fnmatch.fnmatchcase(entry.name, wanted.get("include", "*")):
                text = entry.read_text(encoding="utf-8", errors="replace").splitlines()
                lines += [f"{shown}:{number}:{line}" for number, line in enumerate(text, 1) if pattern.search(line)]
        names = {line.split(":")[0] for line in lines}
        return self._cut(lines, f"{plural(len(lines), 'match')} in {len(names)} of {plural(len(files), 'file')}")

    def _read(self, path: Path, wanted: dict[str, Any]) -> Answer:
        text = path.read_text(encoding="utf-8")
        lines = len(text.splitlines())
        return f"{wanted['path']}: lines 1-{lines} of {lines}, {size_text(len(text))}\n{text}", True


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
