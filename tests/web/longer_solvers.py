"""Solvers for MiniWoB tasks with several steps: games, lists over pages, mail, shops, dates, flights."""

from __future__ import annotations

import contextlib
import re

from page import Node, Page
from solvers import FIELD, Browser, find, link, seen, solves, still, submit


@solves("generate-number")
def _(b: Browser, page: Page) -> None:
    text = page.text
    for _ in range(12):
        submit(b, page, "Generate")
        page = b.look()
        shown = [int(node.name) for node in page.nodes if re.fullmatch(r"\d+", node.name)]
        less, more = re.search(r"less than (\d+)", text), re.search(r"greater than (\d+)", text)
        if less:
            fits = shown[0] < int(less[1])
        elif more:
            fits = shown[0] > int(more[1])
        else:
            fits = shown[0] % 2 == (1 if "odd" in text else 0)
        if fits:
            return submit(b, page)
    return None


@solves("guess-number")
def _(b: Browser, page: Page) -> None:
    low, high = 0, 9
    while low <= high:
        guess = (low + high) // 2
        b.fill(page.one(FIELD), str(guess))
        submit(b, page)
        page = b.look()
        if "is higher than" in page.text:
            low = guess + 1
        elif "is lower than" in page.text:
            high = guess - 1
        else:
            return


@solves("odd-or-even")
def _(b: Browser, page: Page) -> None:
    for node in [node for node in page.nodes if re.fullmatch(r"-?\d+", node.name)]:
        around = page.nodes[: page.index(node)], page.nodes[page.index(node) + 1 :]
        if int(node.name) % 2:
            b.click(next(n for n in reversed(around[0]) if n.name == "Odd"))
        else:
            b.click(next(n for n in around[1] if n.name == "Even"))
    submit(b, page)


@solves("phone-book")
def _(b: Browser, page: Page) -> None:
    name, kind = find(r"Find (\w+) in the contact book and click on their (\w+)", page)
    for _ in range(5):
        if page.text.count(name) > 1:
            break
        b.click(page.one("link", ">"))
        page = b.look()
    label = page.index(page.saying({"phone": "Phone:", "email": "Email:", "address": "Address:"}[kind]))
    b.click(next(node for node in page.nodes[label:] if node.ref and not node.name.endswith(":")))


@solves("search-engine")
def _(b: Browser, page: Page) -> None:
    name, nth = find(r'to enter "(.*?)" and press "Search", then find and click the (\d+)', page)
    b.fill(page.one(FIELD), name)
    submit(b, page, "Search")
    page, left = b.look(), int(nth) - 1
    while left >= 3:
        b.click(page.one("link", ">"))
        page, left = b.look(), left - 3
    results = [node for node in page.all("link") if re.fullmatch(r"[A-Za-z]+", node.name)]
    b.click(results[left])


@solves("sign-agreement")
def _(b: Browser, page: Page) -> None:
    (what,) = find(r"Click the (cancel|agree) button", page) if "Click the" in page.text else ("agree",)
    area = page.one(FIELD)
    if what == "agree":
        b.scroll(area, 50)
        page = b.look()
    b.click(next(node for node in page.all("button") if what in node.name.lower()))


@solves("social-media", "social-media-all", "social-media-some")
def _(b: Browser, page: Page) -> None:
    every = re.search(r"on (all|\d+) posts? by (@\w+)", page.text)
    if every:
        wanted, user, action = every[1], every[2], "like"
    else:
        user, action = find(r'the user (@\w+) ?, click on the "(.*?)" button', page)
        wanted = "1"
    action = action.lower()
    posts = [node for node in page.nodes if user in node.name and node is not page.nodes[0]]
    posts = [node for node in posts if "Click the" not in node.name and "For the user" not in node.name]
    posts = [node for node in posts if not re.fullmatch(r"(Mute|Block) @\w+", node.name)]
    # The sentence may be split into pieces, one of which is just the user.
    if len(posts) > 1 and page.index(posts[0]) < 4:
        posts = posts[1:]
    for post in posts if wanted == "all" else posts[: int(wanted)]:
        below = page.nodes[page.index(post) + 1 :]
        if action in ("reply", "retweet", "like"):
            b.click(next(node for node in below if node.ref and node.name.lower() == action))
        else:
            b.click(next(node for node in below if node.ref and node.name.lower() == "more"))
            now = b.look()
            b.click(next(node for node in now.nodes if node.ref and node.name.lower().startswith(action)))
    if every:
        submit(b, page)


