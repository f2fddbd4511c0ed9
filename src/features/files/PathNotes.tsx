/** Paths with a reason each: what was left out, what conflicts, or where a job stopped. */
import type { PathNote } from "../../protocol";
import { shortPath } from "../../text/visible";
import { HostText } from "../../ui/HostText";

/** A list of paths with their reasons. */
export function PathNotes({ notes, className }: { notes: readonly PathNote[]; className?: string }) {
  return (
    <ul className={className}>
      {notes.map(({ path, reason }) => (
        <li key={`${path}\n${reason}`} className="small">
          <span className="mono">{shortPath(path)}</span> <HostText text={reason} className="muted" />
        </li>
      ))}
    </ul>
  );
}

/** The path at which a job stopped. */
export function StoppedAt({ note: { path, reason } }: { note: PathNote }) {
  return (
    <p className="small operation-problem">
      <span className="mono">{shortPath(path)}</span>: <HostText text={reason} />
    </p>
  );
}
