/** Gray placeholder lines while content loads. They appear only after a short delay. */
import "./ui.css";

export function Skeleton({ lines, label }: { lines: number; label: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <span key={line} style={{ inlineSize: `${88 - ((line * 37) % 45)}%` }} />
      ))}
    </div>
  );
}
