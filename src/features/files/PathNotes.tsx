/** Paths with a reason each: what was left out, what stands against something, where a job stopped. */
import type { PathNote } from "../../protocol";
import { shortPath } from "../../text/visible";
import { HostText } from "../../ui/HostText";

/** A list of them. */
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

/** The one at which a job stopped. */
export function StoppedAt({ note: { path, reason } }: { note: PathNote }) {
  return (
    <p className="small operation-problem">
      <span className="mono">{shortPath(path)}</span>: <HostText text={reason} />
    </p>
  );
}
