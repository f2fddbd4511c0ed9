/** A task's to-do list with the state of each step. */
import { Circle, CircleCheck, CircleDashed, CircleDot } from "lucide-react";
import type { TodoStep } from "../../protocol";
import { t } from "../../text";
import { visible } from "../../text/visible";

const ICONS = { done: CircleCheck, active: CircleDot, pending: Circle, dropped: CircleDashed };
const STANDS = { done: "done", active: "now", pending: "waits", dropped: "failed" };

export function TodoList({ steps }: { steps: readonly TodoStep[] }) {
  if (steps.length === 0) return null;
  return (
    <section>
      <h2 className="lbl">{t("todo.title")}</h2>
      <ol className="steps">
        {steps.map((step, place) => {
          const Icon = ICONS[step.state];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the list
            <li key={place} className="row" data-stands={STANDS[step.state]}>
              <Icon className="ic" role="img" aria-label={t(`todo.${step.state}`)} />
              <span>{visible(step.title)}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
