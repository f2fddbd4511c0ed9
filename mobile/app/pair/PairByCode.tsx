/** A phone that is no device yet, or not any more: scan the code with the camera, or put its link in by hand. */
import { Smartphone } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ErrorBody } from "../../../src/protocol";
import { t } from "../../../src/text";
import { type Scanned, scannedIn } from "../../../src/transport";
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const scanned = scannedIn(link.trim().replace(/^[^#]*#/, ""));
    setWrong(!scanned);
    if (!scanned) return;
    // It is shown again after a reload, should the phone end the page meanwhile.
    if (refused) window.location.hash = `#pair=${scanned.code}&pin=${scanned.pin}`;
    onScanned(scanned);
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
      <p>{t("phone.pair.scan")}</p>
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
        <button type="submit" className="btn primary" disabled={link.trim() === ""}>
          {t("phone.pair.next")}
        </button>
      </form>
    </main>
  );
}
