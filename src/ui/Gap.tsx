/** Stands for the lines that are left out of a long text, and shows them. */
import { tn } from "../text";
import "./ui.css";

export function Gap({ lines, onOpen }: { lines: number; onOpen(): void }) {
  return (
    <button type="button" className="gap small" aria-expanded={false} onClick={onOpen}>
      {tn("text.left_out", lines)}
    </button>
  );
}
