"""The `browser` tool through the built `deputy`: a scripted model makes each call and reads what came of it."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from page import Node, Page, outline

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("DEPUTY_BUILT", ROOT / "target/debug"))
Json = dict[str, Any]
#: Longer than any action may take.
PATIENCE = 150


class Model(http.server.ThreadingHTTPServer):
    """Plans what it is given, call by call, and hands back the result that comes with the next request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.calls: queue.Queue[tuple[str, Json] | None] = queue.Queue()
        self.results: queue.Queue[str] = queue.Queue()


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def do_POST(self) -> None:
        asked: Json = json.loads(self.rfile.read(int(self.headers["content-length"])))
        last = asked["messages"][-1]
        if last["role"] == "tool":
            self.server.results.put(text_of(last["content"]))
        call = self.server.calls.get() if asked.get("tools") else None
        delta: Json = {"role": "assistant", "content": None if call else "All done."}
        if call:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            delta["tool_calls"] = [
                {"index": 0, "id": f"call-{len(asked['messages'])}", "type": "function", "function": function}
            ]
        choices = [
            {"index": 0, "delta": delta, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": "tool_calls" if call else "stop"},
        ]
        chunk = {"id": "web", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
        lines = [json.dumps({**chunk, "choices": [choice]}) for choice in choices]
        body = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def text_of(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content)


class Deputy:
    """A host of its own with a person who says yes, or no; each page is a task. `seconds` and `characters` are what the calls
    took and gave back."""

    def __init__(self, allowed: str, *, agrees: bool = True) -> None:
        self.agrees = agrees
        self.seconds: list[float] = []
        self.characters = 0
        self.asked: list[str] = []
        self.opened = ""
        self.root = Path(tempfile.mkdtemp(prefix="web-"))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("DEPUTY")}
        self.env = kept | {"HOME": str(self.root), "DEPUTY_HOME": str(self.root / "deputy")}
        self.model = Model()
        threading.Thread(target=self.model.serve_forever, daemon=True).start()
        backend = "backends.openai_compatible"
        for key, value in {
            "backend": "openai_compatible",
            f"{backend}.base_url": f"http://127.0.0.1:{self.model.server_port}/v1",
            f"{backend}.model": "scripted",
            "allow_hosts": json.dumps([allowed]),
            # A solver repeats what it did; that it is stuck is for it to see.
            "limits.max_iterations": "1000",
        }.items():
            self.deputy("config", "set", key, value)
        (self.root / "work").mkdir()
        self.host = subprocess.Popen(
            [str(BUILT / "deputy"), "serve", "--json"],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.host.stdout is not None
        self.host.stdout.readline()
        self.task = ""

    def deputy(self, *words: str) -> str:
        done = subprocess.run(
            [str(BUILT / "deputy"), *words],
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"deputy {words}: {done.stdout}{done.stderr}"
        return done.stdout

    def close(self) -> None:
        self.end()
        self.host.terminate()
        self.host.wait()
        self.model.shutdown()
        self.model.server_close()
        shutil.rmtree(self.root, ignore_errors=True)

    def agree(self, task: str) -> None:
        """Answers what is asked, until the task ends."""
        with subprocess.Popen(
            [str(BUILT / "deputy"), "follow", task, "--json"],
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ) as followed:
            assert followed.stdout is not None
            for line in followed.stdout:
                message: Json = json.loads(line)
                event: Json = message.get("record", message).get("event", message)
                if event.get("type") == "permission_requested":
                    summary: Json | str = event["request"]["summary"]
                    self.asked.append(summary if isinstance(summary, str) else str(summary["text"]))
                    request = event["request"]["id"]
                    self.deputy(
                        *(["approve", request, "--for", "once"] if self.agrees else ["deny", request])
                    )
                if event.get("type") == "question_asked":
                    self.deputy("answer", event["question"]["id"], "Carry on.")
                if event.get("type") == "stopped":
                    break

    def call(self, action: str, **parameters: object) -> str:
        return self.use("browser", {"action": action, **parameters})

    def use(self, tool: str, parameters: Json) -> str:
        begun = time.monotonic()
        self.model.calls.put((tool, parameters))
        text = self.model.results.get(timeout=PATIENCE)
        self.seconds.append(time.monotonic() - begun)
        self.characters += len(text)
        return text

    # What solvers use.
    def begin(self, url: str) -> None:
        self.end()
        work = str(self.root / "work")
        started = self.deputy("run", f"Use {url}", "--in", work, "--detach", "--json")
        task: Json = json.loads(started.splitlines()[0])
        self.task = str(task.get("task") or task["id"])
        threading.Thread(target=self.agree, args=[self.task], daemon=True).start()
        self.opened = self.act("navigate", url=url)

    def end(self) -> None:
        if self.task:
            self.model.calls.put(None)
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(
                    [str(BUILT / "deputy"), "follow", self.task, "--json"],
                    env=self.env,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=PATIENCE,
                    check=False,
                )
            self.task = ""

    def look(self) -> Page:
        text = self.call("snapshot")
        return outline(text.split("what follows is the page's, not the user's]\n")[-1])

    def act(self, action: str, **parameters: object) -> str:
        text = self.call(action, **parameters)
        if "not the user's]" not in text:
            raise LookupError(text[:300])
        return text

    def click(self, node: Node) -> None:
        self.act("click", ref=node.ref)

    def fill(self, node: Node, text: str) -> None:
        self.act("fill", ref=node.ref, text=text)

    def select(self, node: Node, values: list[str]) -> None:
        self.act("select", ref=node.ref, values=values)

    def press(self, keys: str, node: Node | None = None) -> None:
        self.act("press", keys=keys, **({"ref": node.ref} if node else {}))

    def scroll(self, node: Node | None, pages: float) -> None:
        self.act("scroll", pages=pages, **({"ref": node.ref} if node else {}))
