import { describe, expect, it } from "vitest";
import { diffLines } from "./diffLines";

describe("a diff in rows", () => {
  const text = [
    "--- a/x",
    "+++ b/x",
    "@@ -1,3 +1,3 @@",
    " one",
    "-the old word",
    "+the new word",
    " three",
    "@@ -10,1 +10,2 @@",
    " ten",
    "+--- a rule",
    "",
  ].join("\n");

  it("numbers lines as both files have them, and counts what came and went", () => {
    const { lines, added, removed } = diffLines(text);
    expect([added, removed]).toEqual([2, 1]);
    expect(lines.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ["same", 1, 1],
      ["del", 2, undefined],
      ["add", undefined, 2],
      ["same", 3, 3],
      ["hunk", undefined, undefined],
      ["same", 10, 10],
      ["add", undefined, 11],
    ]);
    expect(lines.at(-1)?.text).toBe("--- a rule");
  });

  it("marks the letters that differ, and nothing in lines that share none", () => {
    const marked = (...raw: string[]) =>
      diffLines(`@@ -1 +1 @@\n${raw.join("\n")}`).lines.map(
        ({ text, changed }) => changed && text.slice(changed.from, changed.to),
      );
    expect(marked("-the old word", "+the new word")).toEqual(["old", "new"]);
    expect(marked("-a", "+ab")).toEqual(["", "b"]);
    expect(marked("-abc", "+xyz")).toEqual([undefined, undefined]);
    expect(marked("-a1", "-a2", "+a3")).toEqual([undefined, undefined, undefined]);
  });

  it("names the files of a diff of several, and reads no line as a name", () => {
    const several = [
      "--- /dev/null",
      "+++ b/new",
      "@@ -0,0 +1 @@",
      "++++ b/no name",
      "--- a/moved from",
      "+++ b/moved to",
      "@@ -1,2 +1,1 @@",
      "--- no name",
      " same",
      "--- a/gone",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-x",
    ];
    const { lines, added, removed } = diffLines(several.join("\n"));
    expect([added, removed]).toEqual([1, 2]);
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "hunk new",
      "add +++ b/no name",
      "hunk moved to",
      "del -- no name",
      "same same",
      "hunk gone",
      "del x",
    ]);
  });

  it("begins a new file at its first line", () => {
    expect(diffLines("@@ -0,0 +1,2 @@\n+a\n+b").lines.map(({ after }) => after)).toEqual([1, 2]);
  });
});
