/** For tests: every sentence that the host's source can say. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** A text literal of the source, with its holes as its language writes them. */
export interface Literal {
  file: string;
  text: string;
}

/** Comments, raw strings, strings and characters, in the order in which Rust would read them. */
const RUST =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|r(#*)"([\s\S]*?)"\1|b?"((?:[^"\\]|\\[\s\S])*)"|'(?:[^'\\\n]|\\[^\n']{1,8})'/g;
/** Where the tests of a module begin. */
const TESTS = /\n#\[cfg\(test\)\]\s*(?:pub )?mod \w+ \{/;
/** Comments, documentation, and strings that Python puts together. */
const PYTHON = /#[^\n]*|"""[\s\S]*?"""|((?:[fr]*"(?:[^"\\\n]|\\.)*"\s*)+)/g;

function below(folder: string, ending: string): string[] {
  if (folder.endsWith(ending)) return [folder];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return below(path, ending);
    return path.endsWith(ending) ? [path] : [];
  });
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The files of the catalogue of messages in a language. */
export function catalogueOf(language: string): Record<string, string> {
  const files = below(`crates/messages/${language}`, ".ftl");
  return Object.fromEntries(files.map((file) => [file, read(file)]));
}

function plain(text: string): string {
  return text
    .replace(/\\\n\s*/g, "")
    .replace(/\\n/g, "\n")
    .replace(/\\(["\\])/g, "$1");
}

/** The literals of Rust files, or of all below a folder; those of tests are left out. */
export function rust(places: readonly string[]): Literal[] {
  const files = places
    .flatMap((place) => below(place, ".rs"))
    .filter((path) => !/tests?[^/]*\.rs$/.test(path));
  return files.flatMap((file) => {
    const source = read(file);
    const code = source.slice(0, TESTS.exec(source)?.index);
    return [...code.matchAll(RUST)].flatMap(([, , raw, written]) => {
      const text = raw ?? (written === undefined ? undefined : plain(written));
      return text === undefined ? [] : [{ file, text }];
    });
  });
}

/** The literals of Python files. */
export function python(places: readonly string[]): Literal[] {
  return places
    .flatMap((place) => below(place, ".py"))
    .flatMap((file) => {
      return [...read(file).matchAll(PYTHON)].flatMap(([, joined]) => {
        if (joined === undefined) return [];
        const pieces = [...joined.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, piece = ""]) => piece);
        return [{ file, text: plain(pieces.join("")) }];
      });
    });
}

/** What profiles say of themselves. */
export function data(): Literal[] {
  return below("crates/agent/profiles", ".toml").flatMap((file) => {
    const said = read(file).matchAll(/^description = "(.*)"$/gm);
    return [...said].map(([, text = ""]) => ({ file, text }));
  });
}

/** What backends declare of themselves for the page: labels, sentences, and the settings that it shows. */
export function declared(): Literal[] {
  return below("sidecar/deputy_sidecar/backends", ".py").flatMap((file) => {
    const block = /^# \/\/\/ deputy\n([\s\S]*?)^# \/\/\/$/m.exec(read(file))?.[1] ?? "";
    const shown = block.split("\n").filter((line) => !/advanced = true|address = /.test(line));
    const said = shown.join("\n").matchAll(/\b(?:label|summary|hint) = "(.*?)"/g);
    return [...said].map(([, text = ""]) => ({ file, text }));
  });
}
