/** A read-only view for long texts and diffs. CodeMirror draws only the lines in view. Loaded on first use. */
import { EditorState, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, lineNumbers, ViewPlugin } from "@codemirror/view";
import { useEffect, useRef } from "react";
import "./ui.css";

const MARKS: Record<string, Decoration> = {
  "+": Decoration.line({ class: "add" }),
  "-": Decoration.line({ class: "del" }),
  "@": Decoration.line({ class: "hunk" }),
};

function marksOf(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      const mark = MARKS[line.text.charAt(0)];
      if (mark) builder.add(line.from, line.from, mark);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

const diffMarks = ViewPlugin.define(
  (view) => ({
    marks: marksOf(view),
    update(update) {
      if (update.docChanged || update.viewportChanged) this.marks = marksOf(update.view);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

const look = EditorView.theme({
  "&": { maxHeight: "420px", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { font: "400 0.78125rem / 1.55 var(--mono)", overflow: "auto" },
  ".cm-gutters": { background: "var(--panel)", color: "var(--ink3)", border: "0" },
  ".add": { background: "var(--add)" },
  ".del": { background: "var(--del)" },
  ".hunk": { color: "var(--ink3)" },
});

export default function CodeView({ text, label, diff }: { text: string; label: string; diff?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    // In a shadow tree, the editor's styles are adopted style sheets. In the page they would be elements, which the
    // content security policy forbids.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: "open" });
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorState.readOnly.of(true),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label }),
          look,
          diff ? diffMarks : lineNumbers(),
        ],
      }),
    });
    return () => view.destroy();
  }, [text, label, diff]);
  return <div className="code-view" ref={place} />;
}
