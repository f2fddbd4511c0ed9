/** This phone as the host knows it: its name, and the way out. */
import { useEffect, useState } from "react";
import { Line } from "../../../src/features/settings/Line";
import { useHost } from "../../../src/store/hooks";
import { t } from "../../../src/text";
import { nameDevice, type OwnDevice, ownDevice } from "../../../src/transport";
import { ErrorNote } from "../../../src/ui/ErrorNote";
import { useAction } from "../../../src/ui/useAction";

export function ThisDevice() {
  const { client } = useHost();
  const [own, setOwn] = useState<OwnDevice>();
  const [name, setName] = useState("");
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    void ownDevice().then((device) => {
      setOwn(device);
      setName(device?.name ?? t("pair.phone"));
    });
  }, []);
  const rename = useAction(async (device: OwnDevice, wanted: string) => {
    await client.command({ command: "rename_device", device: device.id, name: wanted });
    await nameDevice(wanted);
    setOwn({ ...device, name: wanted });
  });
  // The host cuts the line at once; what the page does when it is not let in any more clears the rest.
  const forget = useAction((device: OwnDevice) =>
    client.command({ command: "revoke_device", device: device.id }),
  );
  if (!own) return null;
  const keep = () => {
    const wanted = name.trim();
    if (wanted === "" || wanted === own.name) setName(own.name ?? t("pair.phone"));
    else void rename.run(own, wanted);
  };
  const error = rename.error ?? forget.error;
  return (
    <section className="settings">
      <h2>{t("phone.device")}</h2>
      <Line name={t("pair.name")} label>
        <input
          className="field setting-wide"
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
          onBlur={keep}
          onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
        />
      </Line>
      {isSure ? (
        <div className="col phone-forget">
          <p>{t("phone.forget.sure")}</p>
          <div className="row">
            <button type="button" className="btn grow" onClick={() => setSure(false)}>
              {t("request.cancel")}
            </button>
            <button
              type="button"
              className="btn deny grow"
              disabled={forget.busy}
              onClick={() => void forget.run(own)}
            >
              {t("phone.forget")}
            </button>
          </div>
        </div>
      ) : (
        <button type="button" className="btn deny" onClick={() => setSure(true)}>
          {t("phone.forget")}
        </button>
      )}
      {error && <ErrorNote error={error} onDismiss={rename.clear} />}
    </section>
  );
}
