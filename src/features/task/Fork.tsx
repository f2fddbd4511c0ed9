/** Starts another conversation with the contents of this one up to a step. */
import { useState } from "react";
import { go } from "../../app/route";
import { useHost } from "../../store/hooks";
import { t } from "../../text";
import { Dialog } from "../../ui/Dialog";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";

interface Props {
  task: string;
  onClose(): void;
}

export function Fork({ task, onClose }: Props) {
  const { client } = useHost();
  const [text, setText] = useState("");
  const [step, setStep] = useState("");
  const fork = useAction(async () => {
    const last = step.trim() === "" ? null : Number(step);
    const outcome = await client.command({ command: "fork", task, step: last, text: text.trim() });
    onClose();
    if (outcome.outcome === "started") go({ screen: "task", task: outcome.task.id });
  });
  return (
    <Dialog title={t("fork.title")} onClose={onClose}>
      <form
        className="dialog-body col"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) void fork.run();
        }}
      >
        <p className="faint">{t("fork.about")}</p>
        <label className="col">
          <span className="lbl">{t("fork.text")}</span>
          <textarea
            className="field"
            data-begin
            rows={3}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <label className="col">
          <span className="lbl">{t("fork.step")}</span>
          <input
            className="field"
            type="number"
            min={1}
            step={1}
            placeholder={t("fork.step.all")}
            value={step}
            onChange={(event) => setStep(event.target.value)}
          />
        </label>
        {fork.error && <ErrorNote error={fork.error} onDismiss={fork.clear} />}
        <div className="row wrap dialog-buttons">
          <span className="grow" />
          <button type="button" className="btn" onClick={onClose}>
            {t("memory.cancel")}
          </button>
          <button type="submit" className="btn primary" disabled={fork.busy || text.trim() === ""}>
            {t("fork.go")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
