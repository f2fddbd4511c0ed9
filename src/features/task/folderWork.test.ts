import { describe, expect, it } from "vitest";
import type { Grant, TaskSummary } from "../../protocol";
import { folderGrants } from "./FolderWork";

const task = { id: "t1", session: "s1", workspace: "/w" } as TaskSummary;

function grant(part: Partial<Grant>): Grant {
  return {
    id: "g1",
    decision: "allow",
    rule: { kind: "folder", path: "/w" },
    lifetime: { for: "task", task: "t1" },
    workspace: "/w",
    request: null,
    created_at_ms: 0,
    expires_at_ms: null,
    revoked_at_ms: null,
    ...part,
  };
}

describe("the grants that let a task work in its folder", () => {
  it.each([
    ["its own", {}, 1],
    ["its conversation's", { lifetime: { for: "session", session: "s1" } }, 1],
    ["another task's", { lifetime: { for: "task", task: "t2" } }, 0],
    ["another conversation's", { lifetime: { for: "session", session: "s2" } }, 0],
    [
      "its conversation's in another folder",
      { lifetime: { for: "session", session: "s1" }, workspace: "/x" },
      0,
    ],
    ["for one address", { rule: { kind: "origin", origin: "https://example.org" } }, 0],
  ] satisfies [string, Partial<Grant>, number][])("%s", (_, part, count) => {
    expect(folderGrants([grant(part)], task)).toHaveLength(count);
  });
});
