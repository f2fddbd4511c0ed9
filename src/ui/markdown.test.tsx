/** Tests a model's Markdown: HTML is shown as text; pictures and links with other schemes are dropped. */
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import MarkdownRendered from "./MarkdownRendered";

afterEach(cleanup);

it.each([
  ["a block", "<script>alert(1)</script>\n\nafter"],
  ["inside a line", "before <img src=x onerror=alert(1)> after"],
  ["in a list and in bold", "- one <b>bold</b>\n- **<i>two</i>**"],
  ["in a table", "| a |\n|---|\n| <svg onload=alert(1)> |"],
])("shows HTML as the letters that were written: %s", (_, text) => {
  const { container } = render(<MarkdownRendered text={text} />);
  expect(container.querySelector("script, img, svg, b, i")).toBeNull();
  for (const [tag] of text.matchAll(/<[^>]+>/g)) expect(container.textContent).toContain(tag);
});

it("fetches no picture, and follows no scheme but the web's and mail's", () => {
  const text = "![x](http://127.0.0.1:1/x.png) [bad](javascript:alert(1)) [good](https://example.org)";
  const { container } = render(<MarkdownRendered text={text} />);
  expect(container.querySelector("img")).toBeNull();
  const links = [...container.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  expect(links.filter(Boolean)).toEqual(["https://example.org"]);
});
