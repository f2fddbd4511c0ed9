/** The form for a provider of models or of searches: its settings, and its key. */
import { type ReactNode, useState } from "react";
import type { KeyPlace } from "../../protocol";
import { t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import type { Action } from "../../ui/useAction";
import { KeyField } from "./KeyField";
import { useChange } from "./useHostSettings";

interface Props {
  name: string;
  /** Where its key is stored now. */
  stored: KeyPlace | null;
  takesKey: boolean;
  /** The only address that the key is sent to. */
  host: string | null | undefined;
  /** Stores or removes the key. */
  keep: Action<[string, string | null]>;
  /** The settings to save, by name. */
  values(): Record<string, string | null>;
  /** A note about what saving does. */
  hint: string;
  focusKey?: boolean;
  /** The fields before the key. */
  children: ReactNode;
  /** The fields after it. */
  more?: ReactNode;
  onDone(): void;
  /** Absent if the form cannot be closed. */
  onCancel?: (() => void) | undefined;
}

export function ProviderForm(props: Props) {
  const { name, stored, takesKey, host, keep, focusKey = false, onDone, onCancel } = props;
  const change = useChange();
  /** Kept only in this field. */
  const [key, setKey] = useState("");
  const isKept = takesKey && stored?.kind === "keyring";
  const save = async () => {
    // The address comes first: a key is bound to it.
    if (!(await change.run(props.values()))) return;
    if (takesKey && key.trim() !== "") {
      if (!(await keep.run(name, key.trim()))) return;
      setKey("");
    }
    onDone();
  };
  return (
    <form
      className="backend-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel?.()}
    >
      {props.children}
      {takesKey && <KeyField value={key} host={host} isKept={isKept} focus={focusKey} onChange={setKey} />}
      {props.more}
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
      {keep.error && <ErrorNote error={keep.error} onDismiss={keep.clear} />}
      <div className="row wrap">
        <button type="submit" className="btn primary" disabled={change.busy || keep.busy}>
          {t("settings.form.save")}
        </button>
        {isKept && (
          <button
            type="button"
            className="btn"
            disabled={keep.busy}
            onClick={() => void keep.run(name, null)}
          >
            {t("settings.key.forget")}
          </button>
        )}
        <span className="muted small">{keep.busy ? t("settings.key.wait") : props.hint}</span>
      </div>
    </form>
  );
}
