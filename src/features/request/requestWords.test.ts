import { expect, test } from "vitest";
import type { PermissionRequest } from "../../protocol";
import { heading, headline, otherReasons } from "./requestWords";

const part = (reason: string) => ({ kind: "write", text: "/w/a", decision: "ask", risk: "high", reason });

function request(reasons: string[], details: object): PermissionRequest {
  return {
    reasons,
    details: { parts: [], plan: null, refused_at_ms: null, ...details },
  } as unknown as PermissionRequest;
}

test("a card shows each reason once, with its part or on its own", () => {
  const reasons = ["changes a file", "you refused to let this task change /w/build at 14:03"];
  const refused = "You refused to let this task change /w/build at 14:03";
  expect(otherReasons(request(reasons, { parts: [part("changes a file")] }))).toEqual([refused]);
  expect(otherReasons(request(reasons, { parts: reasons.map(part) }))).toEqual([]);
});

test("the card of a plan shows its reasons if something was refused before", () => {
  const reasons = ["you refused to let this task change /w/build at 14:03"];
  const details = { plan: {}, parts: reasons.map(part) };
  expect(otherReasons(request(reasons, details))).toEqual([]);
  expect(otherReasons(request(reasons, { ...details, refused_at_ms: 1 }))).toHaveLength(1);
});

test("a file that is deleted is not also said to change", () => {
  const parts = [
    { ...part("removes files"), kind: "command", text: "rm .env" },
    { ...part("holds credentials"), text: "/w/.env" },
  ];
  const details = { command: "rm .env", cwd: "/w", wanted: null, parts };
  expect(headline(request([], details))).toBe("Delete .env");
});

test("the heading of several steps counts what the card names", () => {
  const edit = { path: "/w/a", command: null };
  const command = { path: null, command: "make" };
  const other = { path: null, command: null };
  const of = (...steps: object[]) => heading(request([], { steps, command: null, wanted: null }));
  expect([of(edit, edit), of(command, edit, command), of(edit, command, other), of(other, other)]).toEqual([
    "Write 2 files",
    "Write 1 file and run 2 commands",
    "Write 1 file, run 1 command, and take 1 other step",
    "2 steps",
  ]);
});
