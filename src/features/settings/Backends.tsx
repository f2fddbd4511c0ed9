/** Who can plan: each backend with what it lacks, a live check, its address and its key. */
import { useState } from "react";
import type { BackendChoice, BackendSettings, Settings } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { BackendForm, settable } from "./BackendForm";
import { CheckResult, useCheck } from "./CheckResult";
import { KeyDialog } from "./KeyDialog";
import { useChange } from "./useHostSettings";

export function Backends({ settings }: { settings: Settings }) {
  const { choices } = settings;
  return (
    <section className="settings">
      <h2>{t("settings.backends")}</h2>
      <ul>
        {settings.backends.map((backend) => {
          const choice = choices.backends.find((each) => each.name === backend.name);
          return (
            <Backend
              key={backend.name}
              backend={backend}
              problem={choice?.problem ?? null}
              usual={choices.backend === backend.name}
            />
          );
        })}
      </ul>
      <p className="muted small">{t("settings.backends.own")}</p>
    </section>
  );
}

interface Props {
  backend: BackendSettings;
  problem: BackendChoice["problem"];
  /** Whether tasks that name none get this one. */
  usual: boolean;
}

function Backend({ backend, problem, usual }: Props) {
  const { name } = backend;
  const change = useChange();
  const check = useCheck(name);
  const [editing, setEditing] = useState(false);
  const [asking, setAsking] = useState(false);
  const facts = [backend.model, backend.base_url].filter((fact) => fact !== null).map(visible);
  return (
    <li className="backend" aria-label={name}>
      <div className="row wrap">
        <div className="grow backend-name">
          <p className="row wrap">
            <b>{visible(backend.form ? hostText(backend.form.label) : name)}</b>
            {usual && <span className="pill plain run">{t("settings.backend.usual")}</span>}
            {problem && <span className="pill plain medium">{t("settings.backend.incomplete")}</span>}
          </p>
          <p className="muted small">{facts.length > 0 ? facts.join(" · ") : about(backend)}</p>
          {backend.key && (
            <p className="muted small">
              {t(`settings.key.${backend.key.kind}`, { name: visible(backend.key.name) })}
            </p>
          )}
        </div>
        <div className="row wrap">
          <button type="button" className="btn" disabled={check.busy} onClick={() => void check.run()}>
            {t(check.busy ? "settings.check.busy" : "settings.check")}
          </button>
          {settable(backend).length > 0 && (
            <button
              type="button"
              className="btn"
              aria-expanded={editing}
              onClick={() => setEditing(!editing)}
            >
              {t(
                Object.keys(backend.values ?? {}).length > 0
                  ? "settings.backend.edit"
                  : "settings.backend.add",
              )}
            </button>
          )}
          {(backend.form?.takes_key ?? true) && (
            <button type="button" className="btn" onClick={() => setAsking(true)}>
              {t("settings.key")}
            </button>
          )}
          {!usual && (
            <button
              type="button"
              className="btn"
              disabled={change.busy || problem !== null}
              onClick={() => void change.run({ backend: name })}
            >
              {t("settings.backend.use")}
            </button>
          )}
        </div>
      </div>
      {problem && !editing && (
        <p className="muted small">
          <HostText text={problem.message} />
        </p>
      )}
      <CheckResult check={check} model={backend.model} />
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
      {editing && (
        <BackendForm
          backend={backend}
          models={check.result?.models ?? []}
          onDone={() => {
            setEditing(false);
            void check.run();
          }}
        />
      )}
      {asking && <KeyDialog backend={backend} onClose={() => setAsking(false)} />}
    </li>
  );
}

function about(backend: BackendSettings): string {
  if (backend.form) return visible(hostText(backend.form.summary ?? ""));
  return t("settings.backend.file", { name: `${backend.name}.py` });
}
