/** The sub-tasks that a call started, each with its state and a link to its timeline. */
import { hrefOf } from "../../app/route";
import { useStore } from "../../store/hooks";
import { t } from "../../text";
import { goalWords } from "../../text/visible";
import { StatePill } from "../../ui/StatePill";
import { partsOf } from "../tasks/parts";
import { taskOf } from "./WholeOutput";

export function Parts({ call }: { call: string }) {
  const tasks = useStore((state) => state.tasks);
  const parts = partsOf(tasks.values(), taskOf(call), call);
  if (parts.length === 0) return null;
  return (
    <ul className="call-parts" aria-label={t("call.parts")}>
      {parts.map((part) => (
        <li key={part.id} className="row">
          <a className="grow clip" href={hrefOf({ screen: "task", task: part.id })}>
            {goalWords(part.goal)}
          </a>
          <StatePill state={part.state} />
        </li>
      ))}
    </ul>
  );
}
