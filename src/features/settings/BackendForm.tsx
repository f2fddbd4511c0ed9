/**
 * The form of a backend, from the settings that it declares: an address with common suggestions, a model, and the
 * rest.
 */
import { useState } from "react";
import type { BackendSetting, BackendSettings } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { HintedField } from "./HintedField";
import { ProviderForm } from "./ProviderForm";
import { useKey } from "./useHostSettings";

/** Returns the settings to show. The others are changed in the file. */
export function settable(backend: BackendSettings): readonly BackendSetting[] {
  return (backend.form?.settings ?? []).filter((each) => !each.advanced && each.kind !== "table");
}

interface Props {
  backend: BackendSettings;
  /** The models that the backend listed when it was checked. */
  models: readonly string[];
  onDone(): void;
  /** Absent if the form is closed in another way. */
  onCancel?(): void;
}

export function BackendForm({ backend, models, onDone, onCancel }: Props) {
  const settings = settable(backend);
  const [drafts, setDrafts] = useState<Record<string, string>>({ ...backend.values });
  const address = settings.find((each) => each.kind === "address")?.name;
  const put = (name: string, text: string) => setDrafts((now) => ({ ...now, [name]: text }));
  const values = () => {
    const each = ({ name }: BackendSetting) =>
      [`backends.${backend.name}.${name}`, drafts[name]?.trim() || null] as const;
    return Object.fromEntries(settings.map(each));
  };
  // The settings that a model cannot work without come first.
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
  const more = rest.length > 0 && (
    <details className="settings-more">
      <summary>{t("settings.form.more")}</summary>
      <div className="col">{rest.map(field)}</div>
    </details>
  );
  return (
    <ProviderForm
      name={backend.name}
      stored={backend.key}
      takesKey={backend.form?.takes_key ?? true}
      host={backend.base_url}
      keep={useKey()}
      values={values}
      hint={t("settings.form.hint")}
      more={more}
      onDone={onDone}
      onCancel={onCancel}
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
    </ProviderForm>
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
  const usual = setting.default;
  return (
    <HintedField
      label={visible(hostText(setting.label))}
      hint={setting.hint && visible(hostText(setting.hint))}
      suggested={setting.kind === "model" ? models : (setting.choices ?? [])}
      value={text}
      placeholder={usual === undefined || usual === null ? "" : visible(String(usual))}
      aria-required={setting.required ?? false}
      autoFocus={first}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
