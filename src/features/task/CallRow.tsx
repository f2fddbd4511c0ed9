/** A call: a line with its outcome, its output on a click, and its request while it waits. */
import { ChevronRight } from "lucide-react";
import { useFilledDrafts } from "../../app/drafts";
import { type CallEntry, openRequest } from "../../store/journal";
import { duration, t, tn } from "../../text";
import { RequestCard } from "../request/RequestCard";
import { filesChanged } from "./aside";
import { CallBar, useCallJob } from "./CallBar";
import { CallDetails } from "./CallDetails";
import { callIcon, callName, DELEGATE, outcomeLine } from "./callWords";
import { Parts } from "./Parts";

/** Shorter durations are not shown. */
const WORTH_SAYING_MS = 50;
/** The number of lines of streamed output that are shown below a running call. */
const LIVE_LINES = 4;

interface Props {
  entry: CallEntry;
  live: string | undefined;
  why: string | undefined;
  unfolded: boolean;
  onToggle(): void;
  onUndo(): void;
}

export function CallRow({ entry, live, why, unfolded, onToggle, onUndo }: Props) {
  const request = openRequest(entry);
  const job = useCallJob(entry);
  // A request for several calls has a single card, in the row of the first one.
  // If it was answered elsewhere while its answer was being typed, the card stays until that text is dealt with.
  const asked = request ?? entry.midwayAnswers?.at(-1)?.request ?? entry.request;
  const unsent = useFilledDrafts([`deny.${asked?.id}`]);
  if (asked?.call === entry.id && (request || unsent.size > 0)) {
    return (
      <div className="entry entry-request">
        <RequestCard request={asked} why={why} active={request !== undefined} />
      </div>
    );
  }
  const Icon = callIcon(entry.tool, entry.parameters);
  const name = callName(entry);
  const status = entry.result?.status;
  const bad = status !== undefined && status !== "ok";
  const changed = filesChanged(entry).length;
  // A successful edit is already named above.
  const isNamed = entry.tool === "code" && status === "ok" && changed > 0;
  const outcome = isNamed ? "" : outcomeLine(entry);
  return (
    <div className="entry entry-call" data-phase={entry.phase} data-bad={bad}>
      <button type="button" className="call-line" aria-expanded={unfolded} onClick={onToggle}>
        <span className="entry-icon" aria-hidden="true">
          <Icon className="ic" />
        </span>
        <span className="grow">
          <span className={name.isCode ? "mono call-name" : "call-name"}>{name.text}</span>
          <span className="call-outcome">
            {bad && <b>{t(`call.${status}`)}</b>}
            {bad && outcome && ": "}
            {outcome}
            {changed > 0 && (
              <span className="faint">
                {!isNamed && " · "}
                {tn("call.changed", changed)}
              </span>
            )}
          </span>
        </span>
        <span className="faint call-time">
          {entry.phase === "running" && <span className="pulse" />}
          {entry.durationMs !== undefined &&
            entry.durationMs >= WORTH_SAYING_MS &&
            duration(entry.durationMs)}
        </span>
        <ChevronRight className="ic call-chevron" aria-hidden="true" />
      </button>
      {job && <CallBar done={job.done} steps={job.steps} label={name.text} />}
      {entry.phase === "running" && live && !job && !unfolded && (
        <pre className="call-live mono faint">{live.trimEnd().split("\n").slice(-LIVE_LINES).join("\n")}</pre>
      )}
      {entry.tool === DELEGATE && <Parts call={entry.id} />}
      {unfolded && <CallDetails entry={entry} live={live} onUndo={onUndo} />}
    </div>
  );
}