@solves("stock-market")
def _(b: Browser, page: Page) -> None:
    (limit,) = find(r"less than \$([\d.]+)\d\b", page)
    for _ in range(40):
        (price,) = find(r"Stock price: \$([\d.]+)", page)
        if float(price) < float(limit):
            return submit(b, page, "Buy")
        page = b.look()
    return None


@solves("terminal")
def _(b: Browser, page: Page) -> None:
    field = page.one(FIELD)

    def enter(words: str) -> None:
        b.press(" ".join("Space" if c == " " else c for c in words) + " Enter", field)

    ending = re.search(r"ends? with the (?:file )?extension (\.?[\w.]+\w)", page.text)
    enter("ls")
    said = b.look().text
    files = re.findall(
        r"(?<![\w.$/])([a-z]+(?:\.[a-z.]*[a-z])?)(?![\w./$])", said.split("ls", 1)[1].split("user$")[0]
    )
    fits = [f for f in files if (f.endswith(ending[1]) if ending else "." not in f)]
    enter("rm " + fits[0])


@solves("tic-tac-toe")
def _(b: Browser, page: Page) -> None:
    spaces = page.all("clickable")[:9]
    for at in (4, 0, 2, 6, 8, 1, 3, 5, 7):
        b.click(spaces[at])


@solves("navigate-tree")
def _(b: Browser, page: Page) -> None:
    (name,) = find(r'named "(.*?)"', page)
    opened: set[str] = set()
    for _ in range(12):
        if node := link(page, name):
            return b.click(node)
        folder = next(
            n
            for n in page.all("clickable|text|listitem")
            if n.name and n.name not in opened and n.name != "START"
        )
        opened.add(folder.name)
        b.click(folder)
        page = b.look()
    return None


@solves("multi-layouts", "multi-orderings")
def _(b: Browser, page: Page) -> None:
    genre, director, year = find(r"Search for (.*?) movies directed by (.*?) from year (\d+)", page)
    words = {"genre": genre, "director": director, "year": year, "date": year}
    for field in page.all(FIELD):
        before = " ".join([*(node.name for node in page.nodes[: page.index(field)]), field.name]).lower()
        last = max(words, key=before.rfind)
        b.fill(field, words[last])
    done = [
        n
        for n in page.nodes
        if n.ref and n.name in ("Submit", "Search", "Go!", "Find Movies", "Search Movies")
    ]
    b.click(done[-1] if done else page.all("button")[-1])


def email(b: Browser, page: Page, by: str) -> Page:
    thread = next(n for n in page.nodes if n.ref and n.name.split(" ")[0] == by and "Find" not in n.name)
    b.click(thread)
    return still(b)


@solves(
    "email-inbox",
    "email-inbox-delete",
    "email-inbox-important",
    "email-inbox-noscroll",
    "email-inbox-reply",
    "email-inbox-forward",
    "email-inbox-star-reply",
    "email-inbox-forward-nl",
)
def _(b: Browser, page: Page) -> None:
    by = re.search(r"email by (\w+)", page.text) or re.search(r"from (\w+)", page.text)
    text = page.text
    assert by
    page = email(b, page, by[1])
    icon = "trash" if "trash" in text else "star" if "star" in text else ""
    if icon:
        return b.click(page.one(name=icon))
    b.click(page.all(name="Reply" if "reply" in text else "Forward")[-1])
    page = still(b)
    if said := re.search(r'with the text "(.*?)"', text):
        b.fill(page.all(FIELD)[-1], said[1])
    else:
        (to,) = re.search(r"(?:forward (?:that|the) email to|Send to) (\w+)", text).groups()  # type: ignore[union-attr]
        b.fill(page.all(FIELD)[0], to)
    b.click(page.one(name="send-reply" if said else "send-forward"))
    return None


