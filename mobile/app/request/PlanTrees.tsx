/** Of a request to carry out a plan over files: the folders before and after it, next to each other or one below the other. */

import { useMay } from "../../../src/store/hooks";
import type { Journal } from "../../../src/store/journal";
import { lazily } from "../lazily";

const Trees = lazily(() => import("./Trees"));

/** The plan's draft as the call names it, and what of it is left out. */
interface Named {
  draft: string;
  without: readonly string[];
}

function planOf(journal: Journal, call: string): Named | undefined {
  const entry = journal.entries.find((each) => each.is === "call" && each.id === call);
  if (entry?.is !== "call" || entry.tool !== "organize") return undefined;
  const said = entry.parameters as { draft?: unknown; without?: unknown } | null;
  if (typeof said?.draft !== "string") return undefined;
  const without = Array.isArray(said.without) ? said.without.filter((id) => typeof id === "string") : [];
  return { draft: said.draft, without };
}

export function PlanTrees({ journal, call }: { journal: Journal; call: string }) {
  // What folders hold is shown to devices that may start tasks.
  const mayCommand = useMay("command");
  const plan = planOf(journal, call);
  return plan && mayCommand ? <Trees draft={plan.draft} without={plan.without} /> : null;
}
