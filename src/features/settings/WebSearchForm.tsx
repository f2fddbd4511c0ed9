/** The form for a search provider: its address, and its key if it takes one. */
import { useId, useState } from "react";
import type { SearchChoice } from "../../protocol";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { useChange, useSearchKey } from "./useHostSettings";

interface Props {
  choice: SearchChoice;
  /** Its address, if not the provider's own. */
  address: string | null;
  onDone(): void;
  onCancel(): void;
}

export function WebSearchForm({ choice, address, onDone, onCancel }: Props) {
  const change = useChange();
  const keep = useSearchKey();
  const [where, setWhere] = useState(address ?? "");
  /** Kept only in this field. */
  const [key, setKey] = useState("");
  const [keyHint, addressHint] = [useId(), useId()];
  const isKept = choice.key?.kind === "keyring";
  const host = where.trim() || choice.address;
  const save = async () => {
    // The address comes first: a key is bound to it.
    const settings = { "search.provider": choice.name, "search.address": where.trim() || null };
    if (!(await change.run(settings))) return;
    if (choice.takes_key && key.trim() !== "") {
      if (!(await keep.run(choice.name, key.trim()))) return;
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
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <label>
        <span className="lbl">{t("settings.search.address")}</span>
        <input
          type="url"
          className="field mono"
          value={where}
          placeholder={choice.address ? visible(choice.address) : "https://search.example.org"}
          required={!choice.address}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={addressHint}
          // biome-ignore lint/a11y/noAutofocus: it opens where a person asked to write here
          autoFocus={!choice.takes_key}
          onChange={(event) => setWhere(event.target.value)}
        />
        <span className="muted small" id={addressHint}>
          {t(choice.address ? "settings.search.address.usual" : "settings.search.address.hint")}
        </span>
      </label>
      {choice.takes_key && (
        <label>
          <span className="lbl">{t("settings.key.label")}</span>
          <input
            type="password"
            className="field mono"
            value={key}
            placeholder={isKept ? t("settings.key.kept") : ""}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={keyHint}
            // biome-ignore lint/a11y/noAutofocus: it opens where a person asked to write here
            autoFocus
            onChange={(event) => setKey(event.target.value)}
          />
          <span className="muted small" id={keyHint}>
            {t("settings.key.more")} {host && t("settings.key.host", { host: visible(host) })}
          </span>
        </label>
      )}
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
            onClick={() => void keep.run(choice.name, null)}
          >
            {t("settings.key.forget")}
          </button>
        )}
        <span className="muted small">{t(keep.busy ? "settings.key.wait" : "settings.search.tries")}</span>
      </div>
    </form>
  );
}
