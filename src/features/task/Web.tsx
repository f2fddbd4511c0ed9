/** A task's browser and the hosts that it contacted. The user at the machine can take over the browser. */
import { Globe, Hand, Undo2 } from "lucide-react";
import { useEffect, useMemo } from "react";
import type { TaskSummary } from "../../protocol";
import { useAnswer, useHost, useIsLocal } from "../../store/hooks";
import type { Journal } from "../../store/journal";
import { t, tn } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";
import { webOf } from "./aside";

/** The number of hosts that are shown before the rest is collapsed. */
const HOSTS = 6;
/** How often the page asks whether the user still controls the browser. Closing the browser's window sends no event. */
const LOOK_MS = 2_000;

export function Web({ summary, journal }: { summary: TaskSummary; journal: Journal }) {
  const { page, hosts } = useMemo(() => webOf(journal), [journal]);
  const mayBeOpen = page !== undefined && summary.state.state !== "stopped";
  if (!mayBeOpen && hosts.length === 0) return null;
  return (
    <section aria-label={t("web.title")}>
      <h2 className="lbl">{t("web.title")}</h2>
      {mayBeOpen && <Browser task={summary.id} steps={journal.entries.length} last={page} />}
      {hosts.length > 0 && (
        <>
          <p className="faint small">{tn("web.hosts", hosts.length)}</p>
          <Hosts hosts={hosts.slice(0, HOSTS)} />
          {hosts.length > HOSTS && (
            <details>
              <summary className="small">{tn("web.more_hosts", hosts.length - HOSTS)}</summary>
              <Hosts hosts={hosts.slice(HOSTS)} />
            </details>
          )}
        </>
      )}
    </section>
  );
}

function Hosts({ hosts }: { hosts: readonly string[] }) {
  return (
    <ul className="touched">
      {hosts.map((host) => (
        <li key={host} className="mono clip" title={visible(host)}>
          {visible(host)}
        </li>
      ))}
    </ul>
  );
}

/** The current page, who controls the browser, and the button that changes that. */
function Browser({ task, steps, last }: { task: string; steps: number; last: string }) {
  const { client } = useHost();
  const isLocal = useIsLocal();
  const { answer, reload } = useAnswer({ query: "browser", task }, "browser");
  const byPerson = answer?.used_by === "person";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step may have changed it.
  useEffect(() => void reload(), [reload, steps]);
  useEffect(() => {
    if (!byPerson) return;
    const timer = setInterval(() => void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [byPerson, reload]);
  const command = byPerson ? "return_browser" : "take_browser";
  const change = useAction(() => client.command({ command, task }).finally(reload));
  if (!answer) return null;
  const url = answer.url ?? last;
  return (
    <div className="web-browser">
      <p className="row" title={visible(url)}>
        <Globe className="ic" aria-hidden="true" />
        <span className="mono clip grow">{visible(url)}</span>
      </p>
      <p className="faint small">
        {t(`web.${answer.used_by}`)}
        {isLocal && answer.used_by === "task" && ` ${t("web.take.hint")}`}
      </p>
      {isLocal && answer.used_by !== "nobody" && (
        <div className="row">
          <button type="button" className="btn" disabled={change.busy} onClick={() => void change.run()}>
            {byPerson ? (
              <Undo2 className="ic" aria-hidden="true" />
            ) : (
              <Hand className="ic" aria-hidden="true" />
            )}
            {t(byPerson ? "web.give_back" : "web.take")}
          </button>
        </div>
      )}
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
    </div>
  );
}
