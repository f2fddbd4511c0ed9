/** The settings for theme, size and language. */
import { type Preferences, setPreferences, usePreferences } from "../../app/preferences";
import { LANGUAGES, t } from "../../text";
import { Segmented } from "../../ui/Segmented";
import { Line } from "./Line";

export function Appearance() {
  const chosen = usePreferences();
  return (
    <section className="settings">
      <h2>{t("settings.appearance")}</h2>
      <Line name={t("settings.theme")}>
        <Segmented
          label={t("settings.theme")}
          value={chosen.theme}
          options={(["system", "light", "dark"] as const).map((value) => ({
            value,
            label: t(`settings.theme.${value}`),
          }))}
          onChange={(theme) => setPreferences({ theme })}
        />
      </Line>
      <Line name={t("settings.contrast")}>
        <Segmented
          label={t("settings.contrast")}
          value={chosen.contrast}
          options={(["system", "more"] as const).map((value) => ({
            value,
            label: t(`settings.contrast.${value}`),
          }))}
          onChange={(contrast) => setPreferences({ contrast })}
        />
      </Line>
      <Line name={t("settings.size")}>
        <Segmented
          label={t("settings.size")}
          value={String(chosen.size)}
          options={([100, 112, 125, 150] as const).map((size) => ({
            value: String(size),
            label: t(`settings.size.${size}`),
          }))}
          onChange={(size) => setPreferences({ size: Number(size) as Preferences["size"] })}
        />
      </Line>
      <Line name={t("settings.motion")}>
        <Segmented
          label={t("settings.motion")}
          value={chosen.motion}
          options={(["system", "none"] as const).map((value) => ({
            value,
            label: t(`settings.motion.${value}`),
          }))}
          onChange={(motion) => setPreferences({ motion })}
        />
      </Line>
      <Line name={t("settings.language")}>
        <select
          className="field setting-select"
          aria-label={t("settings.language")}
          value={chosen.language}
          onChange={(event) => setPreferences({ language: event.target.value as Preferences["language"] })}
        >
          <option value="system">{t("settings.language.system")}</option>
          {Object.entries(LANGUAGES).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
      </Line>
    </section>
  );
}
