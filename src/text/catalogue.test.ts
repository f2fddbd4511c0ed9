/** Tests the translation of the host's messages, by id and arguments. Arguments stay unchanged. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "./catalogue";

const GERMAN = join(import.meta.dirname, "../../crates/messages/de");
const files = readdirSync(GERMAN).map((file) => readFileSync(join(GERMAN, file), "utf8"));
const german = catalogue("de", files);
const say = (id: string, args: Record<string, unknown> = {}) => german({ id, args, text: "English" });

const small = catalogue("de", [
  "a = { $n ->\n    [one] eine Datei\n   *[other] { $n } Dateien\n } in { $path }: { $why }\nb = das ist so\n",
]);
const whole = (n: unknown, why: unknown, path: unknown = "x") =>
  small({ id: "a", args: { n, path, why }, text: "" });

describe("a message of the host's", () => {
  it("is said in the other language, with plural forms and numbers as people write them there", () => {
    expect(whole(1, "w")).toBe("eine Datei in x: w");
    expect(whole(1200, "w")).toBe("1.200 Dateien in x: w");
  });

  it("says messages within it, and lists of them", () => {
    expect(whole(2, { id: "b", args: {} })).toBe("2 Dateien in x: das ist so");
    const joined = {
      id: "joined",
      args: { by: "; ", items: [{ id: "b" }, { text: "own words" }] },
      text: "",
    };
    expect(small(joined)).toBe("das ist so; own words");
  });

  it.each(["{ $n }", "{1}", "<img src=x>", "a\u202egpj.exe", "`x`", "-term", '{"x"}', "__proto__"])(
    "keeps %j in an argument as it is",
    (hostile) => expect(whole(1, "w", hostile)).toBe(`eine Datei in ${hostile}: w`),
  );

  it("is not said where the catalogue does not know it, or an argument is missing or is no argument", () => {
    const nested = { id: "a", args: { n: 1, path: "x", why: { id: "unknown" } } };
    for (const message of [
      { id: "unknown", args: {} },
      { id: "a", args: { n: 1 } },
      nested,
      { id: "constructor", args: {} },
    ])
      expect(small({ ...message, text: "English" })).toBeUndefined();
    for (const bad of [null, true, [], {}, { id: 1 }]) expect(whole(1, bad)).toBeUndefined();
    let deep: unknown = "x";
    for (let depth = 0; depth < 10_000; depth++) deep = { id: "a", args: { n: 1, path: "", why: deep } };
    expect(whole(1, deep)).toBeUndefined();
  });

  it("is in the host's own catalogue", () => {
    expect(say("policy-part-of-the-task")).toBe("Gehört zur Aufgabe selbst.");
    expect(say("policy-gains-rights", { name: "sudo" })).toBe(
      "`sudo` verschafft sich Rechte am ganzen Rechner.",
    );
  });
});
