"""Solves MiniWoB tasks from the text of a page, with the basic actions of a browser.

A solver reads the task's sentence from the page, as an agent does. It knows the structure of the task's pages, but
never the answer. It only looks, clicks, fills in, chooses, presses keys and scrolls.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from datetime import datetime
from typing import Protocol, TypeVar

from page import Node, Page


class Browser(Protocol):
    def look(self) -> Page: ...
    def click(self, node: Node) -> None: ...
    def fill(self, node: Node, text: str) -> None: ...
    def select(self, node: Node, values: list[str]) -> None: ...
    def press(self, keys: str, node: Node | None = None) -> None: ...
    def scroll(self, node: Node | None, pages: float) -> None: ...


T = TypeVar("T")
Solver = Callable[[Browser, Page], None]
SOLVERS: dict[str, Solver] = {}
FIELD = "textbox|searchbox|spinbutton"


def solves(*tasks: str) -> Callable[[Solver], Solver]:
    def keep(solver: Solver) -> Solver:
        SOLVERS.update(dict.fromkeys(tasks, solver))
        return solver

    return keep


def find(pattern: str, page: Page) -> tuple[str, ...]:
    """Returns the groups of a pattern in the page's text."""
    found = re.search(pattern, page.text)
    if not found:
        raise LookupError(f"{pattern} is not in: {page.text[:200]}")
    return found.groups()


#: How often a page is looked at until it shows what it is about to show.
LOOKS = 20


def still(b: Browser) -> Page:
    """Returns the page once it has stopped changing."""
    page = b.look()
    for _ in range(LOOKS):
        now = b.look()
        if now == page:
            break
        page = now
    return page


def seen(b: Browser, finds: Callable[[Page], T | None]) -> T:
    """Returns an element of the page, waiting until it appears."""
    for _ in range(LOOKS):
        found = finds(b.look())
        if found is not None:
            return found
    raise LookupError("the page does not show it")


def submit(b: Browser, page: Page, name: str = "Submit") -> None:
    b.click(page.one("button", name))


def link(page: Page, name: str) -> Node | None:
    """Returns what to click by its label: the last match, because the task's sentence may contain the label too."""
    return next((node for node in reversed(page.all("clickable|link|text|listitem", name))), None)


@solves("click-test")
def _(b: Browser, page: Page) -> None:
    submit(b, page, "Click Me!")


@solves("click-test-2", "click-test-transfer", "click-button", "unicode-test")
def _(b: Browser, page: Page) -> None:
    (name,) = find(r'[Cc]lick (?:on the "|button )(.*?)(?:" button)?\. ?', page)
    submit(b, page, name.strip())


@solves("click-button-sequence")
def _(b: Browser, page: Page) -> None:
    submit(b, page, "ONE")
    submit(b, page, "TWO")


@solves("button-delay")
def _(b: Browser, page: Page) -> None:
    (seconds,) = find(r"wait (\d+) second", page)
    submit(b, page, "ONE")
    # The task is to wait this long. Each look takes part of the time.
    over = time.monotonic() + int(seconds) + 0.2
    while time.monotonic() < over:
        b.look()
    submit(b, page, "TWO")


@solves("click-dialog", "click-dialog-2")
def _(b: Browser, page: Page) -> None:
    (name,) = find(r'"(\w+)"', page)
    submit(b, page, "Close" if name == "x" else name)


@solves("click-link")
def _(b: Browser, page: Page) -> None:
    (word,) = find(r'the link "(.*?)"', page)
    node = link(page, word)
    if not node:
        raise LookupError(f"no link {word}")
    b.click(node)


@solves("click-tab")
def _(b: Browser, page: Page) -> None:
    (name,) = find(r"on (Tab ?#\d)", page)
    b.click(page.one("link|tab", name))


@solves("click-tab-2", "click-tab-2-easy", "click-tab-2-medium", "click-tab-2-hard")
def _(b: Browser, page: Page) -> None:
    (word,) = find(r'the link "(.*?)"', page)
    tabs = [node for node in page.all("link") if re.fullmatch(r"(Tab #)?\d", node.name)]
    for tab in tabs:
        b.click(tab)
        if node := link(b.look(), word):
            return b.click(node)
    raise LookupError(f"no link {word}")


@solves("click-collapsible", "click-collapsible-nodelay")
def _(b: Browser, page: Page) -> None:
    b.click(next(node for node in page.all("tab") if "Section" in node.name))
    submit(b, still(b))


@solves("click-collapsible-2", "click-collapsible-2-nodelay")
def _(b: Browser, page: Page) -> None:
    (word,) = find(r'the link "(.*?)"', page)
    for tab in [node for node in page.all("tab") if "Section" in node.name]:
        b.click(tab)
        if node := link(still(b), word):
            return b.click(node)
    raise LookupError(f"no link {word}")


