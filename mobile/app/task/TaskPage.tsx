/** A task on the phone: where it stands, its story as it happens, the hands on it, and a line to steer it by. */
import { Pause, Play, Redo2, SearchX, Square, Undo2 } from "lucide-react";
import { useCallback } from "react";
import { hrefOf } from "../../../src/app/route";
import { Backgrounds } from "../../../src/features/task/Backgrounds";
import { Composer } from "../../../src/features/task/Composer";
import { FolderWork } from "../../../src/features/task/FolderWork";
import { undoOffers } from "../../../src/features/task/outcome";
import { Timeline } from "../../../src/features/task/Timeline";
import { UndoDialog } from "../../../src/features/task/UndoDialog";
import { useTaskActions } from "../../../src/features/task/useTaskActions";
import { useUndo } from "../../../src/features/task/useUndo";
import type { TaskSummary } from "../../../src/protocol";
import { useJournal, useMay, useStore } from "../../../src/store/hooks";
import { t, tn } from "../../../src/text";
import { shortPath, visible } from "../../../src/text/visible";
import { Empty } from "../../../src/ui/Empty";
import { ErrorNote } from "../../../src/ui/ErrorNote";
import { Skeleton } from "../../../src/ui/Skeleton";
import { resumeWords, StatePill } from "../../../src/ui/StatePill";
import { TopBar } from "../TopBar";
import "../../../src/features/task/task.css";
import "../../../src/features/tasks/tasks.css";
import "./task.css";

export default function TaskPage({ id }: { id: string }) {
  const summary = useStore((state) => state.tasks.get(id));
  const isKnown = useStore((state) => state.tasksKnown);
  if (summary) return <Known summary={summary} />;
  return (
    <>
      <TopBar>{null}</TopBar>
      {isKnown ? (
        <Empty icon={SearchX} title={t("task.unknown")}>
          {t("task.unknown.more")}
        </Empty>
      ) : (
        <Skeleton lines={8} label={t("task.loading")} />
      )}
    </>
  );
}

function Known({ summary }: { summary: TaskSummary }) {
  const { id, state } = summary;
  const { journal, isWhole } = useJournal(id);
  const mayCommand = useMay("command");
  const requests = useStore((all) => all.requests);
  const waiting = [...requests.values()].filter(({ task }) => task === id);
  const { undo, redo, undoTask, redoTask, ask, asked, close, said } = useUndo();
  const undoCall = useCallback((call: string) => ask(id, call), [ask, id]);
  const { error, clear, ...actions } = useTaskActions(id);
  const isEnded = state.state === "stopped";
  const offers = undoOffers(state, journal, isWhole);
  const failed = [undo, redo].find((each) => each.error);
  return (
    <>
      <TopBar>
        <span className="grow" />
        <StatePill state={state} />
      </TopBar>
      <div className="phone-task-head">
        <h1>{visible(summary.goal)}</h1>
        <p className="muted small mono clip">{shortPath(summary.workspace)}</p>
        {journal && <FolderWork key={id} summary={summary} journal={journal} />}
        {mayCommand && (
          <Hands
            summary={summary}
            actions={actions}
            onUndo={offers.undo ? () => (isEnded ? undoTask(id) : ask(id, null)) : undefined}
            onRedo={offers.redo ? () => redoTask(id) : undefined}
          />
        )}
        {error && <ErrorNote error={error} onDismiss={clear} />}
        {failed?.error && <ErrorNote error={failed.error} onDismiss={failed.clear} />}
        {waiting[0] && (
          <a className="btn primary" href={hrefOf({ screen: "inbox", request: waiting[0].id })}>
            {tn("phone.task.waits", waiting.length)}
          </a>
        )}
      </div>
      <div className="task-column phone-story">
        {journal ? (
          <>
            <Backgrounds task={id} journal={journal} />
            <Timeline journal={journal} isWhole={isWhole} summary={summary} onUndo={undoCall} />
          </>
        ) : (
          <Skeleton lines={9} label={t("task.loading")} />
        )}
      </div>
      {mayCommand && <Composer summary={summary} />}
      {!mayCommand && !isEnded && <p className="muted small phone-lookon">{t("new.not_yours.more")}</p>}
      {asked && <UndoDialog {...asked} onClose={close} />}
      <p className="sr" role="status">
        {said}
      </p>
    </>
  );
}

interface HandsProps {
  summary: TaskSummary;
  actions: Pick<ReturnType<typeof useTaskActions>, "pause" | "resume" | "stop">;
  /** Absent if there is nothing to undo. */
  onUndo: (() => void) | undefined;
  /** Absent if there is nothing to redo. */
  onRedo: (() => void) | undefined;
}

/** Hold it, let it continue, end it; or undo what it changed. */
function Hands({ summary: { state }, actions: { pause, resume, stop }, onUndo, onRedo }: HandsProps) {
  if (state.state === "stopped") {
    if (!onUndo && !onRedo) return null;
    return (
      <div className="row phone-hands">
        {onUndo && (
          <button type="button" className="btn grow" onClick={onUndo}>
            <Undo2 className="ic" aria-hidden="true" />
            {t("task.undo")}
          </button>
        )}
        {onRedo && (
          <button type="button" className="btn grow" onClick={onRedo}>
            <Redo2 className="ic" aria-hidden="true" />
            {t("task.redo")}
          </button>
        )}
      </div>
    );
  }
  const onward = resumeWords(state);
  return (
    <div className="row phone-hands">
      {onward ? (
        <button type="button" className="btn grow" disabled={resume.busy} onClick={() => void resume.run()}>
          <Play className="ic" aria-hidden="true" />
          {onward}
        </button>
      ) : (
        <button type="button" className="btn grow" disabled={pause.busy} onClick={() => void pause.run()}>
          <Pause className="ic" aria-hidden="true" />
          {t("task.pause")}
        </button>
      )}
      <button type="button" className="btn grow" disabled={stop.busy} onClick={() => void stop.run()}>
        <Square className="ic" aria-hidden="true" />
        {t("task.stop")}
      </button>
      {onUndo && (
        <button type="button" className="btn icon" aria-label={t("task.undo")} onClick={onUndo}>
          <Undo2 className="ic" />
        </button>
      )}
    </div>
  );
}
