/** One task: what it was told, what it did, what it asks, what it costs; and the hands on it. */
import { SearchX } from "lucide-react";
import { useCallback, useState } from "react";
import { useKeys } from "../../app/keys";
import { useJournal, useMay, useStore } from "../../store/hooks";
import { t } from "../../text";
import { Empty } from "../../ui/Empty";
import { ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { Aside } from "./Aside";
import { Changes } from "./Changes";
import { Composer } from "./Composer";
import { Head } from "./Head";
import { endingWords, outcomeOf } from "./outcome";
import { Timeline } from "./Timeline";
import { UndoDialog } from "./UndoDialog";
import { useTaskActions } from "./useTaskActions";
import "./task.css";

export function Task({ id }: { id: string }) {
  const summary = useStore((state) => state.tasks.get(id));
  const known = useStore((state) => state.tasksKnown);
  const { journal, isWhole } = useJournal(id);
  const actions = useTaskActions(id);
  const [undoing, setUndoing] = useState<{ call: string | null }>();
  /** Whether the files that it changed are listed. */
  const [listing, setListing] = useState(false);
  /** Where the window is too narrow for the side column it lies above the story, when asked for. */
  const [aside, setAside] = useState(false);
  // The same function each time: rows of the story are drawn anew only where they changed.
  const undoCall = useCallback((call: string) => setUndoing({ call }), []);
  const state = summary?.state;
  const ended = state?.state === "stopped";
  const mayCommand = useMay("command");
  // What waits for an answer goes on with it; only what was held goes on by being told to.
  const held = state?.state === "paused" && (state.reason === "by_user" || state.reason === "budget");
  const canResume = held || state?.state === "interrupted";
  const outcome = journal && isWhole ? outcomeOf(journal) : undefined;
  // Until all of the story is here, nobody knows.
  const canUndo = outcome === undefined || outcome.left > 0;
  useKeys({
    p: () => mayCommand && !ended && void (canResume ? actions.resume.run() : actions.pause.run()),
    x: () => mayCommand && !ended && void actions.stop.run(),
    z: () => mayCommand && canUndo && setUndoing({ call: null }),
    a: () => setAside(!aside),
    escape: () => aside && setAside(false),
  });

  if (!summary) {
    if (!known) return <Skeleton lines={8} label={t("task.loading")} />;
    return (
      <Empty icon={SearchX} title={t("task.unknown")}>
        {t("task.unknown.more")}
      </Empty>
    );
  }
  return (
    <div className="task">
      <Head
        summary={summary}
        actions={actions}
        canResume={canResume}
        aside={aside}
        onAside={() => setAside(!aside)}
        onUndo={canUndo ? () => setUndoing({ call: null }) : undefined}
        ending={ended && outcome ? endingWords(summary.state, outcome) : undefined}
      />
      <div className="task-middle" data-aside={aside}>
        <div className="task-column">
          {actions.error && (
            <div className="task-error">
              <ErrorNote error={actions.error} onDismiss={actions.clear} />
            </div>
          )}
          {journal ? (
            <Timeline journal={journal} isWhole={isWhole} summary={summary} onUndo={undoCall} />
          ) : (
            <Skeleton lines={9} label={t("task.loading")} />
          )}
        </div>
        {journal && (
          <Aside journal={journal} isWhole={isWhole} summary={summary} onChanges={() => setListing(true)} />
        )}
      </div>
      {mayCommand && <Composer summary={summary} />}
      {listing && !undoing && journal && (
        <Changes
          journal={journal}
          workspace={summary.workspace}
          onUndo={undoCall}
          onClose={() => setListing(false)}
        />
      )}
      {undoing && <UndoDialog task={id} call={undoing.call} onClose={() => setUndoing(undefined)} />}
    </div>
  );
}
