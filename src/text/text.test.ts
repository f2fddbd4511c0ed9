import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import de from "./de.json";
import en from "./en.json";
import { bytes, duration, relative, setLanguage, t, tn } from "./index";
import { output, shortPath, visible } from "./visible";

/** The sources of the desktop's page and of the phone's. */
const SOURCES = ["..", "../../mobile/app"].map((folder) => join(import.meta.dirname, folder));

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name) ? [readFileSync(path, "utf8")] : [];
  });
}

describe("message files", () => {
  it("have the same messages with the same values", () => {
    const shape = (messages: Record<string, string>) => {
      return Object.fromEntries(
        Object.entries(messages).map(([key, text]) => [
          key,
          [...text.matchAll(/\{\w+\}/g)].map(String).sort(),
        ]),
      );
    };
    expect(shape(de)).toEqual(shape(en));
  });

  it("hold nothing that no screen says", () => {
    const code = SOURCES.flatMap(sources).join("\n");
    // Keys that are built with a word from the protocol are found by their prefix.
    const said = (key: string) => {
      const base = key.replace(/_(one|other)$/, "");
      const beginnings = base.split(".").map((_, count, parts) => `${parts.slice(0, count).join(".")}.`);
      return code.includes(`"${base}"`) || beginnings.some((begin) => code.includes(`\`${begin}\${`));
    };
    expect(Object.keys(en).filter((key) => !said(key))).toEqual([]);
  });
});

describe("words", () => {
  afterEach(() => setLanguage("en"));

  it("count, and write numbers as people do", async () => {
    expect(tn("task.files", 1)).toBe("1 file");
    expect(tn("task.files", 1214)).toBe("1,214 files");
    expect(duration(420)).toBe("0.4 s");
    expect(duration(100_000)).toBe("1 min 40 s");
    expect(bytes(1_800_000_000)).toBe("1.8 GB");
    expect(relative(0, 10_000)).toBe("now");
    await setLanguage("de");
    expect(tn("task.files", 1214)).toBe("1.214 Dateien");
    expect(t("nav.tasks")).toBe("Aufgaben");
  });
});

describe("text of others", () => {
  it.each([
    ["plain\ttext", "plain\ttext"],
    ["evil\u202etxt.exe", "evil⟨U+202E⟩txt.exe"],
    ["a\u0000b\u200bc", "a⟨U+0000⟩b⟨U+200B⟩c"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ])("%j is shown as it is", (text, shown) => expect(visible(text)).toBe(shown));

  it.each([
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007done", "done"],
    ["10%\r50%\r100%\nend", "100%\nend"],
    ["one\r\ntwo", "one\ntwo"],
    ["\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
  ])("output %j reads %j", (text, shown) => expect(output(text)).toBe(shown));

  it("paths are shortened as people write them", () => {
    expect(shortPath("/home/ada/inbox")).toBe("~/inbox");
    expect(shortPath("/srv/home/ada")).toBe("/srv/home/ada");
  });
});
