/**
 * The content above a new task: Deputy's promises until the first task has run, the first steps until a model is
 * connected, and templates.
 */
import { CornerDownRight, RotateCcw, ShieldQuestion, Sunrise } from "lucide-react";
import { useMemo } from "react";
import type { Choices } from "../../protocol";
import { useIsLocal, useStore } from "../../store/hooks";
import { type Key, t } from "../../text";
import { Guide } from "./Guide";
import { hasModel } from "./models";

const SAMPLES: readonly Key[] = ["new.sample.report", "new.sample.duplicates", "new.sample.size"];
const WITH_MODEL: readonly Key[] = ["new.sample.summary", "new.sample.explain", "new.sample.tests"];
const PROMISES = [
  { icon: ShieldQuestion, title: "new.promise.ask", more: "new.promise.ask.more" },
  { icon: RotateCcw, title: "new.promise.undo", more: "new.promise.undo.more" },
  { icon: Sunrise, title: "new.promise.stay", more: "new.promise.stay.more" },
] as const;

interface Props {
  choices: Choices | undefined;
  onSample(text: string): void;
}

export function Welcome({ choices, onSample }: Props) {
  const isFirst = useStore((state) => state.tasksKnown && state.tasks.size === 0);
  const tasks = useStore((state) => state.tasks);
  const local = useIsLocal();
  const hasSucceeded = useMemo(
    () => [...tasks.values()].some(({ state }) => state.state === "stopped" && state.reason === "completed"),
    [tasks],
  );
  const connected = choices !== undefined && hasModel(choices);
  const guided = isFirst || (local && choices !== undefined && !connected);
  return (
    <div className="welcome">
      <div>
        <h1>{t("new.welcome")}</h1>
        <p className="muted">{t("new.welcome.more")}</p>
      </div>
      {!hasSucceeded && (
        <div className="promises">
          {PROMISES.map(({ icon: Icon, title, more }) => (
            <div key={title}>
              <h2>
                <Icon className="ic" aria-hidden="true" />
                {t(title)}
              </h2>
              <p className="muted small">{t(more)}</p>
            </div>
          ))}
        </div>
      )}
      {guided ? (
        <Guide onSample={onSample} />
      ) : (
        <div className="col">
          <p className="lbl">{t(connected ? "new.templates" : "new.samples")}</p>
          <ul className="samples">
            {[...SAMPLES, ...(connected ? WITH_MODEL : [])].map((key) => (
              <li key={key}>
                <button type="button" onClick={() => onSample(t(key))}>
                  <CornerDownRight className="ic" aria-hidden="true" />
                  {t(key)}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