def minutes(text: str) -> int:
    hours, rest = re.search(r"(\d+)h (\d+)m", text).groups()  # type: ignore[union-attr]
    return int(hours) * 60 + int(rest)


@solves("buy-ticket")
def _(b: Browser, page: Page) -> None:
    (what,) = find(r"the ticket with the (\w+)|the (?:cheapest|most expensive) ticket", page)
    durations = [minutes(node.name) for node in page.nodes if re.search(r"\d+h \d+m", node.name)]
    buttons = [node for node in page.all("button") if "Book" in node.name]
    prices = [int(re.sub(r"\D", "", node.name)) for node in buttons]
    by = durations if what in ("shortest", "longest") else prices
    best = (max if "longest" in page.text or "most expensive" in page.text else min)(by)
    b.click(buttons[by.index(best)])


MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def pick(b: Browser, page: Page, field: Node, month: int, day: int) -> Page:
    b.click(field)
    for _ in range(13):
        page = b.look()
        shown = next(
            m
            for m in MONTHS
            if re.search(rf"\b{m}\b", page.text.split("START")[-1] if "START" in page.text else page.text)
        )
        at = MONTHS.index(shown) + 1
        if at == month:
            break
        b.click(page.all(name="Prev" if month < at else "Next")[-1])
    b.click(page.all("link|clickable", str(day))[-1])
    return b.look()


@solves("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay")
def _(b: Browser, page: Page) -> None:
    month, day, _ = find(r"Select (\d+)/(\d+)/(\d+)", page)
    submit(b, pick(b, page, page.one(FIELD), int(month), int(day)))


@solves("book-flight", "book-flight-nodelay")
def _(b: Browser, page: Page) -> None:
    what, start, end, month, day = find(
        r"Book the (cheapest|shortest) one-way flight from: (.*?) to: (.*?) on (\d+)/(\d+)/", page
    )
    for nth, place in enumerate((start, end)):
        b.fill(page.one(FIELD + "|combobox", nth=nth), place)

        def choices(page: Page, place: str = place) -> list[Node] | None:
            fits = [n for n in page.nodes if n.ref and place in n.name and n.role not in FIELD]
            return [n for n in fits if "Book the" not in n.name] or None

        # The filled text may already be an option.
        with contextlib.suppress(LookupError):
            b.click(seen(b, choices)[-1])
        page = b.look()
    page = pick(b, page, page.one(FIELD + "|combobox", nth=2), int(month), int(day))
    b.click(page.one("button", "Search"))
    page = b.look()
    buttons = [node for node in page.all("button") if "Book" in node.name]
    if what == "cheapest":
        by = [int(re.sub(r"\D", "", node.name)) for node in buttons]
    else:
        by = [minutes(node.name) for node in page.nodes if re.search(r"\d+h \d+m", node.name)]
    b.click(buttons[by.index(min(by))])


@solves("click-menu")
def _(b: Browser, page: Page) -> None:
    (path,) = find(r"Select ([\w>]+)", page)
    for name in path.split(">"):
        b.click(still(b).all("menuitem|clickable|text", name)[-1])


@solves("click-menu-2")
def _(b: Browser, page: Page) -> None:
    (name,) = find(r'labeled "(.*?)"', page)
    submit(b, page, "Menu")
    page = b.look()
    if not page.has("menuitem", name):
        b.click(page.one("menuitem", "Playback"))
        page = still(b)
    b.click(page.one("menuitem", name))


@solves("identify-shape")
def _(b: Browser, page: Page) -> None:
    said = [n.name for n in page.nodes if len(n.name) == 1 and n.name != "-"]
    if not said:
        raise LookupError("a shape without a word")
    submit(b, page, "Number" if said[0].isdigit() else "Letter")


@solves("order-food")
def _(b: Browser, page: Page) -> None:
    (items,) = find(r"Order one of each item: (.*?) Appetizers", page)
    for item in items.split(", "):
        rest = page.nodes[page.index([n for n in page.nodes if item in n.name][-1]) :]
        b.click(next(node for node in rest if node.ref and node.name == "+"))
    b.click(page.all("button")[-1])
