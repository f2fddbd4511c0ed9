/** The models that a task can use. */
import type { Choices } from "../../protocol";

/** The backend that works without a model. */
export const NO_MODEL = "offline";

export interface Model {
  backend: string;
  /** The model's name, or the backend's if it names no model. */
  label: string;
}

/** Returns the models that are ready, the default first. */
export function readyModels({ backend: usual, backends }: Choices): Model[] {
  const ready = backends.filter(({ name, problem }) => name !== NO_MODEL && !problem);
  return ready
    .toSorted((a, b) => Number(b.name === usual) - Number(a.name === usual))
    .map(({ name, model }) => ({ backend: name, label: model ?? name }));
}

/** Returns whether the default backend has a model that is ready. */
export function hasModel(choices: Choices): boolean {
  return readyModels(choices).some(({ backend }) => backend === choices.backend);
}
