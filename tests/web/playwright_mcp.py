"""A client for Playwright's MCP server, over its standard input and output as an agent uses it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from page import Node, Page, aria

#: The server's program, e.g. `node_modules/@playwright/mcp/cli.js` of a folder of its own.
PROGRAM = os.environ.get("PLAYWRIGHT_MCP", "")


class Playwright:
    """A server with a browser. `seconds` and `characters` are the duration and result size of the calls."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="playwright-mcp-")
        self.seconds: list[float] = []
        self.characters = 0
        self.number = 0
        self.process = subprocess.Popen(
            [
                "node",
                PROGRAM,
                "--headless",
                "--isolated",
                "--no-sandbox",
                "--executable-path",
                "/usr/bin/chromium",
            ],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "tests", "version": "1"},
        }
        self.ask("initialize", hello)
        self.tell({"method": "notifications/initialized", "params": {}})

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tell(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self.number += 1
        self.tell({"id": self.number, "method": method, "params": params})
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer.get("result") or answer
        raise RuntimeError("the server has ended")

    def tools(self) -> str:
        return json.dumps(self.ask("tools/list", {})["tools"])

    def call(self, tool: str, **arguments: object) -> str:
        begun = time.monotonic()
        result = self.ask("tools/call", {"name": f"browser_{tool}", "arguments": arguments})
        self.seconds.append(time.monotonic() - begun)
        text = "\n".join(part.get("text", "") for part in result["content"])
        # The page's new state is in a file that the agent has to read.
        linked = re.search(r"\[Snapshot\]\(([^)]+)\)", text)
        if linked:
            text += (Path(self.folder) / linked[1]).read_text()
        self.characters += len(text)
        if result.get("isError"):
            raise LookupError(text[:300])
        return text

    # The interface for solvers.
    def begin(self, url: str) -> None:
        self.call("navigate", url=url)

    def end(self) -> None:
        pass

    def look(self) -> Page:
        text = self.call("snapshot")
        return aria(text.split("```yaml\n")[-1].split("```")[0])

    def click(self, node: Node) -> None:
        self.call("click", element=node.name or node.role, target=node.ref)

    def fill(self, node: Node, text: str) -> None:
        self.call("type", element=node.name or node.role, target=node.ref, text=text)

    def select(self, node: Node, values: list[str]) -> None:
        self.call("select_option", element=node.name or node.role, target=node.ref, values=values)

    def press(self, keys: str, node: Node | None = None) -> None:
        if node:
            self.click(node)
        for key in keys.split():
            self.call("press_key", key=key)

    def scroll(self, node: Node | None, pages: float) -> None:
        if node:
            self.click(node)
        self.call("press_key", key="Control+End" if pages > 0 else "Control+Home")
