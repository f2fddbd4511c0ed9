/** The dialog that gives a conversation a title, or resets it to its first words. */
import { useState } from "react";
import { useHost } from "../../store/hooks";
import { t } from "../../text";
import { Dialog } from "../../ui/Dialog";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";

/** The maximum length of a title, in characters. */
const MOST_CHARS = 200;

interface Props {
  task: string;
  title: string;
  /** Whether the user gave that title. */
  isOwn: boolean;
  onClose(): void;
}

export function Rename({ task, title, isOwn, onClose }: Props) {
  const { client } = useHost();
  const [typed, setTyped] = useState(title);
  const rename = useAction(async (to: string | null) => {
    await client.command({ command: "rename", task, title: to });
    onClose();
  });
  return (
    <Dialog title={t("rename.title")} onClose={onClose}>
      <form
        className="dialog-body col"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim()) void rename.run(typed.trim());
        }}
      >
        <label className="col">
          <span className="lbl">{t("rename.label")}</span>
          <input
            className="field"
            data-begin
            value={typed}
            maxLength={MOST_CHARS}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        {rename.error && <ErrorNote error={rename.error} onDismiss={rename.clear} />}
        <div className="row wrap dialog-buttons">
          {isOwn && (
            <button
              type="button"
              className="btn"
              disabled={rename.busy}
              onClick={() => void rename.run(null)}
            >
              {t("rename.reset")}
            </button>
          )}
          <span className="grow" />
          <button type="button" className="btn" onClick={onClose}>
            {t("memory.cancel")}
          </button>
          <button type="submit" className="btn primary" disabled={rename.busy || typed.trim() === ""}>
            {t("rename.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
