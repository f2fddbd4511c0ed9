/** Greets whoever begins: what Deputy promises, and tasks that work at once. */
import { CornerDownRight, RotateCcw, ShieldQuestion, Sunrise } from "lucide-react";
import { useStore } from "../../store/hooks";
import { type Key, t } from "../../text";
import { Guide } from "./Guide";

const SAMPLES: readonly Key[] = ["new.sample.report", "new.sample.duplicates", "new.sample.size"];
const PROMISES = [
  { icon: ShieldQuestion, title: "new.promise.ask", more: "new.promise.ask.more" },
  { icon: RotateCcw, title: "new.promise.undo", more: "new.promise.undo.more" },
  { icon: Sunrise, title: "new.promise.stay", more: "new.promise.stay.more" },
] as const;

export function Welcome({ onSample }: { onSample(text: string): void }) {
  const isFirst = useStore((state) => state.tasksKnown && state.tasks.size === 0);
  return (
    <div className="welcome">
      <div>
        <h1>{t("new.welcome")}</h1>
        <p className="muted">{t("new.welcome.more")}</p>
      </div>
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
      {isFirst ? (
        <Guide onSample={onSample} />
      ) : (
        <div className="col">
          <p className="lbl">{t("new.samples")}</p>
          <ul className="samples">
            {SAMPLES.map((key) => (
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
