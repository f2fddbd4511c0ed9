/** Paired phones and browsers: pairing with a code and a number, renaming, revoking. */
import { Download, Smartphone } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { Device, ErrorBody } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { date, relative, t } from "../../text";
import { visible } from "../../text/visible";
import { desktop } from "../../transport";
import { useNow } from "../../ui/clock";
import { Empty } from "../../ui/Empty";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { useAction } from "../../ui/useAction";
import { useApk } from "../../ui/useApk";
import { PairDialog } from "./PairDialog";
import "./devices.css";

export default function Devices() {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const [devices, setDevices] = useState<readonly Device[]>();
  const [error, setError] = useState<ErrorBody>();
  const [pairing, setPairing] = useState(false);
  const load = useCallback(() => {
    client
      .query({ query: "devices" }, "devices")
      .then((answer) => setDevices(answer.devices.filter((device) => device.revoked_at_ms === null)))
      .catch((failure: unknown) => setError(bodyOf(failure)));
  }, [client]);
  useEffect(() => {
    if (online) load();
  }, [online, load]);
  const pair = (
    <button type="button" className="btn primary" onClick={() => setPairing(true)}>
      {t("devices.pair")}
    </button>
  );
  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>{t("devices.title")}</h1>
          <p className="muted small">{t("devices.lead")}</p>
        </div>
        {devices && devices.length > 0 && pair}
      </header>
      <div className="page-body">
        {error && <ErrorNote error={error} onDismiss={() => setError(undefined)} />}
        {!devices && !error && <Skeleton lines={4} label={t("link.connecting")} />}
        {devices?.length === 0 && (
          <Empty icon={Smartphone} title={t("devices.empty")} action={pair}>
            {t("devices.empty.more")}
          </Empty>
        )}
        {devices && devices.length > 0 && (
          <ul className="devices">
            {devices.map((device) => (
              <DeviceLine key={device.id} device={device} onChanged={load} onError={setError} />
            ))}
          </ul>
        )}
        <AndroidApp />
      </div>
      {pairing && (
        <PairDialog
          onClose={() => {
            setPairing(false);
            load();
          }}
        />
      )}
    </>
  );
}

/**
 * A download link to the Android app, if it was built. A phone that scans the pairing code is offered the app as
 * well.
 */
function AndroidApp() {
  const apk = useApk("/m/deputy.json");
  // The desktop window does not support downloads.
  if (!apk || desktop) return null;
  return (
    <section className="android">
      <h2>{t("devices.android")}</h2>
      <p className="muted small">{t("devices.android.more", { version: apk.version })}</p>
      <p>
        <a className="btn" href="/m/deputy.apk" download>
          <Download className="ic" aria-hidden="true" />
          {t("phone.get.download", { size: apk.size })}
        </a>
      </p>
      <p className="muted small mono android-sum">SHA-256 {apk.sha256}</p>
    </section>
  );
}

interface LineProps {
  device: Device;
  onChanged(): void;
  onError(error: ErrorBody | undefined): void;
}

function DeviceLine({ device, onChanged, onError }: LineProps) {
  const { client } = useHost();
  const now = useNow();
  const [name, setName] = useState(device.name);
  const change = useAction(
    async (
      command:
        | { command: "rename_device"; device: string; name: string }
        | { command: "revoke_device"; device: string },
    ) => {
      try {
        await client.command(command);
        onError(undefined);
        onChanged();
      } catch (failure) {
        onError(bodyOf(failure));
      }
    },
  );
  const rename = () => {
    const wanted = name.trim();
    if (wanted === "" || wanted === device.name) setName(device.name);
    else void change.run({ command: "rename_device", device: device.id, name: wanted });
  };
  return (
    <li className="device">
      <Smartphone className="ic" aria-hidden="true" />
      <div className="grow">
        <input
          className="device-name"
          value={name}
          aria-label={t("devices.name")}
          onChange={(event) => setName(event.target.value)}
          onBlur={rename}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.currentTarget.blur();
            if (event.key === "Escape") setName(device.name);
          }}
        />
        <p className="muted small">
          {device.scopes.map((scope) => t(`devices.scope.${scope}`)).join(", ")} ·{" "}
          {t("devices.paired", { date: date(device.paired_at_ms) })}
          {device.last_seen_ms !== null &&
            ` · ${t("devices.seen", { when: relative(device.last_seen_ms, now) })}`}
        </p>
      </div>
      <button
        type="button"
        className="btn deny"
        disabled={change.busy}
        onClick={() => void change.run({ command: "revoke_device", device: device.id })}
        aria-label={`${t("rules.revoke")}: ${visible(device.name)}`}
      >
        {t("rules.revoke")}
      </button>
    </li>
  );
}
