/** A new task from the phone: typed, dictated by the keyboard, or begun from a template; and the folder it works in. */
import { CornerDownRight, Eye, Send } from "lucide-react";
import { type FormEvent, useMemo, useRef } from "react";
import { putDraft, useDraft } from "../../../src/app/drafts";
import { go } from "../../../src/app/route";
import { asked, USUAL } from "../../../src/features/tasks/ComposeOptions";
import { WORKSPACE_ALONE } from "../../../src/features/tasks/scope";
import { useAnswer, useHost, useMay, useStore } from "../../../src/store/hooks";
import { type Key, t } from "../../../src/text";
import { visible } from "../../../src/text/visible";
import { Empty } from "../../../src/ui/Empty";
import { ErrorNote } from "../../../src/ui/ErrorNote";
import { useAction } from "../../../src/ui/useAction";

const TEMPLATES: readonly Key[] = ["new.sample.report", "new.sample.duplicates", "new.sample.size"];
/** Folders that are offered. */
const FOLDERS = 12;
/** Tasks at work that a text can be added to instead. */
const ADDABLE = 4;

export default function NewTask() {
  const mayCommand = useMay("command");
  if (mayCommand) return <Compose />;
  return (
    <Empty icon={Eye} title={t("new.not_yours")}>
      {t("new.not_yours.more")}
    </Empty>
  );
}

function Compose() {
  const { client } = useHost();
  const tasks = useStore((state) => state.tasks);
  const choices = useAnswer({ query: "choices" }, "choices").answer?.choices;
  const [goal, setGoal] = useDraft("new.goal");
  const [folderDraft, setFolder] = useDraft("new.folder");
  const field = useRef<HTMLTextAreaElement>(null);
  const folders = useMemo(() => {
    const earlier = [...tasks.values()].sort((a, b) => b.created_at_ms - a.created_at_ms);
    return [...new Set([...earlier.map(({ workspace }) => workspace), ...(choices?.folders ?? [])])].slice(
      0,
      FOLDERS,
    );
  }, [tasks, choices]);
  const folder = folderDraft || (folders[0] ?? "");
  const start = useAction(async () => {
    const outcome = await client.command({
      command: "start",
      goal: goal.trim(),
      workspace: folder.trim(),
      session: null,
      after: null,
      scope: WORKSPACE_ALONE,
      ...asked(USUAL),
    });
    setGoal("");
    if (outcome.outcome === "started") go({ screen: "task", task: outcome.task.id });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (goal.trim() !== "") void start.run();
  };
  return (
    <>
      <header className="phone-head">
        <h1>{t("new.title")}</h1>
      </header>
      <form className="phone-scroll phone-new" onSubmit={submit} aria-label={t("new.title")}>
        <textarea
          ref={field}
          className="field"
          rows={5}
          value={goal}
          onChange={(event) => setGoal(event.target.value)}
          placeholder={t("new.goal.hint")}
          aria-label={t("new.goal")}
        />
        <label className="col">
          <span className="lbl">{t("new.folder")}</span>
          <input
            className="field mono"
            value={folder}
            onChange={(event) => setFolder(event.target.value)}
            placeholder={t("new.folder.hint")}
            list="folders"
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
          />
          <datalist id="folders">
            {folders.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </label>
        {goal.trim() !== "" && <AddTo text={goal} onAdd={() => setGoal("")} />}
        <section aria-label={t("phone.templates")} hidden={goal.trim() !== ""}>
          <h2 className="lbl">{t("phone.templates")}</h2>
          <ul className="phone-templates">
            {TEMPLATES.map((key) => (
              <li key={key}>
                <button
                  type="button"
                  className="btn"
                  onClick={() => {
                    setGoal(t(key));
                    field.current?.focus();
                  }}
                >
                  <CornerDownRight className="ic" aria-hidden="true" />
                  <span>{t(key)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
        {start.error && <ErrorNote error={start.error} onDismiss={start.clear} />}
        <button type="submit" className="btn primary phone-start" disabled={start.busy || goal.trim() === ""}>
          <Send className="ic" aria-hidden="true" />
          {t("new.start")}
        </button>
      </form>
    </>
  );
}

/** What was typed or shared may belong to a task that is at work: its own line gets the text, and the person sends it there. */
function AddTo({ text, onAdd }: { text: string; onAdd(): void }) {
  const tasks = useStore((state) => state.tasks);
  const working = useMemo(
    () =>
      [...tasks.values()]
        .filter(({ state }) => state.state !== "stopped")
        .sort((a, b) => b.updated_at_ms - a.updated_at_ms)
        .slice(0, ADDABLE),
    [tasks],
  );
  if (working.length === 0) return null;
  const add = (task: string) => {
    putDraft(`steer.${task}`, text);
    onAdd();
    go({ screen: "task", task });
  };
  return (
    <section aria-label={t("phone.add")}>
      <h2 className="lbl">{t("phone.add")}</h2>
      <ul className="phone-templates">
        {working.map(({ id, goal, title }) => (
          <li key={id}>
            <button type="button" className="btn" onClick={() => add(id)}>
              <CornerDownRight className="ic" aria-hidden="true" />
              <span className="phone-add-goal">{visible(title ?? goal)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
