/** The header of a task: its goal, its state and its buttons. */
import { Ellipsis, PanelRight, Pause, Play, Redo2, Square, Undo2 } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { importConversation } from "../../app/importing";
import { remember } from "../../app/remember";
import { hrefOf } from "../../app/route";
import type { TaskSummary } from "../../protocol";
import { useAnswer, useIsLocal, useMay } from "../../store/hooks";
import { clock, t } from "../../text";
import { goalWords, shortPath, visible } from "../../text/visible";
import { desktop } from "../../transport";
import { Kbd } from "../../ui/Kbd";
import { StatePill } from "../../ui/StatePill";
import { ListButton } from "../tasks/ListButton";
import { NO_MODEL } from "../tasks/models";
import { useOpen } from "./FileMenu";
import type { useConversation } from "./useConversation";
import type { TaskActions } from "./useTaskActions";

/** The default profile is not shown. */
const USUAL_PROFILE = "general";

interface Props {
  summary: TaskSummary;
  /** The parent task, if it is a sub-task. */
  parent: TaskSummary | undefined;
  actions: TaskActions;
  /** The words of the button that resumes the task. Absent if it can only be paused. */
  resumeWords: string | undefined;
  /** Whether the side column is shown although there is no room for it. */
  aside: boolean;
  onAside(): void;
  /** Absent if there is nothing to undo. */
  onUndo: (() => void) | undefined;
  /** Absent if there is no undo to redo. */
  onRedo: (() => void) | undefined;
  /** Whether it was asked to stop while the running call finishes. */
  isStopping: boolean;
  /** The title of its conversation. */
  title: string;
  /** The actions on the conversation. */
  more: ReturnType<typeof useConversation>;
  onRename(): void;
  onFork(): void;
  /** The model that works on it, if it has been reported. */
  model: string | undefined;
}

export function Head({
  summary,
  parent,
  actions,
  resumeWords,
  aside,
  onAside,
  onUndo,
  onRedo,
  isStopping,
  title,
  more,
  onRename,
  onFork,
  model,
}: Props) {
  const { state } = summary;
  const mayCommand = useMay("command");
  const local = useIsLocal();
  const open = useOpen(summary.id);
  const ended = state.state === "stopped";
  const onward = resumeWords ? actions.resume : actions.pause;
  const OnwardIcon = resumeWords ? Play : Pause;
  const started = t("task.started", { time: clock(summary.created_at_ms) });
  // Until the model has been reported, the one configured for the backend is shown.
  const isUnknown = model === undefined && summary.backend !== NO_MODEL;
  const { answer } = useAnswer({ query: "choices" }, "choices", isUnknown);
  const set = answer?.choices.backends.find(({ name }) => name === summary.backend)?.model;
  const by = summary.backend === NO_MODEL ? t("new.model.none") : visible(model ?? set ?? summary.backend);
  const facts = [...(summary.profile === USUAL_PROFILE ? [] : [visible(summary.profile)]), by, started];
  return (
    <header className="page-head task-head">
      <ListButton />
      <div className="grow">
        <div className="row task-title">
          <h1 title={title}>{title}</h1>
          <StatePill state={state} words={isStopping ? t("state.stopping") : undefined} />
        </div>
        <p className="muted small clip">
          {parent && (
            <>
              <a href={hrefOf({ screen: "task", task: parent.id })}>
                {t("task.part_of", { goal: goalWords(parent.title ?? parent.goal) })}
              </a>
              {" · "}
            </>
          )}
          {facts.join(" · ")} · <span className="mono">{shortPath(summary.workspace)}</span>
        </p>
      </div>
      {mayCommand && !ended && (
        <div className="row task-buttons">
          <button
            type="button"
            className="btn"
            onClick={() => void onward.run()}
            disabled={onward.busy || isStopping}
            aria-keyshortcuts="p"
          >
            <OnwardIcon className="ic" aria-hidden="true" />
            <span>{resumeWords ?? t("task.pause")}</span>
          </button>
          <button
            type="button"
            className="btn ghost task-stop"
            onClick={() => void actions.stop.run()}
            disabled={actions.stop.busy || isStopping}
            aria-keyshortcuts="x"
          >
            <Square className="ic" aria-hidden="true" />
            <span>{t("task.stop")}</span>
          </button>
        </div>
      )}
      {mayCommand && ended && (onUndo ?? onRedo) && (
        <button
          type="button"
          className="btn task-buttons"
          onClick={onUndo ?? onRedo}
          aria-keyshortcuts={onUndo ? "z" : "y"}
        >
          {onUndo ? <Undo2 className="ic" aria-hidden="true" /> : <Redo2 className="ic" aria-hidden="true" />}
          <span>{t(onUndo ? "task.undo" : "task.redo")}</span>
        </button>
      )}
      <button
        type="button"
        className="btn ghost icon aside-open"
        aria-label={t("task.aside")}
        title={t("task.aside")}
        aria-expanded={aside}
        aria-keyshortcuts="a"
        onClick={onAside}
      >
        <PanelRight className="ic" />
      </button>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="btn ghost icon" aria-label={t("task.more")}>
          <Ellipsis className="ic" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            {mayCommand && onUndo && (
              <DropdownMenu.Item onSelect={onUndo}>
                <span className="grow">{t("task.undo")}</span>
                <Kbd of="undo" />
              </DropdownMenu.Item>
            )}
            {mayCommand && onRedo && (
              <DropdownMenu.Item onSelect={onRedo}>
                <span className="grow">{t("task.redo")}</span>
                <Kbd of="redo" />
              </DropdownMenu.Item>
            )}
            {mayCommand && !ended && (
              <DropdownMenu.Item className="only-phone" onSelect={() => void actions.stop.run()}>
                {t("task.stop")}
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Item className="only-phone" onSelect={onAside}>
              {t("task.aside")}
            </DropdownMenu.Item>
            {mayCommand && ended && (
              <DropdownMenu.Item onSelect={() => void more.again.run()}>{t("task.again")}</DropdownMenu.Item>
            )}
            {open.can && (
              <DropdownMenu.Item onSelect={() => void open.run(summary.workspace, "folder")}>
                {t("file.folder_open")}
              </DropdownMenu.Item>
            )}
            {mayCommand && <DropdownMenu.Item onSelect={onFork}>{t("task.fork")}</DropdownMenu.Item>}
            {mayCommand && <DropdownMenu.Item onSelect={onRename}>{t("task.rename")}</DropdownMenu.Item>}
            {mayCommand && <DropdownMenu.Item onSelect={remember}>{t("memory.remember")}</DropdownMenu.Item>}
            {mayCommand && ended && (
              <DropdownMenu.Item onSelect={() => void more.archive.run()}>
                {t(more.archived ? "task.unarchive" : "task.archive")}
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Item onSelect={() => void more.copy.run()}>
              {t("task.export.copy")}
            </DropdownMenu.Item>
            {/* The desktop window does not support downloads. */}
            {!desktop && (
              <>
                <DropdownMenu.Item onSelect={() => void more.save.run()}>
                  {t("task.export.save")}
                </DropdownMenu.Item>
                <DropdownMenu.Item onSelect={() => void more.saveJson.run()}>
                  {t("task.export.json")}
                </DropdownMenu.Item>
              </>
            )}
            {local && <DropdownMenu.Item onSelect={importConversation}>{t("import.open")}</DropdownMenu.Item>}
            <DropdownMenu.Item onSelect={() => void navigator.clipboard?.writeText(summary.id)}>
              {t("task.copy_id")}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </header>
  );
}
