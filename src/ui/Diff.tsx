/** A unified diff, line by line. Long diffs use a separate viewer. */
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { number, t, tn } from "../text";
import { visible } from "../text/visible";
import { type DiffLine, diffLines } from "./diffLines";
import { endsOf } from "./ends";
import { Gap } from "./Gap";
import type { Token } from "./highlight";
import "./ui.css";

const CodeView = lazy(() => import("./CodeView"));

/** The maximum number of lines that are all drawn. Longer diffs draw only the lines in view. */
const PLAIN_LINES = 120;

interface Props {
  text: string;
  label: string;
  /** Whether a long one shows its ends until it is opened. */
  isShort?: boolean;
}

export function Diff({ text, label, isShort = false }: Props) {
  const [isWhole, setWhole] = useState(!isShort);
  const { lines, added, removed } = useMemo(() => diffLines(text), [text]);
  const { head, leftOut, tail } = endsOf(lines, isWhole);
  const isLong = lines.length > PLAIN_LINES;
  const tokens = useTokens(text, lines, !isLong);
  const width = String(
    lines.reduce((most, line) => Math.max(most, line.after ?? 0, line.before ?? 0), 0),
  ).length;
  return (
    <div className="diff-box">
      <p className="row small diff-count">
        {added > 0 && <span className="diff-added">{t("diff.added", { n: number(added) })}</span>}
        {removed > 0 && <span className="diff-removed">{t("diff.removed", { n: number(removed) })}</span>}
        {isLong && <span className="faint">{tn("diff.lines", lines.length)}</span>}
      </p>
      {isLong && isWhole ? (
        <Suspense fallback={null}>
          <CodeView text={lines.map(plain).join("\n")} label={label} diff />
        </Suspense>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="diff mono scroll" tabIndex={0} aria-label={label}>
          {head.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a diff never changes
            <Line key={index} line={line} width={width} tokens={tokens?.[index] ?? NO_TOKENS} />
          ))}
          {leftOut > 0 && <Gap lines={leftOut} onOpen={() => setWhole(true)} />}
          {tail.map((line, index) => {
            const at = head.length + leftOut + index;
            return <Line key={at} line={line} width={width} tokens={tokens?.[at] ?? NO_TOKENS} />;
          })}
        </section>
      )}
    </div>
  );
}

const SIGNS = { add: "+", del: "-", hunk: "@", same: " " } as const;

/** Returns a line for the viewer, which styles it by its first character. */
function plain(line: DiffLine): string {
  return visible(SIGNS[line.kind] + line.text);
}

const NO_TOKENS: readonly Token[] = [];

/** Returns highlighted tokens for each line of a diff, in the language of its file name. */
function useTokens(text: string, lines: readonly DiffLine[], wanted: boolean): Token[][] | undefined {
  const [found, setFound] = useState<{ lines: readonly DiffLine[]; tokens: Token[][] }>();
  const path = /^\+\+\+ (.+)$/m.exec(text)?.[1] ?? "";
  useEffect(() => {
    if (!wanted || !path.includes(".")) return;
    let gone = false;
    const read = async () => {
      const { languageOf, tokensOf } = await import("./highlight");
      const language = languageOf(path);
      if (!language) return;
      const tokens: Token[][] = lines.map(() => []);
      // The old and the new text are parsed separately, because a string opened in one must not close in the other.
      for (const side of ["del", "add"] as const) {
        const places = lines.flatMap(({ kind }, at) => (kind === side || kind === "same" ? [at] : []));
        const read = await tokensOf(
          language,
          places.map((at) => lines[at]?.text ?? ""),
        );
        places.forEach((at, place) => {
          tokens[at] = read[place] ?? [];
        });
      }
      if (!gone) setFound({ lines, tokens });
    };
    // Without highlighting, the diff is shown as plain text.
    read().catch(() => {});
    return () => {
      gone = true;
    };
  }, [lines, path, wanted]);
  return found?.lines === lines ? found.tokens : undefined;
}

interface Piece {
  from: number;
  to: number;
  kind: Token["kind"] | undefined;
  marked: boolean;
}

/** Splits a line into pieces of one style, by its tokens and by the changed part. */
function piecesOf({ text, changed }: DiffLine, tokens: readonly Token[]): Piece[] {
  const ends = tokens.flatMap(({ from, to }) => [from, to]);
  if (changed) ends.push(changed.from, changed.to);
  const cuts = [...new Set([0, ...ends, text.length])]
    .filter((at) => at <= text.length)
    .sort((a, b) => a - b);
  return cuts.slice(1).map((to, at) => {
    const from = cuts[at] ?? 0;
    return {
      from,
      to,
      kind: tokens.find((token) => token.from <= from && to <= token.to)?.kind,
      marked: changed !== undefined && changed.from <= from && to <= changed.to,
    };
  });
}

interface LineProps {
  line: DiffLine;
  width: number;
  tokens: readonly Token[];
}

/** A line with its number: in the new file, or in the old one if the new file does not contain it. */
function Line({ line, width, tokens }: LineProps) {
  const { kind, text } = line;
  return (
    <span className={kind}>
      <span className="diff-number" aria-hidden="true">
        {String(line.after ?? line.before ?? "").padStart(width)}
      </span>
      <span className="diff-sign">{kind === "hunk" ? " " : SIGNS[kind]}</span>
      {piecesOf(line, tokens).map(({ from, to, kind, marked }) => {
        const Piece = marked ? "mark" : "span";
        return (
          <Piece key={from} className={kind && `code-${kind}`}>
            {visible(text.slice(from, to))}
          </Piece>
        );
      })}
      {"\n"}
    </span>
  );
}
