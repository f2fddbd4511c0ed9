/** The backends: each with what is missing, a live check, its address and its key. */
import type { BackendChoice, BackendSettings, Settings } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { NO_MODEL } from "../tasks/models";
import { BackendForm, settable } from "./BackendForm";
import { CheckResult, useCheck } from "./CheckResult";
import { CheckButton, EditButton, ProviderHead, useProviderForm } from "./ProviderHead";
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
              isFirst={choices.backend === NO_MODEL}
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
  /** Whether it is the default for tasks that name no backend. */
  usual: boolean;
  /** Whether no model is connected yet. */
  isFirst: boolean;
}

function Backend({ backend, problem, usual, isFirst }: Props) {
  const { name } = backend;
  const change = useChange();
  const check = useCheck(name);
  const form = useProviderForm();
  // A backend whose setup has not begun is not reported as incomplete.
  const isBegun = usual || backend.form === null || Object.keys(backend.values ?? {}).length > 0;
  const isModel = name !== NO_MODEL;
  const saved = async () => {
    // If the check fails, the form stays open for corrections.
    if (!(await check.isWell())) return;
    form.close();
    // The first model that works becomes the default.
    if (isFirst && isModel) await change.run({ backend: name });
  };
  const label = visible(backend.form ? hostText(backend.form.label) : name);
  const facts = [backend.model, backend.base_url].filter((fact) => fact !== null).map(visible);
  return (
    <li className="backend" aria-label={label}>
      <ProviderHead
        label={label}
        used={usual && t("settings.backend.usual")}
        incomplete={problem !== null && isBegun}
        about={facts.length > 0 ? facts.join(" · ") : about(backend)}
        stored={backend.key}
      >
        {!problem && <CheckButton check={check} />}
        {settable(backend).length > 0 && <EditButton form={form} isNew={!isBegun} />}
        {!usual && !problem && (
          <button
            type="button"
            className="btn"
            disabled={change.busy}
            onClick={() => void change.run({ backend: name })}
          >
            {t("settings.backend.use")}
          </button>
        )}
      </ProviderHead>
      {problem && isBegun && !form.isOpen && (
        <p className="muted small">
          <HostText text={problem.message} />
        </p>
      )}
      <CheckResult check={check} model={backend.model} />
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
      {form.isOpen && (
        <BackendForm
          backend={backend}
          models={check.result?.models ?? []}
          onDone={() => void saved()}
          onCancel={form.close}
        />
      )}
    </li>
  );
}

function about(backend: BackendSettings): string {
  if (backend.form) return visible(hostText(backend.form.summary ?? ""));
  return t("settings.backend.file", { name: `${backend.name}.py` });
}
