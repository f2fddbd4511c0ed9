import { describe, expect, it } from "vitest";
import { EXPORT, readExport } from "./importing";

const head = JSON.stringify(EXPORT);
const event = (seq: number, text = "") => JSON.stringify({ seq, task: "t1", at_ms: 0, event: { text } });

describe("a file that a conversation was exported to", () => {
  it("is read in parts that fit a message, with every event in its order", () => {
    const long = "x".repeat(90_000);
    const lines = [head, ...[1, 2, 3, 4].map((seq) => event(seq, long)), "", event(5, "y".repeat(300_000))];
    const read = readExport(`${lines.join("\r\n")}\n`);
    expect("parts" in read && read.parts.map((part) => part.map(({ seq }) => seq))).toEqual([
      [1, 2],
      [3, 4],
      [5],
    ]);
  });

  it.each([
    ["", { wrong: "format" }],
    ["# A conversation\n\nHello", { wrong: "format" }],
    ['{"format":"deputy-conversation","version":2}\n{}', { wrong: "format" }],
    ["null\n{}", { wrong: "format" }],
    [`${head}\n\n`, { wrong: "empty" }],
    [`${head}\n${event(1)}\n{"seq":2,`, { wrong: "line", line: 3 }],
    [`${head}\n"text"`, { wrong: "line", line: 2 }],
  ])("%j is refused", (text, why) => expect(readExport(text)).toEqual(why));
});
