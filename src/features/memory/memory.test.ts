/** What stands in which place after something was forgotten. */
import { describe, expect, it } from "vitest";
import type { Memory } from "../../protocol";
import { idOf, linesOf } from "./gone";

const memory = (id: number, text: string): Memory => {
  const from = { task: "t1", goal: "Tidy up", workspace: "/home/ada/inbox", role: "user" } as const;
  return { memory: id, text, at_ms: id, edited_at_ms: null, ...from };
};

describe("the lines of the screen", () => {
  it("are the memories as they come", () => {
    const lines = linesOf([memory(3, "c"), memory(1, "a")], []);
    expect(lines.map(idOf)).toEqual([3, 1]);
    expect(lines.every((line) => line.is === "memory")).toBe(true);
  });

  it("keep the place of what was forgotten, without what said the same", () => {
    const all = [memory(9, "a"), memory(5, "b"), memory(3, "a"), memory(1, "c")];
    const gone = [{ memory: memory(3, "a"), count: 2 }];
    // The host's answer may be older than the forgetting, or newer.
    for (const known of [all, all.filter((each) => each.text !== "a")]) {
      const lines = linesOf(known, gone);
      expect(lines.map((line) => [line.is, idOf(line)])).toEqual([
        ["memory", 5],
        ["gone", 3],
        ["memory", 1],
      ]);
    }
  });

  it("come back as they were", () => {
    const all = [memory(3, "a"), memory(1, "a")];
    expect(linesOf(all, []).map(idOf)).toEqual([3, 1]);
  });
});
