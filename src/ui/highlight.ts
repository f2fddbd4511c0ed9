/** Syntax highlighting: finds keywords, strings and comments. Each language is loaded on first use. */

export type Kind = "keyword" | "string" | "comment";
export interface Token {
  from: number;
  to: number;
  kind: Kind;
}

/** The part of CodeMirror's `StringStream` that its stream modes use. */
class Line {
  pos = 0;
  start = 0;
  indentUnit = 2;
  constructor(readonly string: string) {}
  eol = () => this.pos >= this.string.length;
  sol = () => this.pos === 0;
  peek = () => this.string.charAt(this.pos) || undefined;
  current = () => this.string.slice(this.start, this.pos);
  column = () => this.start;
  indentation = () => /^\s*/.exec(this.string)?.[0].length ?? 0;
  lookAhead = () => undefined;
  baseToken = () => undefined;
  next = () => (this.eol() ? undefined : this.string.charAt(this.pos++));
  backUp = (count: number) => {
    this.pos -= count;
  };
  skipToEnd = () => {
    this.pos = this.string.length;
  };
  skipTo = (letter: string) => {
    const found = this.string.indexOf(letter, this.pos);
    if (found >= 0) this.pos = found;
    return found >= 0;
  };
  eat = (what: string | RegExp | ((letter: string) => boolean)) => {
    const letter = this.string.charAt(this.pos);
    const fits =
      letter !== "" &&
      (typeof what === "string"
        ? letter === what
        : what instanceof RegExp
          ? what.test(letter)
          : what(letter));
    return fits ? this.next() : undefined;
  };
  eatWhile = (what: string | RegExp | ((letter: string) => boolean)) => {
    const from = this.pos;
    while (this.eat(what));
    return this.pos > from;
  };
  eatSpace = () => this.eatWhile(/\s/);
  match = (what: string | RegExp, consume = true, anyCase = false) => {
    const rest = this.string.slice(this.pos);
    if (typeof what === "string") {
      const begin = rest.slice(0, what.length);
      const fits = anyCase ? begin.toLowerCase() === what.toLowerCase() : begin === what;
      if (fits && consume) this.pos += what.length;
      return fits;
    }
    const found = what.exec(rest);
    if (!found || found.index > 0) return null;
    if (consume) this.pos += found[0].length;
    return found;
  };
}

interface Mode {
  startState?(indentUnit: number): unknown;
  token(line: Line, state: unknown): string | null;
  blankLine?(state: unknown, indentUnit: number): void;
}

/** The modes expect CodeMirror's own stream; `Line` implements the part they use. */
const mode = (loaded: unknown) => loaded as Mode;
const clike = (name: "c" | "cpp" | "java" | "csharp" | "kotlin" | "scala" | "dart") => () =>
  import("@codemirror/legacy-modes/mode/clike").then((all) => mode(all[name]));
const script = (name: "javascript" | "typescript" | "json") => () =>
  import("@codemirror/legacy-modes/mode/javascript").then((all) => mode(all[name]));
const css = () => import("@codemirror/legacy-modes/mode/css").then((all) => mode(all.css));
const xml = () => import("@codemirror/legacy-modes/mode/xml").then((all) => mode(all.html));
const shell = () => import("@codemirror/legacy-modes/mode/shell").then((all) => mode(all.shell));
const ruby = () => import("@codemirror/legacy-modes/mode/ruby").then((all) => mode(all.ruby));
const yaml = () => import("@codemirror/legacy-modes/mode/yaml").then((all) => mode(all.yaml));

/** Languages by file extension. */
const MODES: Record<string, () => Promise<Mode>> = {
  py: () => import("@codemirror/legacy-modes/mode/python").then((all) => mode(all.python)),
  rs: () => import("@codemirror/legacy-modes/mode/rust").then((all) => mode(all.rust)),
  go: () => import("@codemirror/legacy-modes/mode/go").then((all) => mode(all.go)),
  swift: () => import("@codemirror/legacy-modes/mode/swift").then((all) => mode(all.swift)),
  lua: () => import("@codemirror/legacy-modes/mode/lua").then((all) => mode(all.lua)),
  sql: () => import("@codemirror/legacy-modes/mode/sql").then((all) => mode(all.standardSQL)),
  toml: () => import("@codemirror/legacy-modes/mode/toml").then((all) => mode(all.toml)),
  rb: ruby,
  sh: shell,
  bash: shell,
  zsh: shell,
  yml: yaml,
  yaml,
  css,
  scss: css,
  html: xml,
  xml,
  svg: xml,
  js: script("javascript"),
  mjs: script("javascript"),
  jsx: script("javascript"),
  ts: script("typescript"),
  tsx: script("typescript"),
  json: script("json"),
  c: clike("c"),
  h: clike("c"),
  cc: clike("cpp"),
  cpp: clike("cpp"),
  hpp: clike("cpp"),
  java: clike("java"),
  cs: clike("csharp"),
  kt: clike("kotlin"),
  scala: clike("scala"),
  dart: clike("dart"),
};

/** A file's language by its name; `undefined` if unknown. */
export function languageOf(path: string): string | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  return ending !== undefined && Object.hasOwn(MODES, ending) ? ending : undefined;
}

const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/comment/, "comment"],
  [/string|regexp|\bnumber\b|\batom\b/, "string"],
  [/keyword|tagName|\bdef\b|\btag\b|modifier/, "keyword"],
];

/** Longer lines are not written by hand and stay plain. */
const LONGEST_LINE = 1_000;
/** How many times in a row a mode may return without consuming anything. */
const MOST_IDLE = 8;

/** The tokens of consecutive lines. */
export async function tokensOf(language: string, lines: readonly string[]): Promise<Token[][]> {
  const { token, startState, blankLine } = (await MODES[language]?.()) ?? {};
  if (!token) return [];
  const state = startState?.(2) ?? {};
  return lines.map((text) => {
    const line = new Line(text);
    const found: Token[] = [];
    let idle = 0;
    if (text.length > LONGEST_LINE) return found;
    if (text === "") blankLine?.(state, 2);
    while (!line.eol()) {
      line.start = line.pos;
      const style = token(line, state) ?? "";
      const kind = KINDS.find(([names]) => names.test(style))?.[1];
      if (kind && line.pos > line.start) found.push({ from: line.start, to: line.pos, kind });
      // A mode may return without consuming anything; one that never consumes would loop forever.
      idle = line.pos > line.start ? 0 : idle + 1;
      if (idle > MOST_IDLE) line.next();
    }
    return found;
  });
}
