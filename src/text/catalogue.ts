/**
 * Translates the host's messages by id and arguments, with the same catalog that the host is built with
 * (`crates/messages`). Arguments are data: they are not interpreted.
 */
import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import type { CatalogueMessage } from "../protocol";

/** The maximum nesting of messages. The host's own messages have three levels. */
const DEEPEST = 8;

/** Translates a message. Returns `undefined` if the catalog does not contain it. */
export type Catalogue = (message: CatalogueMessage) => string | undefined;

/** Creates the catalog of a language from its files. */
export function catalogue(language: string, files: readonly string[]): Catalogue {
  // The page makes control characters visible, so Fluent's isolation marks around arguments are off.
  const bundle = new FluentBundle(language, { useIsolating: false });
  for (const file of files) bundle.addResource(new FluentResource(file));

  const say = (id: string, args: Record<string, unknown>, depth: number): string | undefined => {
    if (id === "joined") return joined(args, depth);
    const pattern = bundle.getMessage(id)?.value;
    if (!pattern) return undefined;
    const values: Record<string, FluentVariable> = {};
    for (const [name, value] of Object.entries(args)) {
      const said = typeof value === "number" ? value : text(value, depth);
      if (said === undefined) return undefined;
      values[name] = said;
    }
    const errors: Error[] = [];
    const said = bundle.formatPattern(pattern, values, errors);
    return errors.length === 0 ? said : undefined;
  };

  const joined = ({ by, items }: Record<string, unknown>, depth: number): string | undefined => {
    if (typeof by !== "string" || !Array.isArray(items)) return undefined;
    const said = items.map((item) => text(item, depth));
    return said.some((item) => item === undefined) ? undefined : said.join(by);
  };

  /** Returns an argument as text: a string unchanged, a message translated. */
  const text = (value: unknown, depth: number): string | undefined => {
    if (typeof value === "string") return value;
    if (typeof value !== "object" || value === null || depth >= DEEPEST) return undefined;
    const { id, args = {}, text: words } = value as { id?: unknown; args?: unknown; text?: unknown };
    if (id === undefined && typeof words === "string") return words;
    if (typeof id !== "string" || typeof args !== "object" || args === null) return undefined;
    return say(id, args as Record<string, unknown>, depth + 1);
  };

  return (message) => text(message, 0);
}
