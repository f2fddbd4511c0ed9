"""Drives the `browser` tool through the built `deputy`: a scripted model makes each call and reads its result."""

from __future__ import annotations

import contextlib
import json
import queue
import shutil
import tempfile
import threading
import time
from pathlib import Path

from drive import Home, Json, Model, said
from page import Node, Page, outline

#: Longer than any action may take.
PATIENCE = 150


class Calls:
    """Lets a model make one call after the other, and returns the result from the next request."""

    def __init__(self) -> None:
        self.next: queue.Queue[tuple[str, Json] | None] = queue.Queue()
        self.results: queue.Queue[str] = queue.Queue()

    def plan(self, messages: list[Json]) -> list[tuple[str, Json]]:
        # If three identical calls made Deputy ask whether to continue, the user's answer follows the result.
        for message in reversed(messages):
            if message["role"] == "tool":
                self.results.put(text_of(message["content"]))
            if message["role"] in {"tool", "assistant"}:
                break
        call = self.next.get()
        return [call] if call else []


def text_of(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content)


class Deputy:
    """A host with a user who approves or denies everything.

    Each page is a task. `seconds` and `characters` are the duration and result size of the calls.
    """

    def __init__(self, allowed: str, *, agrees: bool = True) -> None:
        self.agrees = agrees
        self.seconds: list[float] = []
        self.characters = 0
        self.asked: list[str] = []
        self.answered: set[str] = set()
        self.opened = ""
        self.root = Path(tempfile.mkdtemp(prefix="web-"))
        (self.root / "work").mkdir()
        self.home = Home(self.root, self.root)
        self.calls = Calls()
        self.up = contextlib.ExitStack()
        self.up.callback(shutil.rmtree, self.root, ignore_errors=True)
        self.home.ask(self.up.enter_context(Model(self.calls.plan).up()))
        # Solvers repeat their calls, and detect themselves when they are stuck.
        self.home.set(**{"allow_hosts": json.dumps([allowed]), "limits.max_iterations": "1000"})
        self.host = contextlib.ExitStack()
        self.up.callback(lambda: self.host.close())
        self.host.enter_context(self.home.serving())
        self.task = ""
        self.answering = threading.Thread()

    def close(self) -> None:
        self.end()
        self.up.close()

    def restart(self) -> None:
        """Restarts the host. The task continues where it was."""
        self.host.close()
        # The pending request of the model is abandoned.
        self.calls.next.put(None)
        self.host.enter_context(self.home.serving())
        self.answering = threading.Thread(target=self.agree, args=[self.task], daemon=True)
        self.answering.start()
        # The task asks its model again, with the result that it had.
        self.calls.results.get(timeout=PATIENCE)

    def agree(self, task: str) -> None:
        """Answers requests until the task ends."""
        for event in self.home.follow(task):
            if event.get("type") == "permission_requested":
                request = event["request"]["id"]
                # A restarted host sends the whole journal.
                if request in self.answered:
                    continue
                self.answered.add(request)
                self.asked.append(said(event["request"]["summary"]))
                words = ["approve", request, "--for", "once"] if self.agrees else ["deny", request]
                done = self.home.deputy(*words)
                assert done.returncode == 0, done.stderr
            if event.get("type") == "question_asked":
                self.home.deputy("answer", event["question"]["id"], "Carry on.")

    def call(self, action: str, **parameters: object) -> str:
        return self.use("browser", {"action": action, **parameters})

    def use(self, tool: str, parameters: Json) -> str:
        begun = time.monotonic()
        self.calls.next.put((tool, parameters))
        text = self.calls.results.get(timeout=PATIENCE)
        self.seconds.append(time.monotonic() - begun)
        self.characters += len(text)
        return text

    # The interface for solvers.
    def begin(self, url: str) -> None:
        self.end()
        self.task = self.home.start(f"Use {url}", self.root / "work")
        self.answering = threading.Thread(target=self.agree, args=[self.task], daemon=True)
        self.answering.start()
        self.opened = self.act("navigate", url=url)

    def end(self) -> None:
        if self.task:
            self.calls.next.put(None)
            # It ends after reading that the task has stopped.
            self.answering.join(PATIENCE)
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
