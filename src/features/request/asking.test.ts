import { expect, it } from "vitest";
import type { RequestDetails } from "../../protocol";
import { asking } from "./asking";

type Given = [kind: string, text: string, reason: string, decision?: string];

/** What a card lists, a line each. */
function listed(command: string | null, parts: Given[]): string[] {
  const given = parts.map(([kind, text, reason, decision = "ask"]) => ({
    ...{ kind, text, reason, decision },
    risk: "medium",
  }));
  const details = { command, cwd: "/w", parts: given } as unknown as RequestDetails;
  return asking(details).map(({ texts, reason }) => [texts.join(", "), reason].filter(Boolean).join(": "));
}

it.each([
  ["names no part that is the whole command", "git push", [["command", "git push", "Net."]], ["Net."]],
  [
    "shows an equal reason once, and nothing that is allowed",
    "cd x && cargo test && cargo test --doc",
    [
      ["command", "cd x", "Goes there.", "allow"],
      ["command", "cargo test", "Runs code."],
      ["command", "cargo test --doc", "Runs code."],
    ],
    ["cargo test, cargo test --doc: Runs code."],
  ],
  [
    "shows a part with several lines by its first, after what runs",
    "python3 - <<'END'\nprint('a\\n')\nEND",
    [
      ["construct", "python3 - <<'END'\\nprint('a…", "Odd."],
      ["construct", "<<'END'\\nprint('a\\n')\\nEND", "Feeds it."],
      ["command", "python3", "Runs it."],
    ],
    ["python3: Runs it.", "Odd.", "<<'END' …: Feeds it."],
  ],
  [
    "leaves letters as they are typed",
    'cat x; printf "a\\n"',
    [["command", "printf 'a\\n'", "Why."]],
    ["printf 'a\\n': Why."],
  ],
  ["names a path from the folder", "touch a", [["write", "/w/a", "New."]], ["a: New."]],
] satisfies [string, string, Given[], string[]][])("%s", (_, command, parts, expected) => {
  const shown = listed(command, parts);
  expect(shown).toEqual(expected);
  expect(new Set(shown).size).toBe(shown.length);
});
