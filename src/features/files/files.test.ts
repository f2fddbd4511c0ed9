import { describe, expect, it } from "vitest";
import type { JobInfo, OrganizeOperation } from "../../protocol";
import { countKinds, NOTHING, parse, target, withTarget } from "./draft";
import { forests, rowsOf } from "./tree";
import { ahead, turnsOf } from "./useJobs";

const move = (id: string, path: string, destination: string): OrganizeOperation => {
  return { id, action: { kind: "move", path, destination }, reason: "", risk: "medium" };
};
const trash: OrganizeOperation = {
  id: "t",
  action: { kind: "trash", path: "copy.txt" },
  reason: "",
  risk: "high",
};

describe("the trees of a plan", () => {
  const scope = ["/a"];
  const trees = {
    before: ["/a/old/", "/a/old/x.txt", "/a/copy.txt", "/a/loose.txt"],
    after: ["/a/Documents/", "/a/Documents/loose.txt", "/a/old/", "/a/old/x.txt"],
  };
  const both = forests(scope, trees, [move("m", "loose.txt", "Documents/loose.txt"), trash]);
  const shown = (side: "before" | "after", ...toggled: string[]) =>
    rowsOf(both[side], new Set(toggled)).map((row) => `${row.depth} ${row.name} ${row.mark ?? ""}`.trim());

  it("mark what goes and what comes, folders first", () => {
    expect(shown("before")).toEqual(["0 /a", "1 old", "2 x.txt", "1 copy.txt trash", "1 loose.txt gone"]);
    expect(shown("after")).toEqual(["0 /a", "1 Documents new", "2 loose.txt new", "1 old", "2 x.txt"]);
  });

  it("count the files below a folder, and close it", () => {
    const [root, folder] = rowsOf(both.before, new Set(["/a/old"]));
    expect([root?.files, folder?.files, folder?.open]).toEqual([3, 1, false]);
    expect(shown("before", "/a")).toEqual(["0 /a"]);
  });

  it("keep folders closed where there is much, but for those with few changes", () => {
    const many = Array.from({ length: 100 }, (_, at) => `/a/big/${at}.txt`);
    const big = forests(scope, { before: ["/a/big/", ...many], after: ["/a/big/", ...many] }, []);
    expect(rowsOf(big.before, new Set()).map(({ name }) => name)).toEqual(["/a", "big"]);
    expect(rowsOf(big.before, new Set(["/a/big"]))).toHaveLength(102);
  });
});

describe("a draft's operations", () => {
  it.each([
    [move("m", "/a/x", "/a/y"), "/a/y"],
    [{ ...trash, action: { kind: "rename", path: "/a/x", name: "y" } } as OrganizeOperation, "y"],
    [{ ...trash, action: { kind: "copy", path: "/a/x", destination: "/a/y" } } as OrganizeOperation, "/a/y"],
    [{ ...trash, action: { kind: "create_folder", path: "/a/y" } } as OrganizeOperation, "/a/y"],
  ])("have a target that can be another (%#)", (operation, to) => {
    expect(target(operation)).toBe(to);
    expect(target(withTarget(operation, "z"))).toBe("z");
  });

  it("have none where they only throw away", () => {
    expect(target(trash)).toBeUndefined();
    expect(withTarget(trash, "z")).toBe(trash);
  });

  it("are counted by kind", () => {
    expect(countKinds([trash, move("a", "1", "2"), move("b", "3", "4")])).toEqual([
      ["move", 2],
      ["trash", 1],
    ]);
  });
});

describe("what is kept over a reload", () => {
  it.each(["", "{", "null"])("is nothing where there is none: %j", (text) => {
    expect(parse(text)).toEqual(NOTHING);
  });

  it("is taken as it was", () => expect(parse('{"scan":"c1"}').scan).toBe("c1"));
});

describe("a job that is told live", () => {
  const live = (job: string, done: number) => {
    return { type: "job" as const, job, undoes: null, call: null, done, steps: 10 };
  };
  const all = (...told: ReturnType<typeof live>[]) => new Map(told.map((each) => [each.job, each]));
  const job = { job: "j1", state: "running", done: 4, steps: 10 } as JobInfo;

  it("is as far as was heard last, and no less far than the list has it", () => {
    expect(ahead(job, all(live("j1", 7))).done).toBe(7);
    expect(ahead(job, all(live("j1", 2))).done).toBe(4);
    expect(ahead({ ...job, state: "interrupted" }, all(live("j1", 7))).done).toBe(4);
  });

  it("is asked about when it begins and when it reaches its end, not in between", () => {
    const begun = turnsOf(all(live("j1", 0)));
    expect(begun).not.toBe(turnsOf(all()));
    expect(turnsOf(all(live("j1", 9)))).toBe(begun);
    expect(turnsOf(all(live("j1", 10)))).not.toBe(begun);
  });
});
