/** A new task: what, where, and what it may do without asking. */
import { Folder, FolderOpen, Send } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useMemo, useState } from "react";
import { useDraft } from "../../app/drafts";
import { go } from "../../app/route";
import type { Risk } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { t } from "../../text";
import { desktop } from "../../transport";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { useAction } from "../../ui/useAction";
import { ListButton } from "./ListButton";
import { Welcome } from "./Welcome";
import "./tasks.css";

/** What earlier tasks were given, newest first, without repetition. */
function useEarlier() {
  const tasks = useStore((state) => state.tasks);
  return useMemo(() => {
    const newest = [...tasks.values()].sort((a, b) => b.created_at_ms - a.created_at_ms);
    const distinct = (values: string[]) => [...new Set(values)].slice(0, 12);
    return {
      folders: distinct(newest.map((task) => task.workspace)),
      profiles: distinct(newest.map((task) => task.profile)),
      backends: distinct(newest.map((task) => task.backend)),
    };
  }, [tasks]);
}

export function NewTask() {
  const { client } = useHost();
  const earlier = useEarlier();
  const [goal, setGoal] = useDraft("new.goal");
  const [folderDraft, setFolder] = useDraft("new.folder");
  const folder = folderDraft || (earlier.folders[0] ?? "");
  const [more, setMore] = useState(false);
  const [profile, setProfile] = useState("");
  const [backend, setBackend] = useState("");
  const [limit, setLimit] = useState("");
  const [consent, setConsent] = useState<Risk | "">("");

  const start = useAction(async () => {
    const outcome = await client.command({
      command: "start",
      goal: goal.trim(),
      workspace: folder.trim(),
      profile: profile.trim() || null,
      backend: backend.trim() || null,
      session: null,
      scope: { read: [], write: [], only_files: [], only_tags: [] },
      max_iterations: Number.parseInt(limit, 10) || null,
      standing_consent: consent || null,
    });
    setGoal("");
    if (outcome.outcome === "started") go({ screen: "task", task: outcome.task.id });
  });
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

  return (
    <>
      <div className="page-head only-narrow">
        <ListButton />
        <h2>{t("new.title")}</h2>
      </div>
      <div className="page-body col">
        <Welcome onSample={setGoal} />
      </div>
      {start.error && (
        <div className="composer-error">
          <ErrorNote error={start.error} onDismiss={start.clear} />
        </div>
      )}
      <form className="composer" onSubmit={submit} aria-label={t("new.title")}>
        <div className="compose-goal">
          <textarea
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
            <Choice label={t("new.profile")} value={profile} onChange={setProfile} known={earlier.profiles} />
            <Choice label={t("new.backend")} value={backend} onChange={setBackend} known={earlier.backends} />
            <label>
              <span className="lbl">{t("new.limit")}</span>
              <input
                className="field"
                inputMode="numeric"
                value={limit}
                placeholder={t("new.limit.hint")}
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
              {earlier.folders.map((each) => (
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
  known: readonly string[];
  onChange(value: string): void;
}

function Choice({ label, value, known, onChange }: ChoiceProps) {
  const id = `known-${label}`;
  return (
    <label>
      <span className="lbl">{label}</span>
      <input
        className="field"
        value={value}
        list={id}
        placeholder={t("new.default")}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={id}>
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  );
}
