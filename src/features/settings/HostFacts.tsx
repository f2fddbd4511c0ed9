/** Facts about the host, such as its version. */
import { PROTOCOL_VERSION } from "../../protocol";
import { useStore } from "../../store/hooks";
import { number, t } from "../../text";
import { Line } from "./Line";

export function HostFacts() {
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
