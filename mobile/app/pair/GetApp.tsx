/** In a phone's browser that is about to be paired: the app does it better. Offered where the host has one for this phone. */
import { Download, Smartphone } from "lucide-react";
import { t } from "../../../src/text";
import type { Scanned } from "../../../src/transport";
import { useApk } from "../../../src/ui/useApk";

export default function GetApp({ scanned }: { scanned: Scanned }) {
  const apk = useApk("./deputy.json");
  if (!apk || !/Android/.test(navigator.userAgent)) return null;
  const link = `deputy://pair#at=${window.location.host}&pair=${scanned.code}&pin=${scanned.pin}`;
  return (
    <section className="pairing-app">
      <h2>{t("phone.get")}</h2>
      <p className="muted">{t("phone.get.more")}</p>
      <p className="row">
        <a className="btn" href="./deputy.apk" download>
          <Download className="ic" aria-hidden="true" />
          {t("phone.get.download", { size: apk.size })}
        </a>
        <a className="btn" href={link}>
          <Smartphone className="ic" aria-hidden="true" />
          {t("phone.get.open")}
        </a>
      </p>
    </section>
  );
}
