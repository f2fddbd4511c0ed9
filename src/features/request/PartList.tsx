/** The parts of a request: every simple command, path and host with its own decision. */
import {
  Braces,
  Eye,
  Globe,
  KeyRound,
  type LucideIcon,
  PenLine,
  Terminal,
  TriangleAlert,
} from "lucide-react";
import { useState } from "react";
import type { Part, PartKind, RequestDetails } from "../../protocol";
import { t, tn } from "../../text";
import { pathIn, visible } from "../../text/visible";
import { HostText } from "../../ui/HostText";

const ICONS: Record<PartKind, LucideIcon> = {
  command: Terminal,
  read: Eye,
  write: PenLine,
  host: Globe,
  construct: Braces,
  loan: KeyRound,
};

/** The number of parts that are listed before the user expands the list. */
const SHOWN = 8;

function weight(part: Part): number {
  // Loans are always listed, never collapsed.
  if (part.kind === "loan") return -1;
  const decision = { deny: 0, ask: 1, allow: 2 }[part.decision];
  return decision * 3 + { high: 0, medium: 1, low: 2 }[part.risk];
}

export function PartList({ details: { parts, cwd, command } }: { details: RequestDetails }) {
  const [all, setAll] = useState(false);
  const sorted = parts.toSorted((a, b) => weight(a) - weight(b));
  // The command is already shown above. If it is the only one, its line shows why it needs approval.
  const isOnly = command !== null && parts.filter(({ kind }) => kind === "command").length === 1;
  const shown = all ? sorted : sorted.slice(0, SHOWN);
  return (
    <>
      <ul className="parts" aria-label={t("request.parts")}>
        {shown.map((part, place) => {
          // A newer host may know more kinds.
          const known = ICONS[part.kind] ?? Braces;
          const Icon = isOnly && part.kind === "command" ? TriangleAlert : known;
          const isPath = part.kind === "read" || part.kind === "write";
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a request never changes, and parts may repeat
            <li key={place} data-risk={part.decision === "allow" ? "none" : part.risk}>
              <Icon className="ic" aria-hidden="true" />
              {isOnly && part.kind === "command" ? (
                <HostText text={part.reason} className="part-why" />
              ) : (
                <>
                  {part.text !== "" && (
                    <span className="mono">{isPath ? pathIn(cwd, part.text) : visible(part.text)}</span>
                  )}
                  <HostText text={part.reason} className="muted small" capital={isPath} />
                </>
              )}
            </li>
          );
        })}
      </ul>
      {sorted.length > shown.length && (
        <button type="button" className="btn ghost" onClick={() => setAll(true)}>
          {tn("request.parts.more", sorted.length - shown.length)}
        </button>
      )}
    </>
  );
}
