/** A task's background commands: each with its output, and a button that stops it. */
import { CircleStop } from "lucide-react";
import { useHost, useMay } from "../../store/hooks";
import type { Background, Journal } from "../../store/journal";
import { duration, t } from "../../text";
import { visible } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { ErrorNote } from "../../ui/ErrorNote";
import { Output } from "../../ui/Output";
import { useAction } from "../../ui/useAction";

/** The length of the live output that is shown: its last characters. */
const SHOWN_CHARS = 2_000;

export function Backgrounds({ task, journal }: { task: string; journal: Journal }) {
  if (journal.backgrounds.length === 0) return null;
  return (
    <section aria-label={t("background.title")}>
      <h2 className="lbl">{t("background.title")}</h2>
      <ul className="backgrounds">
        {journal.backgrounds.map((one) => (
          <Row key={one.name} task={task} one={one} output={journal.outputs.get(one.call) ?? ""} />
        ))}
      </ul>
    </section>
  );
}

function Row({ task, one, output }: { task: string; one: Background; output: string }) {
  const { client } = useHost();
  const now = useNow();
  const mayCommand = useMay("command");
  const stop = useAction(() => client.command({ command: "stop_background", task, background: one.name }));
  return (
    <li>
      <p className="row">
        <span className="pulse" aria-hidden="true" />
        <span className="mono clip grow" title={visible(one.command)}>
          {visible(one.command)}
        </span>
        <span className="faint small">{duration(Math.max(0, now - one.startedAt))}</span>
      </p>
      {output !== "" && (
        <Output text={output.slice(-SHOWN_CHARS)} label={t("background.output", { name: one.name })} />
      )}
      {mayCommand && (
        <button
          type="button"
          className="btn"
          disabled={stop.busy}
          aria-label={t("background.stop_named", { name: one.name })}
          onClick={() => void stop.run()}
        >
          <CircleStop className="ic" aria-hidden="true" />
          {t("background.stop")}
        </button>
      )}
      {stop.error && <ErrorNote error={stop.error} onDismiss={stop.clear} />}
    </li>
  );
}
