/** The output of a call, as plain text. */
import { lazy, Suspense, useMemo } from "react";
import { output } from "../text/visible";
import "./ui.css";

const CodeView = lazy(() => import("./CodeView"));

/**
 * The maximum length of text that is drawn in full, in characters. For longer text, only the lines in view are drawn.
 */
const PLAIN_CHARS = 20_000;

export function Output({ text, label }: { text: string; label: string }) {
  const clean = useMemo(() => output(text), [text]);
  if (clean.length > PLAIN_CHARS) {
    return (
      <Suspense fallback={null}>
        <CodeView text={clean} label={label} />
      </Suspense>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="output mono scroll" tabIndex={0} aria-label={label}>
      {clean}
    </section>
  );
}
