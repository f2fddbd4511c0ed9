/** Makes text from models, files and programs safe to look at: what cannot be seen is shown, colors are dropped. */

// Escape sequences of terminals: colors, cursor movements, window titles, links.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// Everything that draws nothing or turns the direction of writing around, but for tab and line feed.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** One line or a command: each unseen character as its code point. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** Output of a program: without the terminal's own language, line ends as they are meant. */
export function output(text: string): string {
  return visible(
    text
      .replace(TERMINAL, "")
      .replace(/\r\n/g, "\n")
      .replace(/[^\n]*\r(?!$)/g, ""),
  );
}

/** The home folder as people write it. The page does not know it; this is right for what a person's paths look like. */
export function shortPath(path: string): string {
  return visible(path.replace(/^\/(?:home|Users)\/[^/]+(?=\/|$)/, "~"));
}

/** A path as it is called inside a folder; in full where it lies elsewhere. */
export function pathIn(folder: string, path: string): string {
  if (path === folder) return shortPath(path);
  return path.startsWith(`${folder}/`) ? visible(path.slice(folder.length + 1)) : shortPath(path);
}

/** A task's goal on one line: without a last part that names a plan by its digest, as in tasks of *Files*. */
export function goalWords(goal: string): string {
  return visible(goal.replace(/:[^:]*\b[0-9a-f]{40,}$/, ""));
}

/** The last part of a path. */
export function baseName(path: string): string {
  return visible(path.split("/").findLast((part) => part !== "") ?? path);
}
