/** A model's words as text: Markdown without HTML, without pictures, links in a new page. */
import { lazy, Suspense } from "react";
import { visible } from "../text/visible";
import "./markdown.css";

const Rendered = lazy(() => import("./MarkdownRendered"));

/** What would look the same is drawn without the parser. */
const PLAIN = /^[^*_`#[\]<>|~\n\\]*$/;

export function Markdown({ text }: { text: string }) {
  const clean = visible(text);
  if (PLAIN.test(clean)) return <p className="prose">{clean}</p>;
  // Until the parser is there, nobody has to read its marks.
  const bare = clean.replace(/(\*\*|`)([^*`\n]+)\1/g, "$2");
  return (
    <Suspense fallback={<p className="prose">{bare}</p>}>
      <Rendered text={clean} />
    </Suspense>
  );
}
