/**
 * Tests all style sheets together. The sheet of a screen is loaded with the screen, and then applies to the whole
 * page.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SHEETS = join(import.meta.dirname, "..");

/** Returns every selector of all sheets, with its sheet. */
function selectors(): { sheet: string; selector: string }[] {
  const sheets = readdirSync(SHEETS, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".css"),
  );
  return sheets.flatMap((sheet) => {
    const text = readFileSync(join(SHEETS, sheet), "utf8").replaceAll(/\/\*.*?\*\//gs, "");
    const heads = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, head = ""]) => head.split(","));
    return heads.map((head) => ({ sheet, selector: head.trim() }));
  });
}

it("a word that says what sort of thing it is, as in `.pill.run`, is no class by itself anywhere", () => {
  const all = selectors();
  const sorts = new Set(
    all
      .filter(({ sheet }) => sheet.startsWith("styles"))
      .flatMap(({ selector }) => /^\.[\w-]+\.([\w-]+)$/.exec(selector)?.[1] ?? []),
  );
  expect(sorts).toContain("run");
  expect(all.filter(({ selector }) => sorts.has(selector.slice(1)))).toEqual([]);
});
