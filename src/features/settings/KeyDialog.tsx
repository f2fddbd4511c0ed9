/** The dialog that stores a backend's key in the desktop's keyring. The typed key is sent only to the host. */
import { useState } from "react";
import type { BackendSettings } from "../../protocol";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { Dialog } from "../../ui/Dialog";
import { ErrorNote } from "../../ui/ErrorNote";
import { KeyField } from "./KeyField";
import { useKey } from "./useHostSettings";

interface Props {
  backend: BackendSettings;
  /** Called after the key was stored. */
  onSaved?(): void;
  onClose(): void;
}

export function KeyDialog({ backend, onSaved, onClose }: Props) {
  const keep = useKey();
  const [key, setKey] = useState("");
  const isKept = backend.key?.kind === "keyring";
  const send = async (value: string | null) => {
    if (!(await keep.run(backend.name, value))) return;
    if (value !== null) onSaved?.();
    onClose();
  };
  return (
    <Dialog title={t("settings.key.title", { name: visible(backend.name) })} onClose={onClose}>
      <form
        className="dialog-body col"
        onSubmit={(event) => {
          event.preventDefault();
          void send(key);
        }}
      >
        <KeyField value={key} host={backend.base_url} isKept={isKept} focus onChange={setKey} />
        {keep.error && <ErrorNote error={keep.error} onDismiss={keep.clear} />}
        <div className="row wrap">
          <button type="submit" className="btn primary" disabled={keep.busy || key.trim() === ""}>
            {t("settings.key.keep")}
          </button>
          {isKept && (
            <button type="button" className="btn" disabled={keep.busy} onClick={() => void send(null)}>
              {t("settings.key.forget")}
            </button>
          )}
          {keep.busy && <span className="muted small">{t("settings.key.wait")}</span>}
        </div>
      </form>
    </Dialog>
  );
}
