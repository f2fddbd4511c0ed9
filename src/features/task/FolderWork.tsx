/** That a task works in its folder without asking, because a person said so, and the button that takes this back. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { Grant, TaskSummary } from "../../protocol";
import { useAnswer, useHost, useMay, useStore } from "../../store/hooks";
import type { Journal } from "../../store/journal";
import { t } from "../../text";
import { shortPath } from "../../text/visible";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";

/** Returns the grants that let a task work in its folder: its own, and those of its conversation in that folder. */
export function folderGrants(grants: readonly Grant[], task: TaskSummary): Grant[] {
  return grants.filter(({ decision, rule, lifetime, workspace }) => {
    if (decision !== "allow" || rule.kind !== "folder") return false;
    if (lifetime.for === "task") return lifetime.task === task.id;
    return lifetime.for === "session" && lifetime.session === task.session && workspace === task.workspace;
  });
}

/** Returns how many answers in a journal hold for more than their own call. */
function remembered(journal: Journal): number {
  const holds = (entry: Journal["entries"][number]) =>
    entry.is === "call" &&
    entry.answer?.choice.choice === "allow" &&
    entry.answer.choice.lifetime.for !== "once";
  return journal.entries.filter(holds).length;
}

interface Props {
  summary: TaskSummary;
  journal: Journal;
}

export function FolderWork({ summary, journal }: Props) {
  const { client } = useHost();
  const mayAnswer = useMay("approve");
  const { answer, reload } = useAnswer({ query: "grants" }, "grants");
  const [isTaken, setTaken] = useState(false);
  const given = useMemo(() => remembered(journal), [journal]);
  // No event says that a grant was taken back elsewhere, but the task then asks again.
  const asked = useStore(
    ({ requests }) => [...requests.values()].filter(({ task }) => task === summary.id).length,
  );
  const change = `${given} ${asked} ${summary.state.state}`;
  const seen = useRef(change);
  useEffect(() => {
    if (seen.current === change) return;
    seen.current = change;
    void reload();
  }, [change, reload]);
  const grants = folderGrants(answer?.grants ?? [], summary);
  const takeBack = useAction(async () => {
    for (const { id } of grants) {
      await client.command({ command: "revoke_grant", grant: id }).catch((error: unknown) => {
        // It was taken back elsewhere, or ended with the task.
        if (bodyOf(error).code !== "unknown_grant") throw error;
      });
    }
    setTaken(true);
    await reload();
  });
  const [grant] = grants;
  useEffect(() => {
    if (grant) setTaken(false);
  }, [grant]);
  const isWider = grants.some(({ lifetime }) => lifetime.for === "session");
  if (!grant) {
    const isNews = isTaken && summary.state.state !== "stopped";
    return (
      <p className={isNews ? "folder-work muted small" : "sr"} role="status">
        {isNews && t("task.folder_work.taken")}
      </p>
    );
  }
  return (
    <>
      <div className="folder-work muted small">
        <span>
          {t(isWider ? "task.folder_work.session" : "task.folder_work.task", {
            folder: shortPath(grant.workspace),
          })}
        </span>
        {mayAnswer && (
          <button type="button" className="btn" disabled={takeBack.busy} onClick={() => void takeBack.run()}>
            {t("task.folder_work.take_back")}
          </button>
        )}
      </div>
      {takeBack.error && <ErrorNote error={takeBack.error} onDismiss={takeBack.clear} />}
    </>
  );
}
