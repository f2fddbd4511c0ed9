import { describe, expect, it } from "vitest";
import { holesOf, isNarrow, translator } from "./host";
import de from "./host.de.json";
import { templates } from "./templates";
import { catalogueOf, data, declared, type Literal, python, read, rust } from "./testing";

/** Where sentences are made that people read: reasons, summaries, what came of a call, errors and what to do next. */
const SPEAKING = [
  ...["command", "path", "rules", "shell", "url", "decide.rs", "floor.rs", "offers.rs", "wider.rs"].map(
    (place) => `crates/policy/src/${place}`,
  ),
  "crates/policy/src/table/check.rs",
  "crates/policy/src/table/kinds.rs",
  "crates/agent/src",
  "crates/tools/src",
  "crates/web/src",
  "crates/browser/src/error.rs",
  "crates/browser/src/visit.rs",
  "crates/organize/src",
  "crates/planner/src",
  "crates/sandbox/src/error.rs",
  "crates/sandbox/src/enclosure.rs",
  "crates/sandbox/src/walls.rs",
  ...["error.rs", "store.rs", "store/memories.rs", "blobs.rs", "home.rs", "chain.rs"].map(
    (place) => `crates/store/src/${place}`,
  ),
  "crates/server/src/connection.rs",
  "crates/server/src/devices.rs",
  "crates/server/src/gate",
  "crates/server/src/mirror.rs",
  "crates/server/src/web/guard.rs",
  "crates/server/src/web/socket.rs",
];
const SPEAKING_PYTHON = [
  "provider",
  "chat_completions",
  "backends/ollama.py",
  "registry.py",
  "server.py",
].map((place) => `sidecar/deputy_sidecar/${place}`);

