/** A phone that is not a device yet, or not any more: scan the code with the camera, or put its link in by hand. */
import { ScanLine, Smartphone } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ErrorBody } from "../../../src/protocol";
import { t } from "../../../src/text";
import { phoneApp, type Scanned, scannedLink } from "../../../src/transport";
import { HostTexts } from "../../../src/ui/HostText";
import "../../../src/features/pair/pair.css";

interface Props {
  /** Why the host let this device go, where it did. */
  refused?: ErrorBody;
  onScanned(scanned: Scanned): void;
}

export function PairByCode({ refused, onScanned }: Props) {
  const [link, setLink] = useState("");
  const [isWrong, setWrong] = useState(false);
  const take = (text: string) => {
    const scanned = scannedLink(text);
    // The app has to know where the host is; a page came from there.
    const isWhole = scanned && (!phoneApp || scanned.at);
    setWrong(!isWhole);
    if (!scanned || !isWhole) return;
    // It is shown again after a reload, should the phone end the page meanwhile.
    if (refused) {
      const at = scanned.at ? `&at=${scanned.at}` : "";
      window.location.hash = `#pair=${scanned.code}&pin=${scanned.pin}${at}`;
    }
    onScanned(scanned);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    take(link);
  };
  const scan = async () => {
    const text = await (await phoneApp?.())?.scan();
    if (text) take(text);
  };
  return (
    <main className="pairing">
      <Smartphone className="ic phone-pair-mark" aria-hidden="true" />
      <h1>{t(refused ? "pair.none" : "pair.title")}</h1>
      {refused && (
        <p className="muted">
          <HostTexts texts={[refused.message]} between=" " />
        </p>
      )}
      <p>{t(phoneApp ? "phone.pair.scan_here" : "phone.pair.scan")}</p>
      {phoneApp && (
        <button type="button" className="btn primary" onClick={() => void scan()}>
          <ScanLine className="ic" aria-hidden="true" />
          {t("phone.pair.camera")}
        </button>
      )}
      <form className="pairing-form" onSubmit={submit}>
        <label>
          <span className="lbl">{t("phone.pair.link")}</span>
          <textarea
            className="field mono"
            rows={3}
            value={link}
            onChange={(event) => setLink(event.target.value)}
            placeholder="https://…/m/#pair=…"
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            aria-invalid={isWrong}
            aria-describedby="pair-wrong"
          />
        </label>
        <p id="pair-wrong" role="alert">
          {isWrong && t("phone.pair.wrong")}
        </p>
        <button type="submit" className={phoneApp ? "btn" : "btn primary"} disabled={link.trim() === ""}>
          {t("phone.pair.next")}
        </button>
      </form>
    </main>
  );
}
