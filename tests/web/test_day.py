"""A user's day with the browser, through the built program.

The user searches a site, signs in, orders, saves and sends files, sends a form to another site, takes over the
browser, and continues after a restart of the host.
"""

from __future__ import annotations

import contextlib
import http.server
import os
import re
import subprocess
import threading
import urllib.parse
from collections.abc import Iterator

import pytest
from deputy_browser import Deputy
from page import Node

PASSWORD = "correct horse battery"
REPORT = b"month,euro\nMay,12\n"


class Site(http.server.ThreadingHTTPServer):
    """A site with a search, a login and orders; or one that receives data from other sites."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        #: Where its form for a newsletter goes.
        self.letters = ""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Site

    def do_GET(self) -> None:
        self.answer("")

    def do_POST(self) -> None:
        self.answer(self.rfile.read(int(self.headers["content-length"])).decode(errors="replace"))

    def answer(self, body: str) -> None:
        url = urllib.parse.urlsplit(self.path)
        if "favicon" not in self.path:
            self.server.asked.append(f"{self.command} {self.path} {body}".strip())
        signed_in = "session=1" in self.headers.get("cookie", "")
        given = urllib.parse.parse_qs(body)
        match url.path:
            case "/":
                words = "<a href=/login>Sign in</a><p>We sell fruit.</p>"
                self.page(
                    f"<title>Fruit</title>{words}<form action=/search><input name=q aria-label=Search></form>"
                )
            case "/search":
                query = urllib.parse.parse_qs(url.query)["q"][0]
                found = "<article><h2>Quince</h2><p>Hard, yellow, good in jelly.</p></article>"
                self.page(
                    f"<title>Found</title><h1>Results for {query}</h1>{found}<a href=/login>Sign in</a>"
                )
            case "/login" if body:
                right = given.get("password") == [PASSWORD]
                self.go("/orders" if right else "/login", "session=1; Path=/" if right else "")
            case "/login":
                self.page(
                    "<title>Sign in</title><form method=post><input name=user aria-label=User>"
                    "<input type=password name=password aria-label=Password><button>Sign in</button></form>"
                )
            case "/orders" if not signed_in:
                self.go("/login", "")
            case "/orders":
                letters = f"<form action={self.server.letters}/subscribe method=post><input name=mail aria-label=Mail><button>Subscribe</button></form>"
                self.page(
                    "<title>Orders</title><h1>Your orders</h1><a href=/report.csv download>Report</a>"
                    "<form action=/order method=post><input name=fruit aria-label=Fruit><button>Order</button></form>"
                    "<form action=/proof method=post enctype=multipart/form-data><input type=file name=proof aria-label=Proof><button>Send</button></form>"
                    + letters
                )
            case "/report.csv":
                self.give(REPORT, "text/csv")
            case _:
                self.page(
                    f"<title>Thanks</title><h1>Thanks</h1><p>Got {len(body)} characters.</p><a href=/orders>Orders</a>"
                )

    def page(self, html: str) -> None:
        self.give(html.encode(), "text/html; charset=utf-8")

    def go(self, to: str, cookie: str) -> None:
        self.send_response(303)
        self.send_header("location", to)
        if cookie:
            self.send_header("set-cookie", cookie)
        self.send_header("content-length", "0")
        self.end_headers()

    def give(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def sites() -> Iterator[tuple[Site, Site]]:
    with contextlib.ExitStack() as up:
        both = (Site(), Site())
        for site in both:
            threading.Thread(target=site.serve_forever, daemon=True).start()
            up.callback(site.server_close)
            up.callback(site.shutdown)
        both[0].letters = both[1].origin
        yield both


@pytest.fixture
def display() -> Iterator[None]:
    """Yields a virtual display, for the window that the user works in."""
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert server.stdout is not None
    before = os.environ.get("DISPLAY")
    os.environ["DISPLAY"] = f":{server.stdout.readline().decode().strip()}"
    try:
        yield
    finally:
        if before is None:
            del os.environ["DISPLAY"]
        else:
            os.environ["DISPLAY"] = before
        server.terminate()
        server.wait()


@pytest.mark.usefixtures("display")
def test_a_day_with_the_browser(sites: tuple[Site, Site]) -> None:
    shop, letters = sites
    agent = Deputy(shop.origin)
    work = agent.root / "work"
    (work / "proof.txt").write_text("paid")
    try:
        # Searches and reads.
        agent.begin(f"{shop.origin}/")
        assert agent.asked == []
        agent.press("Enter", filled(agent, "Search", "quince"))
        assert "Hard, yellow, good in jelly." in agent.call("extract_text")
        assert "GET /search?q=quince" in shop.asked

        # Signs in: the field makes the password ask for approval, and no result contains the password.
        agent.click(agent.look().one("link", "Sign in"))
        filled(agent, "User", "ada")
        shown = agent.act("fill", ref=agent.look().one("textbox", "Password").ref, text=PASSWORD)
        assert agent.asked.pop() == f'Fill textbox "Password" on {shop.origin}'
        assert PASSWORD not in shown
        assert PASSWORD not in agent.call("snapshot")
        agent.click(agent.look().one("button", "Sign in"))
        assert "Your orders" in agent.look().text
        assert f"POST /login user=ada&password={PASSWORD.replace(' ', '+')}" in shop.asked

        # Orders on the same origin, without asking.
        filled(agent, "Fruit", "quince")
        agent.click(agent.look().one("button", "Order"))
        assert shop.asked[-1] == "POST /order fruit=quince"
        assert agent.asked == []

        # Saves a file, and sends one.
        agent.click(agent.look().one("link", "Orders"))
        saved = agent.call("download", ref=agent.look().one("link", "Report").ref, to="report.csv")
        assert "Saved report.csv" in saved
        assert (work / "report.csv").read_bytes() == REPORT
        agent.asked.clear()
        agent.act("upload", ref=agent.look().one("button", "Proof").ref, paths=["proof.txt"])
        assert agent.asked.pop() == f'Upload proof.txt to button "Proof" on {shop.origin}'
        agent.click(agent.look().one("button", "Send"))
        assert shop.asked[-1].startswith("POST /proof ")
        assert "paid" in shop.asked[-1]

        # A form to another origin asks, and is sent there once.
        agent.click(agent.look().one("link", "Orders"))
        filled(agent, "Mail", "ada@example.org")
        agent.click(agent.look().one("button", "Subscribe"))
        assert agent.asked == [
            f'Click button "Subscribe" on {shop.origin}, which sends a form to {letters.origin}'
        ]
        assert letters.asked == ["POST /subscribe mail=ada%40example.org"]
        agent.asked.clear()
        assert "Thanks" in agent.look().text

        # The user takes over the browser and gives it back, and is still signed in.
        agent.act("navigate", url=f"{shop.origin}/orders")
        taken = agent.home.deputy("browser", "take", agent.task)
        assert taken.returncode == 0, taken.stderr
        returned = agent.home.deputy("browser", "return", agent.task)
        assert returned.returncode == 0, returned.stderr
        after = agent.call("snapshot")
        assert "The user had this browser in the meantime" in after
        assert "Your orders" in after

        # The host is restarted: the last address is loaded again, and the result says so.
        agent.restart()
        again = agent.call("snapshot")
        assert "Its last page was loaded again" in again
        assert "Sign in" in again
        assert letters.asked == ["POST /subscribe mail=ada%40example.org"]
        story = agent.home.deputy("show", agent.task).stdout
        assert PASSWORD not in story, "the story shows the password"
        connected = next(line for line in story.splitlines() if "Connected to" in line)
        assert letters.origin.removeprefix("http://") in connected, story
        events = agent.home.deputy("--json", "show", agent.task).stdout
        pictures = re.findall(r'"aimed":\s*{', events)
        assert len(pictures) >= 8, f"{len(pictures)} pictures before actions"
    finally:
        agent.close()


def filled(agent: Deputy, name: str, text: str) -> Node:
    """Fills the field with this name. Returns the field."""
    field = agent.look().one("textbox", name)
    agent.fill(field, text)
    return field
