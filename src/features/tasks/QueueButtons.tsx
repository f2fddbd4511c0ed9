/** Buttons that move a task within the queue. */
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
  /** Whether the task can move that way. */
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
          // A disabled button would lose the focus when a task reaches the end of the queue.
          aria-disabled={!can(way)}
          onClick={() => can(way) && onMove(way)}
        >
          <Icon className="ic" />
        </button>
      ))}
    </fieldset>
  );
}
