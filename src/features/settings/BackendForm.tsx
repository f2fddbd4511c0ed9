/** The settings that a backend declares for screens: an address with those that many people have, a model, and the rest. */
import { useId, useState } from "react";
import type { BackendSetting, BackendSettings } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { useChange, useKey } from "./useHostSettings";

/** What is set here. The rest is changed in the file. */
export function settable(backend: BackendSettings): readonly BackendSetting[] {
  return (backend.form?.settings ?? []).filter((each) => !each.advanced && each.kind !== "table");
}

interface Props {
  backend: BackendSettings;
  /** Models that it named when it was checked. */
  models: readonly string[];
  onDone(): void;
  /** Absent where something else closes it. */
  onCancel?(): void;
}

export function BackendForm({ backend, models, onDone, onCancel }: Props) {
  const change = useChange();
  const keep = useKey();
  /** In no state but this field's. */
  const [key, setKey] = useState("");
  const takesKey = backend.form?.takes_key ?? true;
  const settings = settable(backend);
  const [drafts, setDrafts] = useState<Record<string, string>>({ ...backend.values });
  const keyHint = useId();
  const address = settings.find((each) => each.kind === "address")?.name;
  const put = (name: string, text: string) => setDrafts((now) => ({ ...now, [name]: text }));
  const save = async () => {
    const values = settings.map(
      ({ name }) => [`backends.${backend.name}.${name}`, drafts[name]?.trim() || null] as const,
    );
    // The address comes first: a key is bound to it.
    if (!(await change.run(Object.fromEntries(values)))) return;
    if (takesKey && key.trim() !== "") {
      if (!(await keep.run(backend.name, key.trim()))) return;
      setKey("");
    }
    onDone();
  };
  // What a model cannot be had without comes first.
  const isFirst = ({ kind, required }: BackendSetting) => kind === "address" || kind === "model" || required;
  const [first, rest] = [settings.filter(isFirst), settings.filter((each) => !isFirst(each))];
  const field = (setting: BackendSetting) => (
    <Setting
      key={setting.name}
      setting={setting}
      text={drafts[setting.name] ?? ""}
      models={models}
      first={setting === (first[0] ?? rest[0])}
      onChange={(text) => put(setting.name, text)}
    />
  );
  return (
    <form
      className="backend-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel?.()}
    >
      {address && (backend.form?.presets ?? []).length > 0 && (
        <fieldset className="row wrap">
          <legend className="lbl">{t("settings.form.usual")}</legend>
          {backend.form?.presets?.map((preset) => (
            <button
              key={preset.address}
              type="button"
              className="btn"
              aria-pressed={drafts[address] === preset.address}
              onClick={() => put(address, preset.address)}
            >
              {visible(preset.label)}
            </button>
          ))}
        </fieldset>
      )}
      {first.map(field)}
      {takesKey && (
        <label>
          <span className="lbl">{t("settings.key.label")}</span>
          <input
            type="password"
            className="field mono"
            value={key}
            placeholder={backend.key?.kind === "keyring" ? t("settings.key.kept") : ""}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={keyHint}
            onChange={(event) => setKey(event.target.value)}
          />
          <span className="muted small" id={keyHint}>
            {t("settings.key.more")}{" "}
            {backend.base_url && t("settings.key.host", { host: visible(backend.base_url) })}
          </span>
        </label>
      )}
      {rest.length > 0 && (
        <details className="settings-more">
          <summary>{t("settings.form.more")}</summary>
          <div className="col">{rest.map(field)}</div>
        </details>
      )}
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
      {keep.error && <ErrorNote error={keep.error} onDismiss={keep.clear} />}
      <div className="row wrap">
        <button type="submit" className="btn primary" disabled={change.busy || keep.busy}>
          {t("settings.form.save")}
        </button>
        {takesKey && backend.key?.kind === "keyring" && (
          <button
            type="button"
            className="btn"
            disabled={keep.busy}
            onClick={() => void keep.run(backend.name, null)}
          >
            {t("settings.key.forget")}
          </button>
        )}
        {keep.busy && <span className="muted small">{t("settings.key.wait")}</span>}
        {!keep.busy && <span className="muted small">{t("settings.form.hint")}</span>}
      </div>
    </form>
  );
}

interface SettingProps {
  setting: BackendSetting;
  text: string;
  models: readonly string[];
  first: boolean;
  onChange(text: string): void;
}

function Setting({ setting, text, models, first, onChange }: SettingProps) {
  const list = useId();
  const suggested = setting.kind === "model" ? models : (setting.choices ?? []);
  const usual = setting.default;
  return (
    <label>
      <span className="lbl">{visible(hostText(setting.label))}</span>
      <input
        className="field mono"
        value={text}
        placeholder={usual === undefined || usual === null ? "" : visible(String(usual))}
        list={suggested.length > 0 ? list : undefined}
        aria-required={setting.required ?? false}
        spellCheck={false}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it opens where a person asked to write here
        autoFocus={first}
        onChange={(event) => onChange(event.target.value)}
      />
      {setting.hint && <span className="muted small">{visible(hostText(setting.hint))}</span>}
      {suggested.length > 0 && (
        <datalist id={list}>
          {suggested.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  );
}
