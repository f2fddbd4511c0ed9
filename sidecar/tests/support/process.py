"""The sidecar as the core starts it: a process spoken to over pipes."""

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

PACKAGE_FOLDER = Path(__file__).parents[2]
# Long enough for a busy machine; a test that waits so long has failed.
PATIENCE_SECS = 60.0


class SidecarProcess:
    """Starts the sidecar; as a context manager it is ended, and its log kept in `log`."""

    def __init__(self, *, backends_dir: str = "", keys: dict[str, str] | None = None, initialize: bool = True) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "deputy_sidecar"],
            cwd=PACKAGE_FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.raw_output: list[bytes] = []
        self.log = b""
        self.progress: list[dict[str, Any]] = []
        self._answers: dict[Any, dict[str, Any]] = {}
        self._next_id = 0
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_log, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        if initialize:
            params = {"protocol": 1, "backends_dir": backends_dir, "keys": keys or {}}
            self.hello = self.result("initialize", params)

    def __enter__(self) -> "SidecarProcess":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def start(self, method: str, params: Any) -> int:
        """Sends a request and does not wait."""
        self._next_id += 1
        request = {"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params}
        self.write(json.dumps(request).encode() + b"\n")
        return self._next_id

    def notify(self, method: str, params: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n")

    def answer(self, request_id: Any) -> dict[str, Any]:
        """The answer to a request; others that come before are kept."""
        while request_id not in self._answers:
            self._take(self.next_line())
        return self._answers.pop(request_id)

    def next_line(self) -> dict[str, Any]:
        line = self.lines.get(timeout=PATIENCE_SECS)
        assert line is not None, f"the sidecar ended; its log: {self.log.decode()}"
        return line

    def next_progress(self) -> dict[str, Any]:
        before = len(self.progress)
        while len(self.progress) == before:
            self._take(self.next_line())
        return self.progress[-1]

    def result(self, method: str, params: Any) -> Any:
        answer = self.answer(self.start(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def error(self, method: str, params: Any) -> dict[str, Any]:
        answer = self.answer(self.start(method, params))
        assert "result" not in answer, answer
        error: dict[str, Any] = answer["error"]
        return error

    def end(self) -> int:
        """Closes standard input and waits for the end; the exit code."""
        if self.process.stdin is not None and not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        code = self.process.wait(timeout=PATIENCE_SECS)
        for reader in self._readers:
            reader.join(timeout=PATIENCE_SECS)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code

    def _take(self, line: dict[str, Any]) -> None:
        if line.get("method") == "progress":
            self.progress.append(line["params"])
        else:
            self._answers[line["id"]] = line

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        for raw in self.process.stdout:
            self.raw_output.append(raw)
            self.lines.put(json.loads(raw))
        self.lines.put(None)

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for raw in self.process.stderr:
            self.log += raw


def plan_params(backend: str, *texts: str, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Parameters of `inference.plan` with what the user said."""
    return {
        "backend": {"name": backend, "settings": settings or {}},
        "system": "You are a careful deputy.",
        "messages": [{"role": "user", "text": text} for text in texts],
        "tools": [{"name": "search", "description": "Looks at files.", "parameters": {"type": "object"}}],
    }
