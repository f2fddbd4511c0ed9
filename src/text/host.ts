/**
 * The host's own sentences in another language. The host speaks English everywhere; a catalogue of templates says how
 * each of its sentences reads, and what is in the holes goes over as it came: it is a path, a command, a stranger's text.
 *
 * `{name}` takes any text, `{#name}` a number, and `{@name}` another sentence of the host's (or several, joined by commas
 * or semicolons), which must be in the catalogue itself.
 */

/** What a sentence reads in the other language; nothing where the catalogue does not know it. */
export type Translator = (sentence: string) => string | undefined;

/** A hole of a template. */
const HOLE = /\{([#@]?)(\w+)\}/g;
/** Longer texts are no sentences. */
const LONGEST = 10_000;
/** A text of more sentences than these is a document. */
const MOST_SENTENCES = 16;
/** How deep sentences are in sentences; the host's own go two deep. */
const DEEPEST = 3;
/** Answers that are kept, since the same rows are drawn again and again. */
const KEPT = 2000;
/** By these first letters templates are found. */
const BEGINNING = 4;

interface Template {
  /** What is between the holes; one more than there are holes. */
  literals: string[];
  holes: { kind: string; name: string }[];
  /** Literal characters in all: of templates that fit, the one with the most of them is meant. */
  weight: number;
  /** The longest literal, which a text must hold. */
  longest: string;
  translation: string;
}

/** A translation, and how many characters of the text were the host's for certain. */
interface Said {
  text: string;
  weight: number;
}

function joined(said: readonly (Said | undefined)[], by: string): Said | undefined {
  let weight = 0;
  const texts: string[] = [];
  for (const each of said) {
    if (!each) return undefined;
    weight += each.weight;
    texts.push(each.text);
  }
  return { text: texts.join(by), weight };
}

/** Whether a template is narrow enough to be one: a hole with hardly anything around it would take any text. */
export function isNarrow(key: string): boolean {
  const { literals, holes, weight } = template(key, "");
  return (
    weight >= 8 ||
    (literals[0] ?? "").length >= 4 ||
    holes.every(({ kind }) => kind === "#") ||
    holes.some(({ kind }) => kind === "@")
  );
}

/** The holes of a template or of its translation, as they are written. */
export function holesOf(text: string): string[] {
  return [...text.matchAll(HOLE)].map(([hole]) => hole);
}

/** Reads a catalogue once; what it gives answers in the time of a look into a table. `number` writes numbers. */
export function translator(
  catalogue: Readonly<Record<string, string>>,
  number: (value: number) => string = String,
): Translator {
  const exact = new Map<string, string>();
  const byBeginning = new Map<string, Template[]>();
  const others: Template[] = [];
  for (const [key, translation] of Object.entries(catalogue)) {
    const read = template(key, translation);
    const [first = ""] = read.literals;
    if (read.holes.length === 0) {
      exact.set(key, translation);
    } else if (first.length >= BEGINNING) {
      const beginning = first.slice(0, BEGINNING);
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), read]);
    } else {
      others.push(read);
    }
  }

  const candidates = (text: string) => [
    ...(byBeginning.get(text.slice(0, BEGINNING)) ?? []),
    ...others.filter(({ longest }) => text.includes(longest)),
  ];

  /** A text that is one sentence of the catalogue from its first letter to its last. */
  const whole = (text: string, depth: number): Said | undefined => {
    const known = exact.get(text);
    if (known !== undefined) return { text: known, weight: text.length };
    if (depth > DEEPEST) return undefined;
    let best: Said | undefined;
    for (const candidate of candidates(text)) {
      // Where what fills a hole holds the words behind it, the first place may be the wrong one to end it.
      const filled =
        fill(candidate, ends(candidate, text, false), depth) ??
        fill(candidate, ends(candidate, text, true), depth);
      if (filled && filled.weight > (best?.weight ?? 0)) best = filled;
    }
    return best;
  };

  const fill = (of: Template, values: string[] | undefined, depth: number): Said | undefined => {
    if (!values) return undefined;
    const said = new Map<string, string>();
    let { weight } = of;
    for (const [place, { kind, name }] of of.holes.entries()) {
      const value = values[place] ?? "";
      if (kind === "#" && !/^\d{1,15}(?:\.\d{1,3})?$/.test(value)) return undefined;
      const within = kind === "@" ? inside(value, depth + 1) : undefined;
      if (kind === "@" && !within) return undefined;
      weight += within?.weight ?? 0;
      said.set(name, within?.text ?? (kind === "#" ? number(Number(value)) : value));
    }
    // In one pass, so that a hole's name in what filled another stays the text that it is.
    const text = of.translation.replace(HOLE, (hole, _kind, name: string) => said.get(name) ?? hole);
    return { text, weight };
  };

  /** One sentence, several, or a list of them: `; ` joins lists, `, ` what is in one. */
  const inside = (text: string, depth: number): Said | undefined =>
    whole(text, depth) ?? sentences(text, depth) ?? list(text, "; ", depth) ?? list(text, ", ", depth);

  const list = (text: string, by: "; " | ", ", depth: number): Said | undefined => {
    const parts = text.split(by);
    if (parts.length < 2 || parts.length > MOST_SENTENCES) return undefined;
    return joined(
      parts.map((part) => whole(part, depth) ?? (by === "; " ? list(part, ", ", depth) : undefined)),
      by,
    );
  };

  /** Several sentences one after the other, each as long as the catalogue has it. */
  const sentences = (text: string, depth: number): Said | undefined => {
    const pieces = text.split(/(?<=[.?!]) /);
    if (pieces.length < 2 || pieces.length > MOST_SENTENCES) return undefined;
    const said: Said[] = [];
    for (let from = 0; from < pieces.length; ) {
      let to = pieces.length;
      let found: Said | undefined;
      for (; to > from && !found; to -= found ? 0 : 1)
        found = sentence(pieces.slice(from, to).join(" "), depth);
      if (!found) return undefined;
      said.push(found);
      from = to;
    }
    return joined(said, " ");
  };

  /** A sentence, or one that got its full stop only because another follows it. */
  const sentence = (text: string, depth: number): Said | undefined => {
    const said = whole(text, depth);
    if (said || !text.endsWith(".")) return said;
    const bare = whole(text.slice(0, -1), depth);
    return bare && { ...bare, text: `${bare.text}.` };
  };

  const kept = new Map<string, string | undefined>();
  return (text) => {
    if (text.length > LONGEST) return undefined;
    if (kept.has(text)) return kept.get(text);
    const said = inside(text, 0)?.text;
    if (kept.size >= KEPT) kept.clear();
    kept.set(text, said);
    return said;
  };
}

