/** Leaves out of the phone's message files what no page of the phone says: they are part of its first load. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const ENDINGS = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];

/** The sources that are reached from a file by imports, whenever they are loaded. */
function reached(file: string, known = new Map<string, string>()): Map<string, string> {
  if (known.has(file)) return known;
  const text = readFileSync(file, "utf8");
  known.set(file, text);
  for (const [, path = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) {
    const found = ENDINGS.map((ending) => join(dirname(file), path) + ending).find(
      (each) => /\.tsx?$/.test(each) && existsSync(each),
    );
    if (found) reached(found, known);
  }
  return known;
}

/** The messages that code says: by their whole name, or by its beginning where the rest is put together. */
export function said(messages: Record<string, string>, code: string): Record<string, string> {
  const isSaid = (key: string) => {
    const base = key.replace(/_(one|other)$/, "");
    const parts = base.split(".");
    const beginnings = parts.map((_, count) => `${parts.slice(0, count).join(".")}.`);
    return code.includes(`"${base}"`) || beginnings.some((begin) => code.includes(`\`${begin}\${`));
  };
  return Object.fromEntries(Object.entries(messages).filter(([key]) => isSaid(key)));
}

export function onlySaid(entry: string): Plugin {
  let code: string | undefined;
  return {
    name: "only-said",
    apply: "build",
    enforce: "pre",
    transform(text, id) {
      if (!/src\/text\/(en|de)\.json$/.test(id)) return null;
      code ??= [...reached(entry).values()].join("\n");
      return { code: JSON.stringify(said(JSON.parse(text), code)), map: null };
    },
  };
}