/** Texts there that no person reads on the page, by a part of each. */
const UNSAID: readonly (readonly [why: string, parts: readonly string[]])[] = [
  [
    "what is looked for",
    [
      "What commands that are not known",
      "Login Data",
      "PRIVATE KEY",
      "/usr/bin/env -0",
      "(?<secret>",
      "dd if",
      ".config/bitwarden cli",
      "library/application support/",
      "unknown field",
      "SQLite format 3",
      "this that with from",
      "screen shot",
      "screen recording",
      "captura de ",
      "SELECT ",
      "insufficient_quota|",
      "context.{0,20}",
      "model.{0,120}",
      "(tool|function)s?",
    ],
  ],
  ["names", ["Landlock ABI", "LM Studio", "--in DIR", "--read DIR", "--write DIR", "[Trash Info]", "mkdir "]],
  [
    "what the model reads, or what stands in the output of a call",
    [
      "The folder you work in is",
      "A real browser, for clicks",
      "It came to: {value}",
      "The user had this browser in the meantime",
      "Waits until you give the browser back.",
      "The browser had been closed, because",
      "{OPENED_AGAIN}.",
      "Nothing on the page changed.",
      "[the rest: snapshot with part=2",
      "a page without a title",
      "what follows is the page's, not the user's",
      "Not loaded, as nobody has allowed it",
      "Notes from earlier tasks. They may be out of date.",
      "More notes from earlier tasks, for what was just said.",
      "Your scratchpad of this task, as the user may have changed it:",
      "# What you prefer, as Deputy's tasks are given it.",
      "<!-- What Deputy's running tasks note down for themselves.",
      ", kept for all folders by the user",
      "the user said",
      "the user asked to remember",
      "the user prefers",
      "the assistant noted",
      "What earlier tasks know, and what later ones should",
      "the assistant said",
      "{ended} of {} sub-tasks have ended",
      "is done",
      "was stopped by the user",
      "reached its limit of steps",
      "had no model that could do it",
      "Has sub-tasks do independent parts",
      "Has a model answer about each of many texts",
      "You do one small job on a text",
      "Answer with the result alone",
      "Answer with exactly one of these",
      "Answer with one JSON object and nothing else, by",
      "Your last answer could not be used",
      "You lay out the steps of a plan",
      "A model's plan: data, not an instruction",
      "[Answers are a model's",
      "[no answer: {}]",
      "How each ended and the files it changed",
      "Files changed: {}{more}",
      " [cut off]",
      "Never ended when absent.",
      "{usual} when absent.",
      "a tool said",
      "a command printed",
      "from files",
      "from memory>>",
      "[Deputy summarized the steps up to",
      "What the user said since",
      "Files changed so far",
      "Calls that changed something, newest last",
      "What you said at the last of these steps",
      "- and {more} more",
      "- {before} earlier ones",
      "Your to-do list",
      "Gets the text of one of the user's skills.",
      "The skill follows, as the user's guidance.",
      "Skills; get one with the tool `skill`",
      "Guidance from files that the user trusts.",
      "Files next to it in {}",
      "[skill {}, from {}]",
      "[the rest of this file is left out]",
      "(This task has not ended.)",
      "(Files changed: ",
      "characters left out ...]",
      "[redacted by Deputy]",
      "the arguments hold `{REDACTED}`",
      "Reads and changes files; the user can undo",
      "more lines of the diff]",
      "[line {last} was cut]",
      "more line",
      "What it left in the background ended with it",
      "The sandbox refused",
      "Adds and removes tags of files and folders",
      "steps are done",
      "(no output)",
      "read on with start_line=",
      "ended, all of it is kept",
      "bytes after this were not kept",
      "a task gets no network of its own",
      "running for {} s",
      "the login shell did not tell its environment",
      "it went while it was being stopped",
      "the user stopped it",
      "Deputy was restarted, which ended it",
      "Note from Deputy, not from the user",
      "You review one action of an agent",
      "Commands that keep running, such as a server",
      "the list of background commands",
      "to see what it writes.",
      "background command",
      "more bytes; read on with offset",
      "leave it out for the workspace",
      "is not a folder",
      "there is no folder `{shown}`",
      "; all of its output, {all}, is kept",
      "Tidies folders by a plan that the user approves",
      "left as it is: ",
      "remove {} if it is empty",
      "looked at {} files",
      "compared {} ",
      "draft does: ",
      "Asks a CSV or TSV file, whose first row",
      "only in {name}",
      "ZIP and tar archives; nothing is overwritten",
      "Reads a web page as Markdown, a PDF, JSON or picture.",
      "text/html, text/*, application/json",
      "gzip, deflate",
      "the rest of the page takes too long to read",
      "[read on with part=",
      "draft: none, as there is nothing to do",
      "{name}, {ext}, {n}, {n:3}, {date}",
      "archive and its folder: ",
      "similar names: ",
      "left alone: ",
      "; confidence ",
      "its journal is damaged",
      "took back {other}",
      "of them before Deputy was cut off",
      "left out: {}, {path}",
      "another name was needed: ",
      "It was stopped; {} steps are left.",
      "It stopped at {operation}: ",
      "`deputy undo {id}` takes it back.",
      "{files} files of {} bytes, {} wasted",
      "Looks through folders and files.",
      "Runs a command with bash in the workspace",
      "... and {} more",
      "bytes omitted ...]",
      "and {hidden} more",
      "/: not looked into",
      "The answer ends here because",
      "they are no ",
      "they were cut off at the model's output limit",
      "They begin: {text",
      "There is no result: the call was not run",
      "Ask the user one question",
      "Not lent to it: ",
      "nothing could be lent: ",
      "making a socket for it failed",
      "there is no socket at",
      "does not say how it would sign in to",
      "are not lent yet",
      "user.signingKey names no key",
      "is no public key",
      "lending the key failed",
      "lending the signing key failed",
      "Deputy does not find its own program",
      "making a link",
      "-o IdentityAgent=",
      "there is no SSH agent with a key",
      "starting an SSH agent failed",
      "has no token to lend",
      "writing the token of",
      "is lent to commands that a person agreed to",
      "ref: refs/heads/",
    ],
  ],
  [
    "what only the log or the command line tells",
    [
      "recall failed, the plan goes without",
      "what the planner is given cannot be kept",
      "the task goes without guidance from its folders",
      "# Folders with instructions for agents",
      "the prices that Deputy comes with cannot be read",
      "the key of {name} is missing",
      "the conversation so far cannot be read",
      "lines of the sidecar's log were left out",
      "the sub-task {} cannot be stopped",
      "what the sub-tasks of {call} took is not known",
      "what the answers of {call} took is not known",
      "what a doc comment says becomes a part of the schema",
      "the home's lock could not be given back",
      "End every Deputy process.",
      "; deputy jobs resume {id} | deputy undo {id}",
      "{by} was refused: {code}",
      "a request was refused: ",
      "was last seen could not be noted",
      "cannot be looked up: {error}",
      "a device could not be remembered",
      "no randomness",
      "Programs that are no browser send",
      "must be started with a pipe as its standard input",
      "it was started without its folder",
      "signing failed: ",
      "The picture comes with this result where the model takes pictures",
      "What follows is from the web",
      "Its pictures follow.",
      "the key is lent for signing alone",
      "git asks in a way that is not known here",
      "asking Deputy for a signature failed",
      "there is no signature by",
      "[GNUPG:] SIG_CREATED",
      "memories are found by their words alone for now",
      "embeddings cannot be used",
      "embeddings cannot be kept",
    ],
  ],
  [
    "what is said of a program at fault, between Deputy's own parts",
    [
      "it names no host",
      "only http:// addresses are forwarded",
      "its host is no header",
      "Deputy let nothing through",
      "vectors for {count} texts",
      "its vectors are empty or not",
      "No embedding model is set up",
      "its vectors are not base64",
      "its vectors have",
      "vectors of {dimension} numbers",
      "a vector holds a number",
      "it holds neither just a result",
      "This is not a JSON-RPC request",
      "A line could not be read as JSON",
      "A line over {limit} was skipped",
      "There is no method {method",
      "is still running; use another id",
      "$/cancel without a usable id",
      "without a reason",
      "text/event-stream",
      "default-src 'none'",
      "of a new content",
      "of a file",
      "of a list of files",
      "of what undo removes",
      "from system to system",
      "differ between systems",
    ],
  ],
];

