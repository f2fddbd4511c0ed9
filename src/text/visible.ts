/** Makes text from models, files and programs safe to show: makes invisible characters visible, and removes colors. */

// Terminal escape sequences: colors, cursor movements, window titles, links.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// All characters that are invisible or change the writing direction, except tab and line feed.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Returns a line or a command, with invisible characters as code points. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** Returns the output of a program, without escape sequences and with normalized line ends. */
export function output(text: string): string {
  return visible(
    text
      .replace(TERMINAL, "")
      .replace(/\r\n/g, "\n")
      .replace(/[^\n]*\r(?!$)/g, ""),
  );
}

/** Replaces the home folder with `~`. The page does not know the home folder, so this assumes the usual locations. */
export function shortPath(path: string): string {
  return visible(path.replace(/^\/(?:home|Users)\/[^/]+(?=\/|$)/, "~"));
}

/** Returns a path relative to a folder, or in full if it is elsewhere. */
export function pathIn(folder: string, path: string): string {
  if (path === folder) return shortPath(path);
  return path.startsWith(`${folder}/`) ? visible(path.slice(folder.length + 1)) : shortPath(path);
}

/** Returns a task's goal on one line, without a trailing plan digest, as in tasks of *Files*. */
export function goalWords(goal: string): string {
  return visible(goal.replace(/:[^:]*\b[0-9a-f]{40,}$/, ""));
}

/** Returns the last component of a path. */
export function baseName(path: string): string {
  return visible(path.split("/").findLast((part) => part !== "") ?? path);
}
