/** The choices of the model and the profile for a new task. */
import { Bot, Sparkles } from "lucide-react";
import type { Choices } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { Chip } from "./Chip";
import { NO_MODEL, readyModels } from "./models";

interface Props {
  choices: Choices;
  /** The chosen name. Empty for the default. */
  value: string;
  onChange(name: string): void;
}

export function ModelChip({ choices, value, onChange }: Props) {
  const ready = readyModels(choices);
  const models = [...ready, { backend: NO_MODEL, label: t("new.model.none") }];
  // The configured model is shown even if it is not ready, because the task would use it.
  const usual = models.some(({ backend }) => backend === choices.backend)
    ? []
    : [{ backend: choices.backend, label: t("new.model.not_ready", { name: choices.backend }) }];
  return (
    <Chip
      icon={Sparkles}
      label={t("task.model")}
      value={value || choices.backend}
      options={[...usual, ...models].map(({ backend, label }) => ({ value: backend, label }))}
      onChange={onChange}
    />
  );
}

export function ProfileChip({ choices, value, onChange }: Props) {
  // With a single profile there is no choice.
  if (choices.profiles.length < 2) return null;
  const options = choices.profiles.map(({ name, description }) => {
    return { value: name, label: name, hint: visible(hostText(description)) };
  });
  return (
    <Chip
      icon={Bot}
      label={t("new.profile")}
      value={value || choices.profile}
      options={options}
      onChange={onChange}
    />
  );
}
