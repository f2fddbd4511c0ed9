/** The form for a new task: goal, folder and permissions. */
import { Eye, Folder, FolderOpen, Send } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useDraft } from "../../app/drafts";
import { importConversation } from "../../app/importing";
import { go } from "../../app/route";
import type { ErrorBody } from "../../protocol";
import { useAnswer, useHost, useIsLocal, useMay, useStore } from "../../store/hooks";
import { t } from "../../text";
import { desktop } from "../../transport";
import { Empty } from "../../ui/Empty";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { useAction } from "../../ui/useAction";
import { areComplete, asked, ComposeOptions, linesOf, USUAL } from "./ComposeOptions";
import { ListButton } from "./ListButton";
import { ModelChip, ProfileChip } from "./ModelChip";
import { OnlyFiles } from "./OnlyFiles";
import { useFolder } from "./useFolder";
import { Welcome } from "./Welcome";
import "./tasks.css";

/** Returns the folders of earlier tasks, newest first, without duplicates. */
function useEarlierFolders() {
  const tasks = useStore((state) => state.tasks);
  return useMemo(() => {
    const newest = [...tasks.values()].sort((a, b) => b.created_at_ms - a.created_at_ms);
    const distinct = (values: string[]) => [...new Set(values)].slice(0, 12);
    return distinct(newest.map((task) => task.workspace));
  }, [tasks]);
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a screen's state and its markup
export function NewTask() {
  const { client } = useHost();
  const earlier = useEarlierFolders();
  const mayCommand = useMay("command");
  const local = useIsLocal();
  const choices = useAnswer({ query: "choices" }, "choices").answer?.choices;
  const folders = [...new Set([...earlier, ...(choices?.folders ?? [])])];
  const [goal, setGoal] = useDraft("new.goal");
  const [folderDraft, setFolder] = useDraft("new.folder");
  const place = useFolder(folderDraft || (folders[0] ?? ""));
  const { folder } = place;
  const [more, setMore] = useState(false);
  const [files, setFiles] = useState<string[]>([]);
  const [options, setOptions] = useState(USUAL);

  const reals = (typed: string) => Promise.all(linesOf(typed).map(place.real));
  const start = useAction(async () => {
    const outcome = await client.command({
      command: "start",
      goal: goal.trim(),
      workspace: await place.real(folder),
      session: null,
      after: null,
      scope: {
        read: await reals(options.read),
        write: await reals(options.write),
        read_only: false,
        only_files: [...new Set([...files, ...(await reals(options.files))])],
        only_tags: linesOf(options.tags),
        names: null,
      },
      ...asked(options),
    });
    setGoal("");
    setFiles([]);
    if (outcome.outcome === "started") go({ screen: "task", task: outcome.task.id });
  });
  const isFolderWrong = start.error?.code === "workspace";
  const goalField = useRef<HTMLTextAreaElement>(null);
  const begin = (words: string) => {
    setGoal(words);
    goalField.current?.focus();
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!areComplete(options)) setMore(true);
    else if (goal.trim() !== "") void start.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
    if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
  };

  if (!mayCommand) {
    return (
      <>
        <div className="page-head only-narrow">
          <ListButton />
        </div>
        <Empty icon={Eye} title={t("new.not_yours")}>
          {t("new.not_yours.more")}
        </Empty>
      </>
    );
  }
  return (
    <>
      <div className="page-head only-narrow">
        <ListButton />
        <h2>{t("new.title")}</h2>
      </div>
      <div className="page-body col">
        <Welcome choices={choices} onSample={begin} />
      </div>
      {start.error && (
        <div className="composer-error">
          <ErrorNote error={isFolderWrong ? folderError(start.error) : start.error} onDismiss={start.clear} />
        </div>
      )}
      <form className="composer" onSubmit={submit} aria-label={t("new.title")}>
        <div className="compose-goal">
          <textarea
            ref={goalField}
            value={goal}
            onChange={(event) => setGoal(event.target.value)}
            onKeyDown={onKeyDown}
            placeholder={t("new.goal.hint")}
            aria-label={t("new.goal")}
            // biome-ignore lint/a11y/noAutofocus: anyone who opens this page came to write here
            autoFocus
          />
        </div>
        {more && <ComposeOptions options={options} choices={choices} onChange={setOptions} />}
        {more && local && (
          <button type="button" className="btn ghost" onClick={importConversation}>
            {t("import.open")}
          </button>
        )}
        {(more || files.length > 0) && <OnlyFiles files={files} onChange={setFiles} />}
        <div className="compose-foot">
          <label className="compose-folder">
            <Folder className="ic" aria-hidden="true" />
            <span className="sr">{t("new.folder")}</span>
            <input
              value={folder}
              onChange={(event) => setFolder(event.target.value)}
              placeholder={t("new.folder.hint")}
              list="folders"
              aria-invalid={isFolderWrong}
              spellCheck={false}
              autoComplete="off"
            />
            <datalist id="folders">
              {[...new Set([...place.offered, ...folders.map(place.short)])].map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          </label>
          {desktop && (
            <button
              type="button"
              className="btn ghost"
              aria-label={t("new.folder.pick")}
              title={t("new.folder.pick")}
              onClick={() => void desktop?.pickFolder().then((picked) => picked && setFolder(picked))}
            >
              <FolderOpen className="ic" aria-hidden="true" />
            </button>
          )}
          {choices && (
            <ProfileChip
              choices={choices}
              value={options.profile}
              onChange={(profile) => setOptions({ ...options, profile })}
            />
          )}
          {choices && (
            <ModelChip
              choices={choices}
              value={options.backend}
              onChange={(backend) => setOptions({ ...options, backend })}
            />
          )}
          <button type="button" className="btn ghost" aria-expanded={more} onClick={() => setMore(!more)}>
            {t(more ? "new.less" : "new.more")}
          </button>
          <button type="submit" className="btn primary" disabled={start.busy || goal.trim() === ""}>
            <Send className="ic" aria-hidden="true" />
            {t("new.start")}
            <Kbd>⏎</Kbd>
          </button>
        </div>
      </form>
    </>
  );
}

/** Returns the error about a folder, with a hint on what to do on this page. */
function folderError(error: ErrorBody): ErrorBody {
  return { ...error, hints: [t("new.folder.choose")] };
}
