/** Switches a running task to another model, from its next step. */
import type { TaskSummary } from "../../protocol";
import { useAnswer, useHost, useMay } from "../../store/hooks";
import { t } from "../../text";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";
import { ModelChip } from "../tasks/ModelChip";

export function SwitchModel({ summary }: { summary: TaskSummary }) {
  const { client } = useHost();
  const mayCommand = useMay("command");
  const { answer } = useAnswer({ query: "choices" }, "choices");
  const change = useAction((backend: string) =>
    client.command({ command: "switch_model", task: summary.id, backend, model: null }),
  );
  if (!mayCommand || !answer || summary.state.state === "stopped") return null;
  return (
    <>
      <div className="row fact">
        <span className="grow">{t("task.model")}</span>
        <ModelChip
          choices={answer.choices}
          value={summary.backend}
          onChange={(backend) => void change.run(backend)}
        />
      </div>
      {change.error && <ErrorNote error={bodyOf(change.error)} onDismiss={change.clear} />}
    </>
  );
}
