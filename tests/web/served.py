"""Serves the pages of an installed `miniwob` and the tests' own pages on loopback, and records the pages' rewards."""

from __future__ import annotations

import contextlib
import http.server
import importlib.util
import re
import threading
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

#: Makes the task the same each time, and reports what an episode was worth before time counts.
REPORT = """<script>
Math.seedrandom("%s");
(() => {
  const end = core.endEpisode;
  core.endEpisode = function (reward, ...rest) {
    const counts = core.EP_TIMER !== null;
    end.call(this, reward, ...rest);
    if (counts) fetch("/reward?" + reward, { keepalive: true });
  };
})();
</script></head>"""

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css",
    ".png": "image/png",
}


def pages() -> Path | None:
    """Returns the folder of `miniwob`'s pages.

    The package itself, which drives browsers in its own way, is not used.
    """
    found = importlib.util.find_spec("miniwob")
    places = found.submodule_search_locations if found else None
    return Path(places[0]) / "html" if places else None


class Site(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, root: Path | None, own: dict[str, str | bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.root = root
        self.own = own
        self.seed = "0"
        self.rewards: list[float] = []
        self.rewarded = threading.Event()
        #: What it was asked, but for what browsers ask by themselves.
        self.asked: list[str] = []

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def begin(self, seed: str) -> None:
        """Starts counting the rewards of a new episode."""
        self.seed = seed
        self.rewards = []
        self.rewarded.clear()

    def reward(self) -> float | None:
        """Returns the reward of the first episode since then. A page reports it shortly after the end."""
        self.rewarded.wait(1)
        return self.rewards[0] if self.rewards else None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Site

    def do_GET(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        if "favicon" not in self.path:
            self.server.asked.append(self.path)
        if url.path == "/reward":
            self.server.rewards.append(float(url.query))
            self.server.rewarded.set()
            return self.give(b"", "text/plain")
        if url.path in self.server.own:
            own = self.server.own[url.path]
            return (
                self.give(own, "application/pdf")
                if isinstance(own, bytes)
                else self.give(own.encode(), KINDS[".html"])
            )
        body = self.file(urllib.parse.unquote(url.path).lstrip("/"))
        if body is None:
            return self.give(b"no such page", "text/plain", 404)
        kind = KINDS.get(Path(url.path).suffix, "application/octet-stream")
        return self.give(body, kind)

    def file(self, name: str) -> bytes | None:
        root = self.server.root
        path = (root / name).resolve() if root else None
        if not root or not path or not path.is_relative_to(root) or not path.is_file():
            return None
        body = path.read_bytes()
        if path.suffix == ".html" and b"core/core.js" in body:
            report = (REPORT % self.server.seed).encode()
            body = re.sub(rb"</head>", lambda _: report, body, count=1)
        return body

    def give(self, body: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def serving(own: dict[str, str | bytes] | None = None) -> Iterator[Site]:
    site = Site(pages(), own or {})
    threading.Thread(target=site.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        site.shutdown()
        site.server_close()
