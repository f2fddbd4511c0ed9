/** A new task: what, where, and what it may do without asking. */
import { Eye, Folder, FolderOpen, Send } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useDraft } from "../../app/drafts";
import { go } from "../../app/route";
import type { Risk } from "../../protocol";
import { useAnswer, useHost, useMay, useStore } from "../../store/hooks";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { desktop } from "../../transport";
import { Empty } from "../../ui/Empty";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { useAction } from "../../ui/useAction";
import { ListButton } from "./ListButton";
import { OnlyFiles } from "./OnlyFiles";
import { Welcome } from "./Welcome";
import "./tasks.css";

/** The folders of earlier tasks, newest first, without repetition. */
function useEarlierFolders() {
  const tasks = useStore((state) => state.tasks);
  return useMemo(() => {
    const newest = [...tasks.values()].sort((a, b) => b.created_at_ms - a.created_at_ms);
    const distinct = (values: string[]) => [...new Set(values)].slice(0, 12);
    return distinct(newest.map((task) => task.workspace));
  }, [tasks]);
}

export function NewTask() {
  const { client } = useHost();
  const earlier = useEarlierFolders();
  const mayCommand = useMay("command");
  const choices = useAnswer({ query: "choices" }, "choices").answer?.choices;
  const folders = [...new Set([...earlier, ...(choices?.folders ?? [])])];
  const [goal, setGoal] = useDraft("new.goal");
  const [folderDraft, setFolder] = useDraft("new.folder");
  const folder = folderDraft || (folders[0] ?? "");
  const [more, setMore] = useState(false);
  const [profile, setProfile] = useState("");
  const [backend, setBackend] = useState("");
  const [limit, setLimit] = useState("");
  const [files, setFiles] = useState<string[]>([]);
  const [consent, setConsent] = useState<Risk | "">("");

  const start = useAction(async () => {
    const outcome = await client.command({
      command: "start",
      goal: goal.trim(),
      workspace: folder.trim(),
      profile: profile || null,
      backend: backend || null,
      session: null,
      scope: { read: [], write: [], only_files: files, only_tags: [] },
      max_iterations: Number.parseInt(limit, 10) || null,
      standing_consent: consent || null,
    });
    setGoal("");
    setFiles([]);
    if (outcome.outcome === "started") go({ screen: "task", task: outcome.task.id });
  });
  const goalField = useRef<HTMLTextAreaElement>(null);
  const begin = (words: string) => {
    setGoal(words);
    goalField.current?.focus();
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (goal.trim() !== "") void start.run();
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
        <Welcome onSample={begin} />
      </div>
      {start.error && (
        <div className="composer-error">
          <ErrorNote error={start.error} onDismiss={start.clear} />
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
            // biome-ignore lint/a11y/noAutofocus: whoever opens this page came to write here
            autoFocus
          />
        </div>
        {more && (
          <div className="compose-options">
            <Choice
              label={t("new.profile")}
              value={profile}
              onChange={setProfile}
              usual={choices?.profile}
              options={choices?.profiles.map(({ name, description }) => ({ name, hint: description })) ?? []}
            />
            <Choice
              label={t("new.backend")}
              value={backend}
              onChange={setBackend}
              usual={choices?.backend}
              options={
                choices?.backends.map(({ name, model, problem }) => {
                  return { name, hint: problem?.message ?? model ?? "", off: problem !== null };
                }) ?? []
              }
            />
            <label>
              <span className="lbl">{t("new.limit")}</span>
              <input
                className="field"
                inputMode="numeric"
                value={limit}
                placeholder={choices ? String(choices.limits.max_iterations) : t("new.limit.hint")}
                onChange={(event) => setLimit(event.target.value.replace(/\D/g, ""))}
              />
            </label>
            <label>
              <span className="lbl">{t("new.consent")}</span>
              <select
                className="field"
                value={consent}
                onChange={(event) => setConsent(event.target.value as Risk | "")}
              >
                <option value="">{t("new.consent.none")}</option>
                <option value="low">{t("new.consent.low")}</option>
                <option value="medium">{t("new.consent.medium")}</option>
              </select>
            </label>
          </div>
        )}
        {(more || files.length > 0) && <OnlyFiles files={files} onChange={setFiles} />}
        <div className="compose-foot">
          <label className="compose-folder">
            <Folder className="ic" aria-hidden="true" />
            <span className="sr">{t("new.folder")}</span>
            <input
              className="mono"
              value={folder}
              onChange={(event) => setFolder(event.target.value)}
              placeholder={t("new.folder.hint")}
              list="folders"
              spellCheck={false}
              autoComplete="off"
            />
            <datalist id="folders">
              {folders.map((each) => (
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

interface ChoiceProps {
  label: string;
  value: string;
  /** What a task gets that names none. */
  usual: string | undefined;
  options: readonly { name: string; hint: string; off?: boolean }[];
  onChange(value: string): void;
}

/** One of the host's own list; what stands beneath says what it is, or what it lacks. */
function Choice({ label, value, usual, options, onChange }: ChoiceProps) {
  const chosen = options.find((option) => option.name === (value || usual));
  return (
    <label>
      <span className="lbl">{label}</span>
      <select className="field" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{usual ? t("new.usual", { name: visible(usual) }) : t("new.default")}</option>
        {options.map((option) => (
          <option key={option.name} value={option.name} disabled={option.off ?? false}>
            {visible(option.name)}
          </option>
        ))}
      </select>
      {chosen?.hint && <span className="muted small choice-hint">{visible(chosen.hint)}</span>}
    </label>
  );
}
