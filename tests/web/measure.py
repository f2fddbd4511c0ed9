"""Benchmarks `browser` against Playwright's MCP server on the same pages.

Measures the time of an action, the actions that succeed, and the characters of whole flows. The two tools take turns,
so that other load on the machine affects both.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "drive"))
import playwright_mcp
from deputy_browser import Deputy
from page import Node
from served import Site, serving

CARD = (
    "<li class='card'><a href='/pear-{n}'>Pear {n}</a> <span class='price'>{n}.99</span> "
    "<button aria-label='Add pear {n}' onclick=\"total.textContent=+total.textContent+1\">Add</button></li>"
)
FORM = (
    "<form action='/thanks'><label>Name <input name='name'></label><label>Street <input name='street'></label>"
    "<label>Country <select name='country'><option>France</option><option>Spain</option></select></label>"
    "<label><input type='checkbox' name='gift'> As a gift</label><button>Order</button></form>"
)


def shop(cards: int) -> str:
    nav = "".join(
        f"<a href='/{word}'>{word}</a> " for word in ("Home", "Fruit", "Garden", "Gifts", "Help", "Account")
    )
    listed = "".join(CARD.format(n=n) for n in range(cards))
    return f"<title>Pears</title><nav>{nav}</nav><h1>Pears</h1><p>In the cart: <b id='total'>0</b></p><ul>{listed}</ul>{FORM}"


class Flow:
    """A flow with either tool: opens the page, puts three items into the cart, fills in the form and sends it."""

    def __init__(self, agent: Deputy | playwright_mcp.Playwright) -> None:
        self.agent = agent
        self.failed = 0

    def run(self, url: str) -> None:
        self.agent.begin(url)
        # Opening the page shows it. Reading it once returns the references for all later actions.
        page = self.agent.look()
        steps: list[tuple[str, Node, str]] = [
            ("click", page.one("button", f"Add pear {n}"), "") for n in (1, 4, 7)
        ]
        fields = page.all("textbox")
        steps += [("fill", fields[0], "Ada"), ("fill", fields[1], "12 Pear Lane")]
        steps += [("select", page.one("combobox"), "Spain"), ("click", page.one("checkbox"), "")]
        steps += [("click", page.one("button", "Order"), "")]
        for action, node, text in steps:
            try:
                match action:
                    case "click":
                        self.agent.click(node)
                    case "fill":
                        self.agent.fill(node, text)
                    case _:
                        self.agent.select(node, [text])
            except LookupError:
                self.failed += 1


def measure(site: Site, path: str, rounds: int) -> dict[str, dict[str, float]]:
    agents: dict[str, Deputy | playwright_mcp.Playwright] = {
        "Deputy": Deputy(site.origin),
        "Playwright MCP": playwright_mcp.Playwright(),
    }
    told: dict[str, dict[str, float]] = {}
    try:
        flows = {name: Flow(agent) for name, agent in agents.items()}
        for _ in range(rounds):
            for flow in flows.values():
                flow.run(site.origin + path)
        for name, agent in agents.items():
            calls = len(agent.seconds)
            told[name] = {
                "calls a flow": calls / rounds,
                "actions that failed": flows[name].failed,
                "median ms a call": round(statistics.median(agent.seconds) * 1000),
                "characters a flow": round(agent.characters / rounds),
            }
    finally:
        for agent in agents.values():
            agent.close()
    return told


def main() -> None:
    own: dict[str, str | bytes] = {
        "/small": shop(20),
        "/large": shop(200),
        "/thanks": "<h1>Thanks</h1><p>It is on its way.</p>",
    }
    with serving(own) as site:
        for path in ("/small", "/large"):
            print(path, json.dumps(measure(site, path, 5), indent=1))


if __name__ == "__main__":
    main()
