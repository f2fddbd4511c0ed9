/** The settings that a backend declares for screens: an address with those that many people have, a model, and the rest. */
import { useId, useState } from "react";
import type { BackendSetting, BackendSettings } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { useChange } from "./useHostSettings";

/** What is set here. The rest is changed in the file. */
export function settable(backend: BackendSettings): readonly BackendSetting[] {
  return (backend.form?.settings ?? []).filter((each) => !each.advanced && each.kind !== "table");
}

interface Props {
  backend: BackendSettings;
  /** Models that it named when it was checked. */
  models: readonly string[];
  onDone(): void;
}

export function BackendForm({ backend, models, onDone }: Props) {
  const change = useChange();
  const settings = settable(backend);
  const [drafts, setDrafts] = useState<Record<string, string>>({ ...backend.values });
  const address = settings.find((each) => each.kind === "address")?.name;
  const put = (name: string, text: string) => setDrafts((now) => ({ ...now, [name]: text }));
  const save = async () => {
    const values = settings.map(
      ({ name }) => [`backends.${backend.name}.${name}`, drafts[name]?.trim() || null] as const,
    );
    if (await change.run(Object.fromEntries(values))) onDone();
  };
  return (
    <form
      className="backend-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
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
      {settings.map((setting, at) => (
        <Setting
          key={setting.name}
          setting={setting}
          text={drafts[setting.name] ?? ""}
          models={models}
          first={at === 0}
          onChange={(text) => put(setting.name, text)}
        />
      ))}
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
      <div className="row">
        <button type="submit" className="btn primary" disabled={change.busy}>
          {t("settings.form.save")}
        </button>
        <span className="muted small">{t("settings.form.hint")}</span>
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
