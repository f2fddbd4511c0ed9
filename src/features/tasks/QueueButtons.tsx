/** What a person can do with a task's place in the queue. */
import { ChevronDown, ChevronsUp, ChevronUp } from "lucide-react";
import type { ComponentType } from "react";
import { t } from "../../text";
import { goalWords } from "../../text/visible";
import type { Way } from "./queue";

const BUTTONS: readonly { way: Way; icon: ComponentType<{ className?: string }> }[] = [
  { way: "first", icon: ChevronsUp },
  { way: "earlier", icon: ChevronUp },
  { way: "later", icon: ChevronDown },
];

interface Props {
  goal: string;
  /** Whether there is a place to go to that way. */
  can(way: Way): boolean;
  onMove(way: Way): void;
}

export function QueueButtons({ goal, can, onMove }: Props) {
  return (
    <fieldset className="queue-buttons">
      <legend className="sr">{t("queue.of", { goal: goalWords(goal) })}</legend>
      {BUTTONS.map(({ way, icon: Icon }) => (
        <button
          key={way}
          type="button"
          className="btn ghost icon"
          aria-label={t(`queue.${way}`)}
          title={t(`queue.${way}`)}
          // A button that is off would lose the focus where a task has come to its end of the queue.
          aria-disabled={!can(way)}
          onClick={() => can(way) && onMove(way)}
        >
          <Icon className="ic" />
        </button>
      ))}
    </fieldset>
  );
}
