"""A page as a solver sees it, parsed from Deputy's outline or from a snapshot by Playwright's MCP server."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Node:
    """A node of a page. Interactive nodes have a reference; everything else is text."""

    role: str
    name: str
    ref: str = ""
    value: str = ""
    flags: frozenset[str] = frozenset()


@dataclass
class Page:
    nodes: list[Node] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Returns the text of the page, in order."""
        said = " ".join(node.name for node in self.nodes)
        # A word that the page marks up is a separate node, and its quotes are part of the adjacent nodes.
        return re.sub(r'(?<=\s)"\s+([^"]*?)\s+"(?=[\s.,])', r'"\1"', re.sub(r"\s+", " ", said))

    def all(self, role: str = "", name: str | None = None) -> list[Node]:
        """Returns the interactive nodes by role (several joined by `|`) and by name, ignoring case."""
        roles = role.split("|") if role else []

        def fits(node: Node) -> bool:
            named = name is None or node.name.strip().lower() == name.strip().lower()
            return bool(node.ref) and named and (not roles or node.role in roles)

        return [node for node in self.nodes if fits(node)]

    def one(self, role: str = "", name: str | None = None, nth: int = 0) -> Node:
        found = self.all(role, name)
        if len(found) <= nth:
            raise LookupError(f"no {role or 'element'} {name or ''} number {nth + 1}")
        return found[nth]

    def has(self, role: str = "", name: str | None = None) -> bool:
        return bool(self.all(role, name))

    def index(self, wanted: Node) -> int:
        return next(at for at, node in enumerate(self.nodes) if node is wanted)

    def after(self, text: str) -> Page:
        """Returns the rest of the page, from the first node that contains a text."""
        return Page(self.nodes[self.index(self.saying(text)) :])

    def saying(self, text: str) -> Node:
        for node in self.nodes:
            if text.lower() in node.name.lower():
                return node
        raise LookupError(f"nothing says {text}")


FLAGS = "checked|pressed|selected|disabled|read-only|required|invalid|expanded|collapsed"
PIECE = re.compile(
    r'(?P<role>[A-Za-z]+)(?: "(?P<name>[^"]*)")?(?: \((?P<hint>[^)]*)\))? (?P<ref>e\d+)\b'
    rf'(?: = "(?P<value>[^"]*)")?(?P<flags>(?: (?:{FLAGS}))*)(?: \((?P<choices>[^)]*)\))?'
)


def outline(text: str) -> Page:
    """Parses Deputy's outline."""
    page = Page()

    def say(words: str) -> None:
        if words.strip():
            page.nodes.append(Node("text", words.strip()))

    for line in text.splitlines():
        line = line.strip()
        cells = line.startswith("| ")
        for piece in re.split(r" ?\| ", line[2:]) if cells else [line]:
            at = 0
            for found in PIECE.finditer(piece):
                say(piece[at : found.start()])
                flags = frozenset((found["flags"] or "").split())
                name = found["name"] or found["hint"] or ""
                page.nodes.append(Node(found["role"], name, found["ref"], found["value"] or "", flags))
                at = found.end()
            say(piece[at:])
    return page


LINE = re.compile(
    r"^\s*- '?(?P<role>/?[\w-]+)(?: (?P<name>\"(?:[^\"\\]|\\.)*\"))?(?P<marks>(?: \[[^\]]*\])*)'?(?::(?: (?P<rest>.*))?)?$"
)


def aria(text: str) -> Page:
    """Parses Playwright's snapshot."""
    page = Page()
    for line in text.splitlines():
        found = LINE.match(line)
        if not found or found["role"].startswith("/"):
            continue
        marks = dict(mark.partition("=")[::2] for mark in re.findall(r"\[([^\]]*)\]", found["marks"] or ""))
        name = (found["name"] or "").strip('"').replace('\\"', '"')
        rest = (found["rest"] or "").strip()
        if rest.startswith('"') and rest.endswith('"'):
            rest = rest[1:-1].replace('\\"', '"')
        role, flags = found["role"], frozenset(marks)
        if role in ("text", "generic", "paragraph", "listitem", "cell", "rowheader"):
            page.nodes.append(
                Node("text" if role != "generic" else "clickable", name or rest, marks.get("ref", ""))
            )
        else:
            value = rest if role in ("textbox", "spinbutton", "searchbox", "slider") else ""
            node = Node(role, name or ("" if value else rest), marks.get("ref", ""), value, flags)
            page.nodes.append(node)
    return page
