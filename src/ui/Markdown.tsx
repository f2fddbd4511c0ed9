/** A model's words as text: Markdown without HTML, without pictures, links in a new page. */
import { lazy, Suspense } from "react";
import { visible } from "../text/visible";
import "./markdown.css";

const Rendered = lazy(() => import("./MarkdownRendered"));

/** What would look the same is drawn without the parser. */
const PLAIN = /^[^*_`#[\]<>|~\n\\]*$/;

export function Markdown({ text }: { text: string }) {
  const clean = visible(text);
  const plain = <p className="prose">{clean}</p>;
  if (PLAIN.test(clean)) return plain;
  return (
    <Suspense fallback={plain}>
      <Rendered text={clean} />
    </Suspense>
  );
}
