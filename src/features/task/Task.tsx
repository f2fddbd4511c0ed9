/** A task: its goal, its timeline, its requests, its cost and its controls. */
import { Archive, SearchX } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useKeys } from "../../app/keys";
import { useShortcuts } from "../../app/shortcuts";
import { useJournal, useMay, useStore } from "../../store/hooks";
import { t } from "../../text";
import { desktop } from "../../transport";
import { Empty } from "../../ui/Empty";
import { ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { resumeWords } from "../../ui/StatePill";
import { titleOf } from "../tasks/taskGroups";
import { Aside } from "./Aside";
import { hasFileChanges } from "./aside";
import { Changes } from "./Changes";
import { Composer } from "./Composer";
import { conversation, subjectOf } from "./conversation";
import { FolderWork } from "./FolderWork";
import { Fork } from "./Fork";
import { Head } from "./Head";
import { undoOffers } from "./outcome";
import { Rename } from "./Rename";
import { Timeline } from "./Timeline";
import { useThread } from "./thread";
import { UndoDialog } from "./UndoDialog";
import { useConversation } from "./useConversation";
import { useTaskActions } from "./useTaskActions";
import { useUndo } from "./useUndo";
import { taskOf } from "./WholeOutput";
import "./task.css";

const NONE: ReadonlySet<string> = new Set();

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a screen's state and its markup
export function Task({ id: asked }: { id: string }) {
  const tasks = useStore((state) => state.tasks);
  const session = tasks.get(asked)?.session;
  const all = useMemo(() => (session ? conversation(tasks.values(), session) : []), [tasks, session]);
  const summary = subjectOf(all, asked);
  const id = summary?.id ?? asked;
  const known = useStore((state) => state.tasksKnown);
  const { journal, isWhole } = useJournal(id);
  const before = all.slice(
    0,
    Math.max(
      all.findIndex((task) => task.id === id),
      0,
    ),
  );
  const thread = useThread(before, journal, isWhole);
  const actions = useTaskActions(id);
  const { undo, redo, undoTask, redoTask, ask, asked: asksUndo, close, said } = useUndo();
  const [renaming, setRenaming] = useState(false);
  const [forking, setForking] = useState(false);
  /** Whether the list of changed files is open. */
  const [listing, setListing] = useState(false);
  /** If the window is too narrow for the side column, the column covers the timeline on demand. */
  const [aside, setAside] = useState(false);
  // A stable function, so that unchanged rows are not redrawn.
  const undoCall = useCallback((call: string) => ask(taskOf(call), call), [ask]);
  const state = summary?.state;
  const ended = state?.state === "stopped";
  const mayCommand = useMay("command");
  const works = mayCommand && summary && !ended;
  const onward = state && resumeWords(state);
  const hasChanges = useMemo(() => journal !== undefined && hasFileChanges(journal), [journal]);
  const { undo: canUndo, redo: mayRedo } = state
    ? undoOffers(state, journal, isWhole)
    : { undo: false, redo: false };
  // For a task that still runs, a dialog shows the changes before any is undone.
  const undoThis = () => (ended ? undoTask(id) : ask(id, null));
  const isStopping = works && (journal?.entries.some(({ is }) => is === "stop_requested") ?? false);

  const more = useConversation(all, summary);
  useShortcuts({
    pause: works && !onward && (() => void actions.pause.run()),
    resume: works && onward !== undefined && (() => void actions.resume.run()),
    stop: works && (() => void actions.stop.run()),
    undo: mayCommand && summary && canUndo && undoThis,
    redo: mayCommand && summary && mayRedo && (() => redoTask(id)),
    aside: () => setAside(!aside),
    changes: hasChanges && (() => setListing(true)),
    again: mayCommand && summary && ended && (() => void more.again.run()),
    fork: mayCommand && summary && (() => setForking(true)),
    rename: mayCommand && summary && (() => setRenaming(true)),
    archive: mayCommand && ended && !more.archived && (() => void more.archive.run()),
    unarchive: mayCommand && more.archived && (() => void more.archive.run()),
    copyText: summary && (() => void more.copy.run()),
    saveText: summary && !desktop && (() => void more.save.run()),
  });
  useKeys({ escape: () => aside && setAside(false) });
  const failed = [actions, undo, redo, more.again, more.archive, more.copy, more.save, more.saveJson].find(
    ({ error }) => error,
  );

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
        parent={summary.parent ? tasks.get(summary.parent.task) : undefined}
        actions={actions}
        resumeWords={onward}
        aside={aside}
        onAside={() => setAside(!aside)}
        onUndo={canUndo ? undoThis : undefined}
        onRedo={mayRedo ? () => redoTask(id) : undefined}
        title={titleOf(all, summary)}
        more={more}
        model={journal?.model ?? journal?.spec?.model ?? undefined}
        onFork={() => setForking(true)}
        onRename={() => setRenaming(true)}
        isStopping={isStopping === true}
      />
      <div className="task-middle" data-aside={aside}>
        <div className="task-column">
          {failed?.error && (
            <div className="task-error">
              <ErrorNote error={failed.error} onDismiss={failed.clear} />
            </div>
          )}
          {more.archived && (
            <p className="task-archived row" role="status">
              <Archive className="ic" aria-hidden="true" />
              <span className="grow">{t("task.archived")}</span>
              {mayCommand && (
                <button
                  type="button"
                  className="btn"
                  disabled={more.archive.busy}
                  onClick={() => void more.archive.run()}
                >
                  {t("task.unarchive")}
                </button>
              )}
            </p>
          )}
          {journal && <FolderWork key={id} summary={summary} journal={journal} />}
          {thread.journal ? (
            <Timeline
              journal={thread.journal}
              isWhole={thread.isWhole}
              summary={summary}
              onUndo={undoCall}
              of={{
                hidden: thread.hidden,
                onShowAll: thread.showAll,
                undoable: mayCommand ? thread.undoable : NONE,
                redoable: mayCommand ? thread.redoable : NONE,
                begin: asked === id ? undefined : asked,
                onUndoTask: undoTask,
                onRedoTask: redoTask,
              }}
            />
          ) : (
            <Skeleton lines={9} label={t("task.loading")} />
          )}
        </div>
        {journal && (
          <Aside journal={journal} isWhole={isWhole} summary={summary} onChanges={() => setListing(true)} />
        )}
      </div>
      {mayCommand && <Composer summary={summary} />}
      {listing && !asksUndo && journal && (
        <Changes
          journal={journal}
          workspace={summary.workspace}
          onUndo={undoCall}
          onClose={() => setListing(false)}
        />
      )}
      {forking && <Fork task={summary.id} onClose={() => setForking(false)} />}
      {renaming && (
        <Rename
          task={id}
          title={titleOf(all, summary)}
          isOwn={Boolean(all[0]?.title)}
          onClose={() => setRenaming(false)}
        />
      )}
      {asksUndo && <UndoDialog {...asksUndo} onClose={close} />}
      <p className="sr" role="status">
        {said}
      </p>
    </div>
  );
}
