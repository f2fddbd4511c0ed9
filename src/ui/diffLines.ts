/** Parses a unified diff into rows: the kind of each line, its numbers, and which of its characters changed. */

export interface DiffLine {
  kind: "add" | "del" | "hunk" | "same";
  text: string;
  /** Its line numbers in the old and the new file. */
  before?: number;
  after?: number;
  /** The part of the text that differs from the line it replaces. */
  changed?: { from: number; to: number };
}

export interface DiffLines {
  lines: DiffLine[];
  added: number;
  removed: number;
}

export function diffLines(text: string): DiffLines {
  const lines: DiffLine[] = [];
  let [before, after, added, removed] = [0, 0, 0, 0];
  // The lines of the hunk that are still to come. Between hunks, a file begins.
  let [old, fresh] = [0, 0];
  const files: DiffLine[] = [];
  for (const raw of text.replace(/\n$/, "").split("\n")) {
    const path = old <= 0 && fresh <= 0 ? /^(?:---|\+\+\+) (.*)/.exec(raw)?.[1] : undefined;
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/.exec(raw);
    const rest = raw.slice(1);
    if (path !== undefined) {
      const file = raw.startsWith("-") ? undefined : files.at(-1);
      if (!file) lines.push(fileLine(files, path));
      else if (path !== "/dev/null") file.text = path.slice(2);
    } else if (hunk) {
      [before, after] = [Number(hunk[1]) || 1, Number(hunk[3]) || 1];
      [old, fresh] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      // The first hunk of a file starts the list, and the numbers show where it begins.
      const last = lines.at(-1);
      if (last && last !== files.at(-1)) lines.push({ kind: "hunk", text: "⋯" });
    } else if (raw.startsWith("+")) {
      lines.push({ kind: "add", text: rest, after });
      after += 1;
      fresh -= 1;
      added += 1;
    } else if (raw.startsWith("-")) {
      lines.push({ kind: "del", text: rest, before });
      before += 1;
      old -= 1;
      removed += 1;
    } else if (raw.startsWith("\\")) {
      lines.push({ kind: "hunk", text: raw.slice(2) });
    } else {
      lines.push({ kind: "same", text: rest, before, after });
      before += 1;
      after += 1;
      old -= 1;
      fresh -= 1;
    }
  }
  mark(lines);
  // The name of an only file is already on the screen.
  return { lines: files.length > 1 ? lines : lines.filter((line) => line !== files[0]), added, removed };
}

/** Returns the row of a new file, which is named `a/path` in a diff. */
function fileLine(files: DiffLine[], path: string): DiffLine {
  const file: DiffLine = { kind: "hunk", text: path.slice(2) };
  files.push(file);
  return file;
}

/**
 * Marks the changed characters. If as many lines were added as removed, each is compared with the line that it
 * replaces.
 */
function mark(lines: DiffLine[]) {
  for (let at = 0; at < lines.length; ) {
    const count = (kind: DiffLine["kind"], from: number) => {
      let end = from;
      while (lines[end]?.kind === kind) end += 1;
      return end - from;
    };
    const gone = count("del", at);
    const come = count("add", at + gone);
    for (let pair = 0; gone === come && pair < gone; pair += 1) {
      const [old, fresh] = [lines[at + pair], lines[at + gone + pair]];
      if (old && fresh) markPair(old, fresh);
    }
    at += Math.max(1, gone + come);
  }
}

function markPair(old: DiffLine, fresh: DiffLine) {
  const [a, b] = [old.text, fresh.text];
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  // Lines without a common prefix or suffix are unrelated, so nothing is marked.
  if (start + end === 0) return;
  old.changed = { from: start, to: a.length - end };
  fresh.changed = { from: start, to: b.length - end };
}