@solves("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer")
def _(b: Browser, page: Page) -> None:
    (names,) = find(r"Select (.*?) and click Submit", page)
    for name in [] if names == "nothing" else names.split(", "):
        b.click(page.one("checkbox", name))
    submit(b, page)


@solves("click-option")
def _(b: Browser, page: Page) -> None:
    (name,) = find(r"Select (.*?) and click Submit", page)
    b.click(page.one("radio", name))
    submit(b, page)


@solves("choose-list")
def _(b: Browser, page: Page) -> None:
    (name,) = find(r"Select (.*?) from the list", page)
    b.select(page.one("combobox"), [name])
    submit(b, page)


@solves("click-scroll-list")
def _(b: Browser, page: Page) -> None:
    (names,) = find(r"Select (.*?) from the scroll list", page)
    b.select(page.one("listbox"), names.split(", "))
    submit(b, page)


@solves("click-widget")
def _(b: Browser, page: Page) -> None:
    (kind,) = find(r'Click on a "(.*?)" widget', page)
    roles = {"button": "button", "checkbox": "checkbox", "radio": "radio"}
    # The page does not say which field is the textarea. It is the one that contains text.
    fields = sorted(page.all(FIELD), key=lambda node: len(node.value), reverse=kind == "textarea")
    b.click(page.one(roles[kind]) if kind in roles else fields[0])


@solves("enter-text", "enter-text-dynamic")
def _(b: Browser, page: Page) -> None:
    (text,) = find(r'Enter "(.*?)" into', page)
    b.fill(page.one(FIELD), text)
    submit(b, page)


@solves("enter-text-2")
def _(b: Browser, page: Page) -> None:
    text, case = find(r'Type "(.*?)" in all (upper|lower) case', page)
    b.fill(page.one(FIELD), text.upper() if case == "upper" else text.lower())
    submit(b, page)


@solves("enter-password")
def _(b: Browser, page: Page) -> None:
    (text,) = find(r'the password "(.*?)" into', page)
    for field in page.all(FIELD):
        b.fill(field, text)
    submit(b, page)


@solves("login-user", "login-user-popup")
def _(b: Browser, page: Page) -> None:
    wanted = find(r'username "(.*?)" and the password "(.*?)"', page)
    for nth in (0, 1):
        for _ in range(2):
            with contextlib.suppress(LookupError):
                b.fill(page.one(FIELD, nth=nth), wanted[nth])
            page = b.look()
            if not page.has("button", "Cancel"):
                break
            submit(b, page, "Cancel")
            page = b.look()
    b.click(page.one("button"))


@solves("focus-text", "focus-text-2")
def _(b: Browser, page: Page) -> None:
    nth = re.search(r"(\d)(st|nd|rd|th) ", page.text)
    b.click(page.one(FIELD, nth=int(nth[1]) - 1 if nth else 0))


@solves("enter-date")
def _(b: Browser, page: Page) -> None:
    (text,) = find(r"Enter ([\d/]+) as", page)
    b.fill(page.one(FIELD), datetime.strptime(text, "%m/%d/%Y").strftime("%Y-%m-%d"))
    submit(b, page)


@solves("enter-time")
def _(b: Browser, page: Page) -> None:
    (text,) = find(r"Enter (\d+:\d\d.[AP]M) as", page)
    at = datetime.strptime(text.replace("\u202f", " "), "%I:%M %p").strftime("%H:%M")
    b.fill(page.one(FIELD), at)
    submit(b, page)


@solves("copy-paste", "copy-paste-2")
def _(b: Browser, page: Page) -> None:
    fields = page.all(FIELD)
    nth = re.search(r"(\d)(st|nd|rd|th) text area", page.text)
    b.fill(fields[-1], fields[int(nth[1]) - 1 if nth else 0].value)
    submit(b, page)


@solves("find-word")
def _(b: Browser, page: Page) -> None:
    (nth,) = find(r"Find the (\d+)", page)
    text = page.nodes[page.index(page.one(FIELD)) - 1].name
    b.fill(page.one(FIELD), re.sub(r"[,.]", "", text.split()[int(nth) - 1]))
    submit(b, page)


@solves("find-greatest")
def _(b: Browser, page: Page) -> None:
    cards = [node for node in page.all("clickable|text") if re.fullmatch(r"-?\d+", node.name)]
    b.click(max(cards, key=lambda node: int(node.name)))
    submit(b, page)


def cells(page: Page) -> list[str]:
    return [node.name for node in page.nodes if node.role in ("text", "clickable")]


@solves("read-table")
def _(b: Browser, page: Page) -> None:
    (key,) = find(r"the value of (.*?) into", page)
    said = cells(page)
    # The sentence contains the name before the table does.
    at = max(at for at, name in enumerate(said) if name == key)
    b.fill(page.one(FIELD), said[at + 1])
    submit(b, page)


