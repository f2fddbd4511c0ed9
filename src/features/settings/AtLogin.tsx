/** Whether the app starts at login. Only shown in the desktop window. */
import { useEffect, useState } from "react";
import { t } from "../../text";
import type { Desktop } from "../../transport";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";
import { SwitchLine } from "./fields";

export function AtLogin({ desktop }: { desktop: Desktop }) {
  const [on, setOn] = useState(false);
  useEffect(() => {
    desktop.startsAtLogin().then(setOn, () => {});
  }, [desktop]);
  const change = useAction(async () => {
    await desktop.startAtLogin(!on);
    setOn(await desktop.startsAtLogin());
  });
  return (
    <section className="settings">
      <h2>{t("settings.desktop")}</h2>
      <SwitchLine
        name={t("settings.desktop.login")}
        on={on}
        busy={change.busy}
        onChange={() => void change.run()}
      />
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
    </section>
  );
}
