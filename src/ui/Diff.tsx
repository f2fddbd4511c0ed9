/** A unified diff, line by line. A long one opens in a viewer of its own. */
import { lazy, Suspense, useMemo } from "react";
import { visible } from "../text/visible";
import "./ui.css";

const CodeView = lazy(() => import("./CodeView"));

/** Lines that are drawn as they are; beyond that only those in view are. */
const PLAIN_LINES = 120;

type Kind = "add" | "del" | "hunk" | "same";

function kindOf(line: string): Kind {
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "add";
  if (line.startsWith("-")) return "del";
  return "same";
}

export function Diff({ text, label }: { text: string; label: string }) {
  const lines = useMemo(
    () =>
      text
        .replace(/\n$/, "")
        .split("\n")
        .filter((line) => !/^(---|\+\+\+) /.test(line)),
    [text],
  );
  if (lines.length > PLAIN_LINES) {
    return (
      <Suspense fallback={null}>
        <CodeView text={lines.map(visible).join("\n")} label={label} diff />
      </Suspense>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="diff mono scroll" tabIndex={0} aria-label={label}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a diff never changes
        <span key={index} className={kindOf(line)}>
          {visible(line)}
          {"\n"}
        </span>
      ))}
    </section>
  );
}
