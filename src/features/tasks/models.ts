/** The models that a task can be given. */
import type { Choices } from "../../protocol";

/** The backend that works without a model. */
export const NO_MODEL = "offline";

export interface Model {
  backend: string;
  /** The model's name; the backend's, where it names none. */
  label: string;
}

/** Models that can be asked now, the default one first. */
export function readyModels({ backend: usual, backends }: Choices): Model[] {
  const ready = backends.filter(({ name, problem }) => name !== NO_MODEL && !problem);
  return ready
    .toSorted((a, b) => Number(b.name === usual) - Number(a.name === usual))
    .map(({ name, model }) => ({ backend: name, label: model ?? name }));
}

/** Whether tasks that name no backend get a model that can be asked. */
export function hasModel(choices: Choices): boolean {
  return readyModels(choices).some(({ backend }) => backend === choices.backend);
}
