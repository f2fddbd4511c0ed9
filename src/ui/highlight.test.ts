import { describe, expect, it } from "vitest";
import { languageOf, tokensOf } from "./highlight";

/** Returns the tokens of a kind in each line. */
async function words(path: string, lines: string[], kind: string): Promise<string[]> {
  const tokens = await tokensOf(languageOf(path) ?? "", lines);
  return lines.flatMap((line, at) =>
    (tokens[at] ?? []).filter((token) => token.kind === kind).map(({ from, to }) => line.slice(from, to)),
  );
}

describe("source code", () => {
  it("has its keywords, texts and comments found", async () => {
    const lines = ["def main(path):  # begin", '    return "a" + path'];
    expect(await words("src/app.py", lines, "keyword")).toEqual(expect.arrayContaining(["def", "return"]));
    expect(await words("src/app.py", lines, "comment")).toEqual(["# begin"]);
    expect(await words("src/app.py", lines, "string")).toEqual(['"a"']);
  });

  it("has texts and comments that go over lines", async () => {
    expect(await words("a.rs", ["/* one", "two */ fn x() {}"], "comment")).toEqual(["/*", " one", "two */"]);
    const text = await words("a.py", ['"""One', 'two"""', "x = 1"], "string");
    expect(text.join(" ")).toContain("One");
  });

  it.each([
    "rs",
    "go",
    "js",
    "ts",
    "json",
    "c",
    "java",
    "kt",
    "cs",
    "css",
    "html",
    "sh",
    "rb",
    "sql",
    "toml",
    "yaml",
    "lua",
    "swift",
    "dart",
  ])("is gone through to its end in .%s", async (ending) => {
    const lines = [
      "if (a) { \"b\" 'c' `d` } // e",
      "",
      '# f <g h="i">j</g>',
      "\tk: 1.5e3 /* l",
      "*/ $m $(n) @o",
    ];
    const tokens = await tokensOf(ending, lines);
    expect(tokens).toHaveLength(lines.length);
    expect(tokens.flat().length).toBeGreaterThan(0);
    tokens.forEach((each, at) => {
      for (const { from, to } of each) {
        expect(from).toBeLessThan(to);
        expect(to).toBeLessThanOrEqual(lines[at]?.length ?? 0);
      }
    });
  });

  it("is plain where its language is not known", () => {
    expect([languageOf("notes.txt"), languageOf("Makefile"), languageOf("x.constructor")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
