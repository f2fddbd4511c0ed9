/** When and where the user is notified: in this browser, and through the host's channels. */
import { useState } from "react";
import { setPreferences, usePreferences } from "../../app/preferences";
import type { NotifyChannels } from "../../protocol";
import { useHost } from "../../store/hooks";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { desktop } from "../../transport";
import { ErrorNote } from "../../ui/ErrorNote";
import { SwitchLine, TopicLine } from "./fields";
import { Line } from "./Line";
import { useDraft } from "./useDraft";
import { useChange } from "./useHostSettings";

interface Props {
  channels?: NotifyChannels | undefined;
  /** Whether the change takes effect at the next start. */
  restart?: boolean;
}

export function Notifications({ channels, restart }: Props) {
  const { device } = useHost().client;
  return (
    <section className="settings">
      <h2>{t("settings.notify")}</h2>
      <InThisBrowser />
      {device && (
        <Line name={t("settings.topic")} hint={t("settings.topic.hint")}>
          <span className="mono muted setting-value">…-{visible(device)}</span>
        </Line>
      )}
      {channels && <Channels channels={channels} />}
      {restart && <p className="muted small">{t("settings.restart")}</p>}
    </section>
  );
}

function InThisBrowser() {
  const chosen = usePreferences();
  const [blocked, setBlocked] = useState(false);
  // The desktop window sends its own notifications.
  if (desktop || !("Notification" in window)) return null;
  const change = async (on: boolean) => {
    const allowed = !on || (await Notification.requestPermission()) === "granted";
    setBlocked(!allowed);
    setPreferences({ notify: on && allowed });
  };
  return (
    <>
      <SwitchLine name={t("settings.notify.on")} on={chosen.notify} onChange={(on) => void change(on)} />
      {blocked && <p className="muted small">{t("settings.notify.blocked")}</p>}
    </>
  );
}

/** Splits `22:00-07:00` into two times. Either may be empty while the user chooses the other. */
function hoursOf(quiet: string): { from: string; until: string } {
  const [, from = "", until = ""] = /^\s*(\d\d:\d\d)?\s*-\s*(\d\d:\d\d)?\s*$/.exec(quiet) ?? [];
  return { from, until };
}

function Channels({ channels }: { channels: NotifyChannels }) {
  const change = useChange();
  const quiet = useDraft(channels.quiet ?? "", (text) => change.run({ "notify.quiet": text || null }));
  const hours = hoursOf(quiet.text);
  const keepHours = ({ from, until }: typeof hours) => {
    if (from && until) void quiet.keep(`${from}-${until}`);
    else if (!from && !until) void quiet.keep("");
    else quiet.edit(`${from}-${until}`);
  };
  return (
    <>
      <Line name={t("settings.quiet")} hint={t("settings.quiet.hint")}>
        <span className="row">
          <input
            type="time"
            className="field setting-time"
            aria-label={t("settings.quiet.from")}
            value={hours.from}
            onChange={(event) => keepHours({ ...hours, from: event.target.value })}
          />
          <span aria-hidden="true">–</span>
          <input
            type="time"
            className="field setting-time"
            aria-label={t("settings.quiet.until")}
            value={hours.until}
            onChange={(event) => keepHours({ ...hours, until: event.target.value })}
          />
          {channels.quiet && (
            <button type="button" className="btn" onClick={() => keepHours({ from: "", until: "" })}>
              {t("settings.quiet.none")}
            </button>
          )}
        </span>
      </Line>
      <TopicLine
        name={t("settings.ntfy")}
        hint={t("settings.ntfy.hint")}
        address={channels.ntfy ?? ""}
        keep={(address) => change.run({ "notify.ntfy": address || null })}
      />
      <Line name={t("settings.command")} hint={t("settings.command.hint")}>
        <span className="mono muted setting-value">
          {channels.command.length > 0 ? visible(channels.command.join(" ")) : t("settings.command.none")}
        </span>
      </Line>
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
    </>
  );
}
