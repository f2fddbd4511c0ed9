/** What a person chooses of the app: whether it stays connected, where it finds the host, and a relay for when it sleeps. */
import { useEffect, useState } from "react";
import { Line } from "../../../src/features/settings/Line";
import { useDraft } from "../../../src/features/settings/useDraft";
import { t } from "../../../src/text";
import { type Kept, phoneApp } from "../../../src/transport";
import { ErrorNote } from "../../../src/ui/ErrorNote";
import { type Action, useQueuedAction } from "../../../src/ui/useAction";

export function InApp() {
  const [kept, setKept] = useState<Kept | null>(null);
  useEffect(() => void phoneApp?.().then((app) => setKept(app.keptInApp())), []);
  const keep = useQueuedAction(async (change: Partial<Kept>) => {
    const app = await phoneApp?.();
    if (app) setKept(await app.keepInApp(change));
  });
  if (!kept) return null;
  return (
    <section className="settings">
      <h2>{t("phone.app")}</h2>
      <Switch name="watch" kept={kept} keep={keep} />
      <Switch name="boot" kept={kept} keep={keep} />
      <Switch name="push" kept={kept} keep={keep} />
      <Addresses kept={kept} keep={keep} />
      <Relay kept={kept} keep={keep} />
      {keep.error && <ErrorNote error={keep.error} onDismiss={keep.clear} />}
    </section>
  );
}

interface Props {
  kept: Kept;
  keep: Action<[Partial<Kept>]>;
}

function Switch({ name, kept, keep }: Props & { name: "watch" | "boot" | "push" }) {
  const isOn = kept[name] ?? false;
  return (
    <Line name={t(`phone.app.${name}`)} hint={t(`phone.app.${name}.hint`)} label>
      <input
        type="checkbox"
        className="switch"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => void keep.run({ [name]: event.target.checked })}
      />
    </Line>
  );
}

function Addresses({ kept, keep }: Props) {
  const field = useDraft(kept.addresses.join("\n"), (text) => {
    const addresses = text.split(/\s+/).filter((address) => address !== "");
    return keep.run({ addresses });
  });
  return (
    <Line name={t("phone.app.addresses")} hint={t("phone.app.addresses.hint")} label>
      <textarea
        className="field mono setting-wide"
        rows={Math.max(2, kept.addresses.length + 1)}
        value={field.text}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => field.edit(event.target.value)}
        onBlur={() => void field.keep()}
      />
    </Line>
  );
}

function Relay({ kept, keep }: Props) {
  const field = useDraft(kept.relay, (text) => keep.run({ relay: text.trim() }));
  return (
    <Line name={t("phone.app.relay")} hint={t("phone.app.relay.hint")} label>
      <input
        type="url"
        className="field setting-wide"
        value={field.text}
        placeholder="https://relay.example/topic"
        spellCheck={false}
        onChange={(event) => field.edit(event.target.value)}
        onBlur={() => void field.keep()}
      />
    </Line>
  );
}
