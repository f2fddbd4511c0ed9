/** What a person chooses of the app: whether it stays connected, where it finds the host, and a relay for when it sleeps. */
import { useEffect, useState } from "react";
import { SwitchLine, TopicLine } from "../../../src/features/settings/fields";
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
      {(["watch", "boot", "push"] as const).map((name) => (
        <SwitchLine
          key={name}
          name={t(`phone.app.${name}`)}
          hint={t(`phone.app.${name}.hint`)}
          on={kept[name] ?? false}
          onChange={(on) => void keep.run({ [name]: on })}
        />
      ))}
      <Addresses kept={kept} keep={keep} />
      <TopicLine
        name={t("phone.app.relay")}
        hint={t("phone.app.relay.hint")}
        address={kept.relay}
        keep={(relay) => keep.run({ relay })}
      />
      {keep.error && <ErrorNote error={keep.error} onDismiss={keep.clear} />}
    </section>
  );
}

interface Props {
  kept: Kept;
  keep: Action<[Partial<Kept>]>;
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
