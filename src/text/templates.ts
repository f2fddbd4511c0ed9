/**
 * The catalogue of messages as templates for matching: for sentences that come as bare English, since an older journal
 * holds them or since they are within a sentence that is not a message yet.
 */
import { isNarrow } from "./host";

/** A comment that says what an argument is. */
const ARGUMENT = /^# \$(\w+) \((Message|Number)\)/;
/** A message of one line. */
const MESSAGE = /^([a-z0-9-]+) = (.+)$/;
/** What a template has no word for: a choice, a character that Fluent would read. */
const BEYOND = /\{ \$\w+ ->|\{"/;

type Templates = Record<string, string>;

/** Templates from files in English and in another language, by the names of the files. */
export function templates(english: Record<string, string>, other: Record<string, string>): Templates {
  const said = Object.values(other).join("\n");
  const translations = new Map(entries(said).map(({ id, text }) => [id, text]));
  const all: Templates = {};
  for (const { id, text, kinds } of entries(Object.values(english).join("\n"))) {
    const translation = translations.get(id);
    const key = template(text, kinds);
    if (translation !== undefined && isNarrow(key) && !key.includes("}{"))
      all[key] = template(translation, kinds);
  }
  return all;
}

/** Messages of one line without choices, with what their comments say of their arguments. */
function entries(file: string) {
  const found: { id: string; text: string; kinds: Map<string, string> }[] = [];
  let kinds = new Map<string, string>();
  for (const line of file.split("\n")) {
    const [, argument = "", kind] = ARGUMENT.exec(line) ?? [];
    const [, id, text = ""] = MESSAGE.exec(line) ?? [];
    if (kind) kinds.set(argument, kind === "Message" ? "@" : "#");
    if (id === undefined) continue;
    if (!BEYOND.test(text)) found.push({ id, text, kinds });
    kinds = new Map();
  }
  return found;
}

function template(text: string, kinds: ReadonlyMap<string, string>): string {
  return text.replace(/\{ \$(\w+) \}/g, (_, name: string) => `{${kinds.get(name) ?? ""}${name}}`);
}
