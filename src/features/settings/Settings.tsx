/** How the page looks and speaks, when it calls, and which host it talks to. */
import { type ReactNode, useState } from "react";
import { type Preferences, setPreferences, usePreferences } from "../../app/preferences";
import { PROTOCOL_VERSION } from "../../protocol";
import { useStore } from "../../store/hooks";
import { LANGUAGES, number, t } from "../../text";
import { desktop } from "../../transport";
import { Segmented } from "../../ui/Segmented";
import { AtLogin } from "./AtLogin";
import "./settings.css";

export default function Settings() {
  return (
    <>
      <header className="page-head">
        <h1>{t("settings.title")}</h1>
      </header>
      <div className="page-body">
        <div className="column">
          <Appearance />
          {desktop ? <AtLogin desktop={desktop} /> : <Notifications />}
          <HostFacts />
        </div>
      </div>
    </>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="setting">
      <span className="grow">{name}</span>
      {children}
    </div>
  );
}

function Appearance() {
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

function Notifications() {
  const chosen = usePreferences();
  const [blocked, setBlocked] = useState(false);
  if (!("Notification" in window)) return null;
  const change = async (on: boolean) => {
    const allowed = !on || (await Notification.requestPermission()) === "granted";
    setBlocked(!allowed);
    setPreferences({ notify: on && allowed });
  };
  return (
    <section className="settings">
      <h2>{t("settings.notify")}</h2>
      <label className="setting">
        <span className="grow">{t("settings.notify.on")}</span>
        <input
          type="checkbox"
          className="switch"
          role="switch"
          aria-checked={chosen.notify}
          checked={chosen.notify}
          onChange={(event) => void change(event.target.checked)}
        />
      </label>
      {blocked && <p className="muted small">{t("settings.notify.blocked")}</p>}
    </section>
  );
}

function HostFacts() {
  const link = useStore((state) => state.link);
  const seq = useStore((state) => state.seq);
  return (
    <section className="settings">
      <h2>{t("settings.host")}</h2>
      <Line name={t("settings.connection")}>
        <span className="muted">{t(link.is === "online" ? "settings.online" : "settings.offline")}</span>
      </Line>
      {link.is === "online" && (
        <Line name={t("settings.version")}>
          <span className="muted">{link.version}</span>
        </Line>
      )}
      <Line name={t("settings.protocol")}>
        <span className="muted">{PROTOCOL_VERSION}</span>
      </Line>
      <Line name={t("settings.seq")}>
        <span className="muted">{number(seq)}</span>
      </Line>
    </section>
  );
}
