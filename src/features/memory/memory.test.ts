/** Tests of the order of memories after some are forgotten and after new ones arrive. */
import { describe, expect, it } from "vitest";
import type { Memory } from "../../protocol";
import { withKept, withNewer, withOlder } from "./found";
import { beginsGroup, idOf, linesOf } from "./gone";

const memory = (id: number, text: string): Memory => {
  const from = {
    task: "t1",
    goal: "Tidy up",
    workspace: "/home/ada/inbox",
    role: "user",
    origin: "person",
  } as const;
  return {
    memory: id,
    text,
    at_ms: id,
    edited_at_ms: null,
    promoted_at_ms: null,
    kind: "said",
    about: null,
    is_replaced: false,
    passage: null,
    found: null,
    ...from,
  };
};

describe("the lines of the screen", () => {
  it("are in the order of how well they fit, where the best were asked for", () => {
    const found = (id: number, score: number): Memory => {
      return { ...memory(id, `text ${id}`), found: { score, by_words: true, similarity: null } };
    };
    const [first, second] = [found(1, 1), found(5, 0.2)];
    expect(linesOf([first, found(9, 0.4), second], []).map(idOf)).toEqual([1, 9, 5]);
    const gone = { memory: found(9, 0.4), count: 1 };
    expect(linesOf([first, second], [gone]).map(idOf)).toEqual([1, 9, 5]);
  });
  it("begin a group wherever another task's come", () => {
    const other = { ...memory(2, "b"), task: "t2" };
    const lines = linesOf([memory(4, "d"), memory(3, "c"), other, memory(1, "a")], []);
    expect(lines.map((_, at) => beginsGroup(lines, at))).toEqual([true, false, true, true]);
  });
  it("are the memories as they come", () => {
    const lines = linesOf([memory(3, "c"), memory(1, "a")], []);
    expect(lines.map(idOf)).toEqual([3, 1]);
    expect(lines.every((line) => line.is === "memory")).toBe(true);
  });

  it("keep the place of what was forgotten, without what said the same", () => {
    const all = [memory(9, "a"), memory(5, "b"), memory(3, "a"), memory(1, "c")];
    const gone = [{ memory: memory(3, "a"), count: 2 }];
    // The host's answer may be from before or after the forgetting.
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

describe("what comes in", () => {
  const found = { memories: [memory(7, "g"), memory(4, "d")], next: 4 };
  const ids = (memories: readonly Memory[]) => memories.map((each) => each.memory);

  it("stands before the others, each once", () => {
    const answer = [memory(9, "i"), memory(8, "h"), memory(7, "g")];
    const after = withNewer(found, answer);
    expect(ids(after.memories)).toEqual([9, 8, 7, 4]);
    expect(after.next).toBe(4);
    expect(withNewer(after, answer)).toBe(after);
  });

  it("is all there is where nothing was", () => {
    expect(ids(withNewer({ memories: [], next: null }, [memory(2, "b")]).memories)).toEqual([2]);
  });

  it("stands after the others where it is older", () => {
    const after = withOlder(found, { memories: [memory(3, "c")], next: null });
    expect([ids(after.memories), after.next]).toEqual([[7, 4, 3], null]);
  });

  it("does not take away what is being edited", () => {
    const edited = memory(5, "e");
    expect(ids(withKept(found.memories, edited))).toEqual([7, 5, 4]);
    expect(withKept(found.memories, memory(4, "d"))).toBe(found.memories);
    expect(withKept(found.memories, undefined)).toBe(found.memories);
  });
});
