/** The dialog that pairs a device: its permissions, the code to scan and the number to compare. */
import { Check } from "lucide-react";
import { useEffect, useState } from "react";
import { renderSVG } from "uqr";
import type { DeviceScope, ErrorBody, PairingAnswer } from "../../protocol";
import { useHost } from "../../store/hooks";
import { relative, t } from "../../text";
import { visible } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { Dialog } from "../../ui/Dialog";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { useAction } from "../../ui/useAction";

const SCOPES: readonly DeviceScope[] = ["monitor", "approve", "command"];
/** How often the page asks the host whether the device has connected. */
const LOOK_MS = 1_000;

export function PairDialog({ onClose }: { onClose(): void }) {
  const { client } = useHost();
  const [scopes, setScopes] = useState<readonly DeviceScope[]>(["monitor", "approve"]);
  const [pairing, setPairing] = useState<PairingAnswer>();
  const [error, setError] = useState<ErrorBody>();
  const start = useAction(async () => {
    await client.command({ command: "start_pairing", scopes: [...scopes] });
    setPairing(await client.query({ query: "pairing" }, "pairing"));
  });
  const stage = pairing?.stage.stage;
  const waits = stage === "waiting" || stage === "claimed";
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => {
      client
        .query({ query: "pairing" }, "pairing")
        .then(setPairing)
        .catch((failure: unknown) => setError(bodyOf(failure)));
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [client, waits]);
  const failed = error ?? start.error;
  const toggle = (scope: DeviceScope) => {
    setScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  };
  return (
    <Dialog title={t("devices.pair")} onClose={onClose}>
      <div className="dialog-body pair" aria-live="polite">
        {failed && <ErrorNote error={failed} />}
        {!pairing && (
          <>
            <fieldset className="pair-scopes">
              <legend className="lbl">{t("devices.may")}</legend>
              {SCOPES.map((scope) => (
                <label key={scope} className="row">
                  <input
                    type="checkbox"
                    checked={scopes.includes(scope)}
                    disabled={scope === "monitor"}
                    onChange={() => toggle(scope)}
                  />
                  <span>
                    {t(`devices.scope.${scope}`)}
                    <span className="muted small"> {t(`devices.scope.${scope}.more`)}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <button
              type="button"
              className="btn primary"
              onClick={() => void start.run()}
              disabled={start.busy}
            >
              {t("devices.code")}
            </button>
          </>
        )}
        {pairing && <Stage pairing={pairing} onError={setError} />}
      </div>
    </Dialog>
  );
}

function Stage({ pairing, onError }: { pairing: PairingAnswer; onError(error: ErrorBody): void }) {
  const { client } = useHost();
  const now = useNow();
  const { stage } = pairing;
  const confirm = useAction(async (number: string, accept: boolean) => {
    await client.command({ command: "confirm_pairing", number, accept }).catch((failure: unknown) => {
      onError(bodyOf(failure));
    });
  });
  switch (stage.stage) {
    case "waiting":
      return (
        <>
          <Code link={pairing.link} />
          <p>{t("devices.scan")}</p>
          <p className="muted small" aria-live="off">
            {t("request.expires", { when: relative(pairing.expires_at_ms, now) })}
          </p>
          <p className="mono pair-link">{pairing.link}</p>
        </>
      );
    case "claimed":
      return (
        <>
          <p>{t("devices.compare", { name: visible(stage.name) })}</p>
          <p className="pair-number">{stage.number}</p>
          {stage.confirmed ? (
            <p className="muted">{t("devices.confirmed")}</p>
          ) : (
            <div className="row">
              <button
                type="button"
                className="btn primary"
                disabled={confirm.busy}
                onClick={() => void confirm.run(stage.number, true)}
              >
                {t("devices.same")}
              </button>
              <button
                type="button"
                className="btn deny"
                disabled={confirm.busy}
                onClick={() => void confirm.run(stage.number, false)}
              >
                {t("devices.other")}
              </button>
            </div>
          )}
        </>
      );
    case "paired":
      return (
        <p className="row pair-done">
          <Check className="ic" aria-hidden="true" />
          {t("devices.done", { name: visible(stage.device.name) })}
        </p>
      );
    case "over":
      return (
        <p>
          <HostText text={stage.reason} />
        </p>
      );
  }
}

/** The QR code: black on white in every theme, because cameras need the contrast. */
function Code({ link }: { link: string }) {
  const source = `data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 2 }))}`;
  return <img className="pair-code" src={source} alt={t("devices.code.alt")} />;
}