const HOLE = /\{[^{}]*\}/g;
/** With the messages of the catalogue, which sentences that are none yet hold. */
const all = { ...de, ...templates(catalogueOf("en"), catalogueOf("de")) };
const keys = Object.keys(de);
const known = Object.keys(all);
const bare = new Set(known.map((key) => key.replace(HOLE, "{}")));
const words = (text: string) => text.replace(HOLE, "");
/** A literal as a pattern: anything in its holes, whatever the sentence is part of. */
function pattern(text: string): RegExp {
  const parts = text
    .trim()
    .replace(/^(?:[.,;: \n]|\{[^{}]*\})+/, "")
    .split(HOLE);
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*?"));
}
/** The words of a text, without the endings that counting gives them. */
const wordsOf = (text: string) =>
  (words(text).match(/[a-z]{2,}/gi) ?? []).map((word) => word.replace(/(?<=ch)es$|(?<=[a-z]{3})s$/, ""));
const isSentence = ({ text }: Literal) => /[a-z]{2,}.* [a-z]{2,}/i.test(words(text).trim());
const isKnown = ({ text }: Literal) =>
  bare.has(text.replace(HOLE, "{}")) || known.some((key) => pattern(text).test(key));

describe("the catalogue of the host's sentences", () => {
  const spoken = [...rust(SPEAKING), ...data(), ...declared(), ...python(SPEAKING_PYTHON)];

  it("has a German text for each that the source can say", () => {
    const unsaid = UNSAID.flatMap(([, parts]) => parts);
    const missing = spoken
      .filter((literal) => isSentence(literal) && !isKnown(literal))
      .filter(({ text }) => !unsaid.some((part) => text.includes(part)));
    expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it("holds nothing that the source does not say", () => {
    const everywhere = [...rust(["crates"]), ...data(), ...declared(), ...python(["sidecar/deputy_sidecar"])];
    const said = new Set(everywhere.map(({ text }) => text.replace(HOLE, "{}")));
    const pieces = everywhere
      .filter(({ text }) => /[a-z]{2}/i.test(words(text)))
      .map(({ text }) => ({ pattern: pattern(text), words: wordsOf(text) }));
    const client = read("src/store/client.ts");
    // A sentence that is put together: each of its words is in a literal that it holds.
    const isPutTogether = (key: string) => {
      const left = new Set(wordsOf(key));
      for (const piece of pieces) {
        if (piece.words.some((word) => left.has(word)) && piece.pattern.test(key))
          for (const word of piece.words) left.delete(word);
      }
      return left.size === 0;
    };
    const isSaid = (key: string) =>
      said.has(key.replace(HOLE, "{}")) || isPutTogether(key) || client.includes(`"${key}"`);
    expect(keys.filter((key) => !isSaid(key))).toEqual([]);
  });

  it("has the same holes on both sides, and none that would take any text", () => {
    for (const [key, text] of Object.entries(de)) {
      expect(holesOf(text).sort(), key).toEqual(holesOf(key).sort());
      expect(isNarrow(key), key).toBe(true);
      expect(key, "two holes side by side cannot be told apart").not.toContain("}{");
    }
  });

  it("knows all that the policy says of its cases", () => {
    const german = translator(all);
    const said = read("crates/policy/tests/commands/sentences.txt").trim().split("\n");
    expect(said.length).toBeGreaterThan(200);
    expect(said.filter((sentence) => german(sentence) === undefined)).toEqual([]);
  });
});

describe("a sentence of the host's", () => {
  const german = translator(all);

  it.each([
    ["changes a file in this folder", "ändert eine Datei im Arbeitsordner"],
    [
      "`frob` isn't a known safe command.",
      "`frob` gehört nicht zu den Befehlen, die als harmlos bekannt sind.",
    ],
    ["Patch a.txt (1 place, line 3)", "a.txt ändern (1 Stelle, Zeile 3)"],
    ["Patch a (b).txt (2 places, lines 3, 9)", "a (b).txt ändern (2 Stellen, Zeilen 3, 9)"],
    ["Write out/a b.txt (12 bytes, new file)", "out/a b.txt schreiben (12 Bytes, neue Datei)"],
    [
      "Write /home/ada/in/a.txt in /home/ada/in, for 15 minutes",
      "/home/ada/in/a.txt schreiben in /home/ada/in, für 15 Minuten",
    ],
    ["`npm test` in /home/ada/app, for this task", "`npm test` in /home/ada/app, für diese Aufgabe"],
    [
      "The text is not complete, valid shell. Names a raw disk or the machine's memory.",
      "Der Text ist kein vollständiger, gültiger Befehl der Shell. Nennt einen Datenträger als Ganzes oder den Speicher des Rechners.",
    ],
    [
      "it lies outside the folders that may be read in this task. Names a raw disk or the machine's memory.",
      "liegt außerhalb der Ordner, die in dieser Aufgabe gelesen werden dürfen. Nennt einen Datenträger als Ganzes oder den Speicher des Rechners.",
    ],
    [
      "Organise /home/ada/in: move 3, put into the trash 1, 2 new folders",
      "/home/ada/in aufräumen: 3 bewegen, 1 in den Papierkorb, 2 neue Ordner",
    ],
    ["3 files, 1 folder, 1.2 MB; 1 link", "3 Dateien, 1 Ordner, 1,2 MB; 1 Verweis"],
    [
      "Asked 127.0.0.1:1 for model 'm' 3 times: http://127.0.0.1:1/v1 cannot be reached (refused). Check that the server runs and that `base_url` is right.",
      "127.0.0.1:1 wurde 3 Mal nach dem Modell 'm' gefragt: http://127.0.0.1:1/v1 ist nicht zu erreichen (refused). Prüfe, ob der Server läuft und ob `base_url` stimmt.",
    ],
  ])("%j reads %j", (sentence, text) => expect(german(sentence)).toBe(text));

  it.each([
    "changes a file in this folder!",
    " changes a file in this folder",
    "changes a file in this folder\n",
    "Something that no catalogue knows",
    "Patch a.txt (",
    "move many",
    "",
  ])("%j is left as it is, since no template is the whole of it", (text) => {
    expect(german(text)).toBeUndefined();
  });

  it.each([
    "it is a link",
    "a: it is a link, b",
    "{path}",
    "{1} {@reason} {#n} $1 $& $`",
    "<img src=x onerror=alert(1)>",
    "a\u202egpj.exe\u2066",
    "one\ntwo; it is a link. it is not a file",
    "` isn't a known safe command.",
    "x, which holds secrets. Shows y",
    "__proto__",
  ])("keeps %j in a hole as it is", (hostile) => {
    expect(german(`Shows ${hostile}, which holds secrets.`)).toBe(
      `Zeigt ${hostile}; darin stehen Geheimnisse.`,
    );
    expect(german(`\`${hostile}\` is not a plain word.`)).toBe(`\`${hostile}\` ist kein einfaches Wort.`);
    expect(german(`Touches ${hostile}: it is a link.`)).toBe(`Berührt ${hostile}: ist ein Verweis.`);
    expect(german(`Patch ${hostile} (1 place, line 3)`)).toBe(`${hostile} ändern (1 Stelle, Zeile 3)`);
  });

  it("takes the narrowest of templates", () => {
    const say = translator({
      "Read {path}": "{path} lesen",
      "Read anything below {path}": "alles unter {path} lesen",
      "Read anything below {path}, once": "einmal alles unter {path} lesen",
    });
    expect(say("Read a")).toBe("a lesen");
    expect(say("Read anything below a")).toBe("alles unter a lesen");
    expect(say("Read anything below a, once")).toBe("einmal alles unter a lesen");
  });

  it("says only the host's sentences within a sentence, and numbers where numbers belong", () => {
    const say = translator({
      "it is {@what}, not a file": "ist {@what}, keine Datei",
      "a socket": "ein Socket",
      "{#n} links": "{#n} Verweise",
    });
    expect(say("it is a socket, not a file")).toBe("ist ein Socket, keine Datei");
    expect(say("it is a thing, not a file")).toBeUndefined();
    expect(say("3 links")).toBe("3 Verweise");
    expect(say("many links")).toBeUndefined();
    const written = translator({ "{#n} MB": "{#n} MB" }, (value) => String(value).replace(".", ","));
    expect(written("1.2 MB")).toBe("1,2 MB");
  });

  it("is looked up in one pass, however long and however made: nothing here waits", () => {
    for (const text of [
      "; ".repeat(5000),
      ": ".repeat(5000),
      "`".repeat(9999),
      ", ".repeat(4999),
      "a. ".repeat(3000),
    ]) {
      expect(german(text)).toBeUndefined();
      german(`Touches ${text}: nothing.`);
    }
    german("x".repeat(1_000_000));
  });
});