function template(key: string, translation: string): Template {
  const holes = [...key.matchAll(HOLE)].map(([, kind = "", name = ""]) => ({ kind, name }));
  const literals = key.split(/\{[#@]?\w+\}/);
  const longest = literals.reduce((most, literal) => (literal.length > most.length ? literal : most), "");
  return { literals, holes, weight: literals.join("").length, longest, translation };
}

/**
 * What fills the holes of a template that a text fits, each ending at the first place (or the last) where the words
 * behind it stand. In the time of one pass over the text, whatever it holds.
 */
function ends({ literals, holes }: Template, text: string, atLast: boolean): string[] | undefined {
  const head = literals[0] ?? "";
  const tail = literals.at(-1) ?? "";
  if (head.length + tail.length > text.length || !text.startsWith(head) || !text.endsWith(tail))
    return undefined;
  const middle = literals.slice(1, -1);
  const cuts: number[] = [];
  let from = head.length;
  let to = text.length - tail.length;
  for (const literal of atLast ? middle.toReversed() : middle) {
    // A negative place would be taken for the beginning.
    if (atLast && to - literal.length < from) return undefined;
    const at = atLast ? text.lastIndexOf(literal, to - literal.length) : text.indexOf(literal, from);
    if (at < from || at + literal.length > to) return undefined;
    cuts.push(at);
    if (atLast) to = at;
    else from = at + literal.length;
  }
  if (atLast) cuts.reverse();
  let begin = head.length;
  return holes.map((_, place) => {
    const end = cuts[place] ?? text.length - tail.length;
    const value = text.slice(begin, end);
    begin = end + (middle[place]?.length ?? 0);
    return value;
  });
}
