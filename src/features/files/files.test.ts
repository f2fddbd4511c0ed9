import { describe, expect, it } from "vitest";
import type { JobInfo, OrganizeOperation, TurnKind } from "../../protocol";
import { countKinds, NOTHING, parse, target, withTarget } from "./draft";
import { turningsOf } from "./JobsList";
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
  const turn = (job: string, turn: TurnKind, done: number) => ({
    job,
    turn,
    done,
    steps: 10,
    began_at_ms: 0,
  });
  const plan: JobInfo = {
    job: "j1",
    state: "running",
    undone_by: null,
    scope: ["/home/ada/Downloads"],
    turns: [turn("j1", "execute", 10), turn("j2", "undo", 4)],
    left_out: [],
    left_out_count: 0,
    stopped: null,
  };
  const done = (job: JobInfo) => job.turns.map((each) => each.done);

  it("is as far as was heard last, and no less far than the list has it", () => {
    expect(done(ahead(plan, all(live("j2", 7))))).toEqual([10, 7]);
    expect(done(ahead(plan, all(live("j2", 2))))).toEqual([10, 4]);
    expect(done(ahead({ ...plan, state: "interrupted" }, all(live("j2", 7))))).toEqual([10, 4]);
  });

  it("offers what its state allows, and names the job to undo for it", () => {
    const offers = (job: Partial<JobInfo>) => {
      return turningsOf({ ...plan, ...job }).map(({ job, isRedo }) => `${isRedo ? "redo" : "undo"} ${job}`);
    };
    const [run, undo] = plan.turns;
    expect(offers({ state: "running" })).toEqual([]);
    expect(offers({ state: "damaged" })).toEqual([]);
    expect(offers({ state: "done" })).toEqual(["undo j1"]);
    expect(offers({ state: "undone", undone_by: "j2" })).toEqual(["redo j2"]);
    expect(offers({ state: "partly_undone", undone_by: "j2" })).toEqual(["undo j1", "redo j2"]);
    // An interrupted turn is taken back: an execution by an undo, an undo by a redo.
    expect(offers({ state: "interrupted", turns: run ? [run] : [] })).toEqual(["undo j1"]);
    expect(offers({ state: "interrupted", turns: run && undo ? [run, undo] : [] })).toEqual(["redo j2"]);
  });

  it("is asked about when it begins and when it reaches its end, not in between", () => {
    const begun = turnsOf(all(live("j1", 0)));
    expect(begun).not.toBe(turnsOf(all()));
    expect(turnsOf(all(live("j1", 9)))).toBe(begun);
    expect(turnsOf(all(live("j1", 10)))).not.toBe(begun);
  });
});
