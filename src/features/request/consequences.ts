/**
 * Describes what a command does in a few words, for the headline of a request: `rm -rf a b` is "Delete a
 * and b". The headline has only the verb and its objects, because the card shows the command itself below.
 * A command that is not known here is described by its program.
 */
import { currentLanguage, t, tn } from "../../text";
import { baseName, pathIn, visible } from "../../text/visible";

/** The maximum number of names that are listed. More are counted. */
const NAMED = 2;

export function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: "conjunction" }).format(names);
}

/** Splits a simple command, as the host writes it, into words. `undefined` if it has more syntax than quotes. */
export function wordsOf(command: string): string[] | undefined {
  const words: string[] = [];
  const pattern = /\s*(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\]+))(?=\s|$)/gy;
  while (pattern.lastIndex < command.length) {
    const found = pattern.exec(command);
    if (!found) return undefined;
    words.push(found[1] ?? found[2] ?? found[3] ?? "");
  }
  return words;
}

/** Returns the words after a program that are not options, without a lone `--`. */
function operands(words: readonly string[]): string[] {
  const end = words.indexOf("--");
  const before = (end < 0 ? words : words.slice(0, end)).filter((word) => !word.startsWith("-"));
  return end < 0 ? before : [...before, ...words.slice(end + 1)];
}

/** `a.log and b.log`, or `6 items in logs` if they are in the same folder, or `6 items in this folder`. */
function things(paths: readonly string[], cwd: string): string {
  if (paths.length <= NAMED) return listOf(paths.map((path) => pathIn(cwd, path)));
  const folders = new Set(paths.map((path) => path.replace(/\/*$/, "").replace(/\/?[^/]*$/, "")));
  const [folder = ""] = folders;
  if (folders.size === 1 && ["", ".", cwd].includes(folder)) return tn("request.items_here", paths.length);
  return folders.size === 1
    ? tn("request.items_in", paths.length, { folder: pathIn(cwd, folder) })
    : tn("request.items", paths.length);
}

const DELETES = ["rm", "unlink", "rmdir", "shred"];
const INSTALLERS: Record<string, readonly string[]> = {
  npm: ["install", "i", "add", "ci"],
  pnpm: ["install", "i", "add"],
  yarn: ["install", "add"],
  pip: ["install"],
  pip3: ["install"],
  cargo: ["install", "add"],
  apt: ["install"],
  "apt-get": ["install"],
};
/** The options that make `git push` overwrite or delete commits that others see. */
const FORCES =
  /^(?:--force(?:-with-lease|-if-includes)?(?:=.*)?|--mirror|--delete|--prune|-[a-z]*[fd][a-z]*)$/;

function ofGit(words: readonly string[]): string | undefined {
  const [verb = "", ...rest] = words;
  const [first, ...others] = operands(rest);
  switch (verb) {
    case "push": {
      const values = { what: visible(listOf(others) || t("request.do.branch")), to: visible(first ?? "") };
      const isForced = rest.some((word) => FORCES.test(word)) || others.some((ref) => /^[+:]/.test(ref));
      if (!first) return t(isForced ? "request.do.force_push_all" : "request.do.push_all");
      return t(isForced ? "request.do.force_push" : "request.do.push", values);
    }
    case "commit":
      return t("request.do.commit");
    case "reset":
      return rest.includes("--hard") ? t("request.do.reset") : undefined;
    case "clean":
      return t("request.do.clean");
    default:
      return undefined;
  }
}

/** Returns the hosts of the URLs among the words. */
function hostsIn(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    if (!/^https?:\/\//i.test(word)) return [];
    try {
      return [new URL(word).hostname];
    } catch {
      return [];
    }
  });
}

/**
 * Describes what a simple command does. `undefined` if it is not known. `hosts` are the hosts that the host process
 * found in it.
 */
function known(words: readonly string[], cwd: string, hosts: readonly string[]): string | undefined {
  const [path = "", ...rest] = words;
  const program = baseName(path);
  const about = operands(rest);
  const [first, second] = about;
  if (DELETES.includes(program) && first) return t("request.do.delete", { what: things(about, cwd) });
  if (program === "git") return ofGit(rest);
  if (program === "mkdir" && first) return t("request.do.mkdir", { what: things(about, cwd) });
  if ((program === "mv" || program === "cp") && rest.length === 2 && first && second) {
    const values = { from: pathIn(cwd, first), to: pathIn(cwd, second) };
    return t(program === "mv" ? "request.do.move" : "request.do.copy", values);
  }
  if (INSTALLERS[program]?.includes(first ?? "")) {
    const wanted = about.slice(1).map(visible);
    if (wanted.length === 0) return t("request.do.install_all");
    const what = wanted.length <= NAMED ? listOf(wanted) : tn("request.packages", wanted.length);
    return t("request.do.install", { what });
  }
  const called = [...new Set([...hosts, ...hostsIn(rest)])];
  if ((program === "curl" || program === "wget") && called.length > 0) {
    const host = listOf(called.slice(0, NAMED).map(visible));
    const sends = rest.some((word) =>
      /^(?:-[a-zA-Z]*[dFT]|--data.*|--form.*|--json.*|--upload-file.*|--post-.*|--body-.*|-X.*|--request.*|--method.*)$/.test(
        word,
      ),
    );
    return t(sends ? "request.do.send" : "request.do.download", { host });
  }
  return undefined;
}

/** Programs whose second word says what they do. */
const SPEAKING = [
  "cargo",
  "npm",
  "pnpm",
  "yarn",
  "pip",
  "git",
  "docker",
  "go",
  "make",
  "systemctl",
  "kubectl",
];

/** Describes what a simple command does, or which program it runs. */
export function consequence(command: string, cwd: string, hosts: readonly string[]): string {
  const words = wordsOf(command);
  const found = words && known(words, cwd, hosts);
  if (found) return found;
  const [program = command, verb] = words ?? command.split(" ");
  const name = baseName(program);
  const more = SPEAKING.includes(name) && verb && /^[a-z][\w:-]*$/.test(verb) ? ` ${visible(verb)}` : "";
  return t("request.do.run", { what: name + more });
}
