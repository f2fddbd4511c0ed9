/**
 * The catalogue of messages as templates for matching: for sentences that come as bare English, since an older journal
 * holds them or since they are within a sentence that is not a message yet.
 */
import { FluentResource } from "@fluent/bundle";
import { isNarrow } from "./host";

/** A comment that says what an argument is. */
const ARGUMENT = /^# \$(\w+) \((Message|Number)\)/;
/** Where a message begins. */
const MESSAGE = /^([a-z0-9-]+) =/;
/** Keys of plural forms. */
const PLURALS = ["zero", "one", "two", "few", "many"];

type Templates = Record<string, string>;
type Pattern = NonNullable<FluentResource["body"][number]["value"]>;
type Element = Exclude<Pattern, string>[number];
type Kinds = ReadonlyMap<string, string>;
/** Which variant is said, by the argument that chooses. */
type Choice = ReadonlyMap<string, string>;

/** Templates from files in English and in another language, by the names of the files: one for each variant of a message. */
export function templates(english: Record<string, string>, other: Record<string, string>): Templates {
  const translations = patterns(other);
  const declared = kindsOf(english);
  const all: Templates = {};
  for (const [id, pattern] of patterns(english)) {
    const translation = translations.get(id);
    if (translation === undefined || [pattern, translation].some(holdsBraces)) continue;
    const kinds = new Map([...plurals(pattern), ...(declared.get(id) ?? [])]);
    for (const choice of choices(pattern)) {
      const key = written(pattern, choice, kinds);
      if (isNarrow(key) && !key.includes("}{")) all[key] = written(translation, choice, kinds);
    }
  }
  return all;
}

function patterns(files: Record<string, string>): Map<string, Pattern> {
  const messages = Object.values(files).flatMap((file) => new FluentResource(file).body);
  return new Map(messages.flatMap(({ id, value }) => (value === null ? [] : [[id, value]])));
}

/** What the comments of messages say of their arguments. */
function kindsOf(files: Record<string, string>): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  let kinds = new Map<string, string>();
  for (const line of Object.values(files).join("\n").split("\n")) {
    const [, argument = "", kind] = ARGUMENT.exec(line) ?? [];
    const id = MESSAGE.exec(line)?.[1];
    if (kind) kinds.set(argument, kind === "Message" ? "@" : "#");
    if (id === undefined) continue;
    found.set(id, kinds);
    kinds = new Map();
  }
  return found;
}

const elements = (pattern: Pattern): readonly Element[] =>
  typeof pattern === "string" ? [pattern] : pattern;

/** What a template has no word for. */
function holdsBraces(pattern: Pattern): boolean {
  return elements(pattern).some((element) => typeof element !== "string" && element.type === "str");
}

/** The choices of a pattern: by which argument, and the keys. */
function selections(pattern: Pattern): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const element of elements(pattern)) {
    if (typeof element === "string" || element.type !== "select" || element.selector.type !== "var") continue;
    const keys = element.variants.map(({ key }) => String(key.value));
    found.set(element.selector.name, keys);
  }
  return found;
}

function plurals(pattern: Pattern): [string, string][] {
  const counting = [...selections(pattern)].filter(([, keys]) => keys.some((key) => PLURALS.includes(key)));
  return counting.map(([name]) => [name, "#"]);
}

/** Each combination of variants. */
function choices(pattern: Pattern): Choice[] {
  let all: Map<string, string>[] = [new Map()];
  for (const [name, keys] of selections(pattern))
    all = all.flatMap((choice) => keys.map((key) => new Map([...choice, [name, key]])));
  return all;
}

function written(pattern: Pattern, choice: Choice, kinds: Kinds): string {
  const parts = elements(pattern).map((element) => {
    if (typeof element === "string") return element;
    if (element.type === "var") return `{${kinds.get(element.name) ?? ""}${element.name}}`;
    if (element.type !== "select" || element.selector.type !== "var") return "";
    const key = choice.get(element.selector.name);
    const chosen = element.variants.find((variant) => String(variant.key.value) === key);
    const variant = chosen ?? element.variants[element.star];
    return variant ? written(variant.value, choice, kinds) : "";
  });
  return parts.join("");
}
