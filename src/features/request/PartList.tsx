/** The parts of a request that ask, each reason once. */
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
import type { PartKind, RequestDetails } from "../../protocol";
import { englishOf, t, tn } from "../../text";
import { HostText } from "../../ui/HostText";
import { asking } from "./asking";

const ICONS: Record<PartKind, LucideIcon> = {
  command: Terminal,
  read: Eye,
  write: PenLine,
  host: Globe,
  construct: Braces,
  loan: KeyRound,
};

/** The number of reasons that are listed before the user expands the list. */
const SHOWN = 8;

export function PartList({ details }: { details: RequestDetails }) {
  const [all, setAll] = useState(false);
  const asked = asking(details);
  const shown = all ? asked : asked.slice(0, SHOWN);
  // The headline of a change names its file.
  const isOnly = details.command === null && asked.length === 1 && asked[0]?.texts.length === 1;
  return (
    <>
      <ul className="parts" aria-label={t("request.parts")}>
        {shown.map(({ texts, reason, kind, risk }) => {
          const about = isOnly ? "" : texts.join(", ");
          // A newer host may know more kinds.
          const Icon = about ? (ICONS[kind] ?? Braces) : TriangleAlert;
          return (
            <li key={englishOf(reason)} data-risk={risk}>
              <Icon className="ic" aria-hidden="true" />
              {about && <span className="mono">{about}</span>}
              <HostText
                text={reason}
                className={about ? "muted small" : "part-why"}
                capital={!about || kind === "read" || kind === "write"}
              />
            </li>
          );
        })}
      </ul>
      {asked.length > shown.length && (
        <button type="button" className="btn ghost" onClick={() => setAll(true)}>
          {tn("request.parts.more", asked.length - shown.length)}
        </button>
      )}
    </>
  );
}
