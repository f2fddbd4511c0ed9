/** A button in place of the middle of a long text. It shows the omitted lines. */
import { tn } from "../text";
import "./ui.css";

export function Gap({ lines, onOpen }: { lines: number; onOpen(): void }) {
  return (
    <button type="button" className="gap small" aria-expanded={false} onClick={onOpen}>
      {tn("text.left_out", lines)}
    </button>
  );
}
