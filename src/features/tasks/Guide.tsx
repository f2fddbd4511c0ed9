/** The first steps: Deputy works at once, a local model server is one click away, and there is a task to try. */
import { Check, CornerDownRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { hrefOf } from "../../app/route";
import type { LocalServer } from "../../protocol";
import { useAnswer, useHost, useIsLocal } from "../../store/hooks";
import { hostText, t, tn } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";

export function Guide({ onSample }: { onSample(text: string): void }) {
  const local = useIsLocal();
  const sample = t("new.sample.report");
  return (
    <ol className="guide" aria-label={t("guide.title")}>
      <Step title={t("guide.works")} done>
        {t("guide.works.more")}
      </Step>
      {local && <Model />}
      <Step title={t("guide.try")}>
        <span className="col">
          {t("guide.try.more")}
          <button type="button" className="btn" onClick={() => onSample(sample)}>
            <CornerDownRight className="ic" aria-hidden="true" />
            {sample}
          </button>
        </span>
      </Step>
    </ol>
  );
}

function Step({ title, done, children }: { title: string; done?: boolean; children: ReactNode }) {
  return (
    <li data-done={done ?? false}>
      <span className="guide-mark" aria-hidden="true">
        {done && <Check className="ic" />}
      </span>
      <div className="grow">
        <h2>{title}</h2>
        <div className="muted small">{children}</div>
      </div>
    </li>
  );
}

/** The host searches only its own loopback ports. */
function Model() {
  const { answer } = useAnswer({ query: "find_servers" }, "local_servers");
  const { answer: offered, reload } = useAnswer({ query: "choices" }, "choices");
  const choices = offered?.choices;
  const server = answer?.servers.find((each) => each.models.length > 0);
  const connected = choices && choices.backend !== "offline" ? choices : undefined;
  if (connected) {
    const chosen = connected.backends.find((each) => each.name === connected.backend);
    return (
      <Step title={t("guide.model.ready")} done={!chosen?.problem}>
        {chosen?.problem
          ? visible(hostText(chosen.problem.message))
          : visible(chosen?.model ?? connected.backend)}
      </Step>
    );
  }
  return (
    <Step title={t("guide.model")}>
      {!answer && <span role="status">{t("guide.model.looking")}</span>}
      {answer && !server && (
        <span>
          {t("guide.model.none")} <a href={hrefOf({ screen: "settings" })}>{t("guide.model.settings")}</a>
        </span>
      )}
      {server && <Connect server={server} onDone={reload} />}
    </Step>
  );
}

function Connect({ server, onDone }: { server: LocalServer; onDone(): Promise<void> }) {
  const { client } = useHost();
  const [model, setModel] = useState(server.models[0] ?? "");
  const connect = useAction(async () => {
    const prefix = `backends.${server.backend}`;
    const changes = [
      { key: `${prefix}.base_url`, value: server.base_url },
      { key: `${prefix}.model`, value: model },
      { key: "backend", value: server.backend ?? "" },
    ];
    await client.command({ command: "change_settings", changes });
    await onDone();
  });
  return (
    <span className="col">
      {tn("guide.model.found", server.models.length, { name: visible(server.name) })}
      <span className="row wrap">
        <select
          className="field guide-models"
          aria-label={t("settings.form.model")}
          value={model}
          onChange={(event) => setModel(event.target.value)}
        >
          {server.models.map((each) => (
            <option key={each} value={each}>
              {visible(each)}
            </option>
          ))}
        </select>
        <button type="button" className="btn" disabled={connect.busy} onClick={() => void connect.run()}>
          {t("guide.model.connect")}
        </button>
      </span>
      {connect.error && <ErrorNote error={connect.error} onDismiss={connect.clear} />}
    </span>
  );
}
