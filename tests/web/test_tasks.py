"""MiniWoB tasks, solved through the built `deputy` and, if available, through Playwright's MCP server.

`miniwob` has the pages (`pip install --no-deps miniwob`). `PLAYWRIGHT_MCP` is the path of the server's
`cli.js`."""

from __future__ import annotations

import playwright_mcp
from deputy_browser import Deputy
from played import play
from served import pages, serving

#: How many of the tasks have to be solved.
ENOUGH = 60


def test_tasks_are_solved_and_no_fewer_than_through_playwright() -> None:
    if pages() is None:
        print("the pages of miniwob are not installed")
        return
    with serving() as site:
        deputy = Deputy(site.origin)
        try:
            solved = play(deputy, site)
        finally:
            deputy.close()
        print(f"{sum(solved.values())} of {len(solved)}; not {[task for task in solved if not solved[task]]}")
        assert sum(solved.values()) >= ENOUGH
        if not playwright_mcp.PROGRAM:
            return
        playwright = playwright_mcp.Playwright()
        try:
            others = play(playwright, site)
        finally:
            playwright.close()
        print(f"{sum(others.values())} of {len(others)} through Playwright")
        assert sum(solved.values()) >= sum(others.values())
