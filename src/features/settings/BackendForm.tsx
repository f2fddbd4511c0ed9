/** Where a server of OpenAI's kind is, and which of its models plans. */
import { useId, useState } from "react";
import type { BackendSettings } from "../../protocol";
import { t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { useChange } from "./useHostSettings";

/** Servers that many people have, by the address that their makers name. */
const USUAL: readonly (readonly [string, string])[] = [
  ["Ollama", "http://127.0.0.1:11434/v1"],
  ["LM Studio", "http://127.0.0.1:1234/v1"],
  ["OpenAI", "https://api.openai.com/v1"],
  ["OpenRouter", "https://openrouter.ai/api/v1"],
];

interface Props {
  backend: BackendSettings;
  /** Models that it named when it was checked. */
  models: readonly string[];
  onDone(): void;
}

export function BackendForm({ backend, models, onDone }: Props) {
  const change = useChange();
  const list = useId();
  const [address, setAddress] = useState(backend.base_url ?? "");
  const [model, setModel] = useState(backend.model ?? "");
  const save = async () => {
    const prefix = `backends.${backend.name}`;
    const values = {
      [`${prefix}.base_url`]: address.trim() || null,
      [`${prefix}.model`]: model.trim() || null,
    };
    if (await change.run(values)) onDone();
  };
  return (
    <form
      className="backend-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <fieldset className="row wrap">
        <legend className="lbl">{t("settings.form.usual")}</legend>
        {USUAL.map(([name, usual]) => (
          <button
            key={name}
            type="button"
            className="btn"
            aria-pressed={address === usual}
            onClick={() => setAddress(usual)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <label>
        <span className="lbl">{t("settings.form.address")}</span>
        <input
          className="field mono"
          value={address}
          placeholder="https://…/v1"
          spellCheck={false}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: it opens where a person asked to write here
          autoFocus
          onChange={(event) => setAddress(event.target.value)}
        />
      </label>
      <label>
        <span className="lbl">{t("settings.form.model")}</span>
        <input
          className="field mono"
          value={model}
          list={list}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setModel(event.target.value)}
        />
        <datalist id={list}>
          {models.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </label>
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
      <div className="row">
        <button type="submit" className="btn primary" disabled={change.busy || address.trim() === ""}>
          {t("settings.form.save")}
        </button>
        <span className="muted small">{t("settings.form.hint")}</span>
      </div>
    </form>
  );
}