@solves("read-table-2")
def _(b: Browser, page: Page) -> None:
    said = cells(page)
    for field in page.all(FIELD):
        key = field.name or page.nodes[page.index(field) - 1].name
        b.fill(field, said[said.index(key.strip().rstrip(":")) + 1])
    submit(b, page)


@solves("scroll-text")
def _(b: Browser, page: Page) -> None:
    fields = page.all(FIELD)
    b.fill(fields[-1], re.sub(r"[,.]", "", fields[0].value.split()[-1]))
    submit(b, page)


@solves("scroll-text-2")
def _(b: Browser, page: Page) -> None:
    (end,) = find(r"to the (top|bottom)", page)
    b.scroll(page.one(FIELD), 50 if end == "bottom" else -50)
    submit(b, page)


@solves("simple-algebra")
def _(b: Browser, page: Page) -> None:
    left, sign, right, result = find(r"(x|\d+) ([+-]) (x|\d+) = (-?\d+)", page)
    total = int(result)
    if left == "x":
        x = total - int(right) if sign == "+" else total + int(right)
    else:
        x = total - int(left) if sign == "+" else int(left) - total
    b.fill(page.one(FIELD), str(x))
    submit(b, page)


@solves("simple-arithmetic")
def _(b: Browser, page: Page) -> None:
    left, sign, right = find(r"(\d+) ([x+-]) (\d+) =", page)
    of = {"x": int.__mul__, "+": int.__add__, "-": int.__sub__}[sign]
    b.fill(page.one(FIELD), str(of(int(left), int(right))))
    submit(b, page)


@solves("text-transform")
def _(b: Browser, page: Page) -> None:
    field = page.one(FIELD)
    before = page.nodes[: page.index(field)]
    letters = [node.name for node in before if len(node.name) == 1]
    b.fill(field, "".join(letters) or before[-1].name)
    submit(b, page)


@solves("use-autocomplete", "use-autocomplete-nodelay")
def _(b: Browser, page: Page) -> None:
    begins, ends = find(r'starts with "(.*?)"(?: and ends with "(.*?)")?', page)
    field = page.one(FIELD + "|combobox")
    b.fill(field, begins)
    b.press("ArrowDown", field)

    def choice(page: Page) -> Node | None:
        fits = [n for n in page.nodes if n.ref and n.name.startswith(begins) and n.name.endswith(ends or "")]
        return next((node for node in fits if node.role not in FIELD), None)

    b.click(seen(b, choice))
    submit(b, b.look())


@solves("use-spinner")
def _(b: Browser, page: Page) -> None:
    (number,) = find(r"Select (-?\d+) with", page)
    n, field = int(number), page.one(FIELD)
    if n:
        b.press(" ".join(["ArrowUp" if n > 0 else "ArrowDown"] * abs(n)), field)
    submit(b, page)


def handles(page: Page) -> list[Node]:
    return page.all("slider") or [
        node for node in page.all("clickable|generic|link") if "slider" in node.name
    ]


def slide(b: Browser, handle: Node, by: int) -> None:
    b.click(handle)
    if by:
        b.press(" ".join(["ArrowRight" if by > 0 else "ArrowLeft"] * abs(by)))


@solves("use-slider")
def _(b: Browser, page: Page) -> None:
    (wanted,) = find(r"Select (-?\d+) with", page)
    at = [int(node.name) for node in page.nodes if re.fullmatch(r"-?\d+", node.name)]
    slide(b, handles(page)[0], int(wanted) - at[0])
    submit(b, page)


@solves("use-slider-2")
def _(b: Browser, page: Page) -> None:
    (wanted,) = find(r"combination \[(.*?)\]", page)
    at = [int(node.name) for node in page.nodes if re.fullmatch(r"-?\d+", node.name)]
    for handle, now, then in zip(handles(page), at, wanted.split(","), strict=False):
        slide(b, handle, int(then) - now)
    submit(b, page)


@solves("form-sequence")
def _(b: Browser, page: Page) -> None:
    wanted, nth = find(r"Select (-?\d+) with the slider, click the (\d)", page)
    at = [int(node.name) for node in page.nodes if re.fullmatch(r"-?\d+", node.name)]
    slide(b, handles(page)[0], int(wanted) - at[0])
    b.click(page.one("checkbox", nth=int(nth) - 1))
    submit(b, page)


@solves("form-sequence-2")
def _(b: Browser, page: Page) -> None:
    radio, number, field = find(
        r'Check the (\d)\w+ radio button and enter the number "(-?\d+)" into the (\d)', page
    )
    b.click(page.one("radio", nth=int(radio) - 1))
    b.fill(page.one(FIELD, nth=int(field) - 1), number)
    submit(b, page)


@solves("form-sequence-3")
def _(b: Browser, page: Page) -> None:
    height, name = find(r'Choose (.*?) from the dropdown, then click the button labeled "(.*?)"', page)
    b.select(page.one("combobox"), [height])
    submit(b, page, name)
