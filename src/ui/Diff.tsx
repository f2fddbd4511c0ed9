/** A unified diff, line by line. A long one opens in a viewer of its own. */
import { lazy, Suspense, useMemo } from "react";
import { number, t, tn } from "../text";
import { visible } from "../text/visible";
import { type DiffLine, diffLines } from "./diffLines";
import "./ui.css";

const CodeView = lazy(() => import("./CodeView"));

/** Lines that are drawn as they are; beyond that only those in view are. */
const PLAIN_LINES = 120;

export function Diff({ text, label }: { text: string; label: string }) {
  const { lines, added, removed } = useMemo(() => diffLines(text), [text]);
  const isLong = lines.length > PLAIN_LINES;
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
      {isLong ? (
        <Suspense fallback={null}>
          <CodeView text={lines.map(plain).join("\n")} label={label} diff />
        </Suspense>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="diff mono scroll" tabIndex={0} aria-label={label}>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a diff never changes
            <Line key={index} line={line} width={width} />
          ))}
        </section>
      )}
    </div>
  );
}

const SIGNS = { add: "+", del: "-", hunk: "@", same: " " } as const;

/** A line as the viewer takes it, which marks it by its first letter. */
function plain(line: DiffLine): string {
  return visible(SIGNS[line.kind] + line.text);
}

/** A line with its number: of the new file, and of the old one where it is not in that. */
function Line({ line, width }: { line: DiffLine; width: number }) {
  const { kind, text, changed } = line;
  const part = (from: number, to?: number) => visible(text.slice(from, to));
  return (
    <span className={kind}>
      <span className="diff-number" aria-hidden="true">
        {String(line.after ?? line.before ?? "").padStart(width)}
      </span>
      <span className="diff-sign">{kind === "hunk" ? " " : SIGNS[kind]}</span>
      {changed ? (
        <>
          {part(0, changed.from)}
          <mark>{part(changed.from, changed.to)}</mark>
          {part(changed.to)}
        </>
      ) : (
        visible(text)
      )}
      {"\n"}
    </span>
  );
}
