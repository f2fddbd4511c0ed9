/** Which model works on a new task. */
import { Sparkles } from "lucide-react";
import type { Choices } from "../../protocol";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { NO_MODEL, readyModels } from "./models";

interface Props {
  choices: Choices;
  /** The chosen backend; empty for the default one. */
  value: string;
  onChange(backend: string): void;
}

export function ModelChip({ choices, value, onChange }: Props) {
  const ready = readyModels(choices);
  const models = [...ready, { backend: NO_MODEL, label: t("new.model.none") }];
  // What is configured is shown even where it is not ready: that is what the task would get.
  const usual = models.some(({ backend }) => backend === choices.backend)
    ? []
    : [{ backend: choices.backend, label: t("new.model.not_ready", { name: choices.backend }) }];
  return (
    <label className="compose-model" title={t("task.model")}>
      <Sparkles className="ic" aria-hidden="true" />
      <select
        aria-label={t("task.model")}
        value={value || choices.backend}
        onChange={(event) => onChange(event.target.value)}
      >
        {[...usual, ...models].map(({ backend, label }) => (
          <option key={backend} value={backend}>
            {visible(label)}
          </option>
        ))}
      </select>
    </label>
  );
}
