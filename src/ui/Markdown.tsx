/** Renders a model's text: Markdown without HTML and pictures. Links open a new page. */
import { lazy, Suspense } from "react";
import { visible } from "../text/visible";
import "./markdown.css";

const Rendered = lazy(() => import("./MarkdownRendered"));

/** Matches text without markup, which needs no parser. */
const PLAIN = /^[^*_`#[\]<>|~\n\\]*$/;

export function Markdown({ text }: { text: string }) {
  const clean = visible(text);
  if (PLAIN.test(clean)) return <p className="prose">{clean}</p>;
  // Until the parser is loaded, the most common markup is removed.
  const bare = clean.replace(/(\*\*|`)([^*`\n]+)\1/g, "$2");
  return (
    <Suspense fallback={<p className="prose">{bare}</p>}>
      <Rendered text={clean} />
    </Suspense>
  );
}
