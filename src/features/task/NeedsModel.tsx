/** The bar below a task that needs a model. It continues with the connected model (key M), or leads to the settings. */
import { Sparkles, Unplug } from "lucide-react";
import { useKeys } from "../../app/keys";
import { go, hrefOf } from "../../app/route";
import { useAnswer, useHost, useIsLocal, useMay } from "../../store/hooks";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { useAction } from "../../ui/useAction";
import { asked, USUAL } from "../tasks/ComposeOptions";
import { readyModels } from "../tasks/models";
import { WORKSPACE_ALONE } from "../tasks/scope";

const KEY = "m";

export function NeedsModel({ task }: { task: string }) {
  const { client, store } = useHost();
  const mayCommand = useMay("command");
  const local = useIsLocal();
  const { answer } = useAnswer({ query: "choices" }, "choices");
  const [model] = answer ? readyModels(answer.choices) : [];
  const use = useAction(async (backend: string) => {
    const summary = store.get().tasks.get(task);
    if (!summary) return;
    const { goal, workspace, profile, id: after } = summary;
    // Repeats the goal as the conversation's next task. The session and scope come from the previous task.
    const scope = WORKSPACE_ALONE;
    const options = { ...asked(USUAL), profile, backend, session: null, after, scope };
    const outcome = await client.command({ command: "start", goal, workspace, ...options });
    if (outcome.outcome === "started") go({ screen: "task", task: outcome.task.id });
  });
  useKeys({ [KEY]: () => mayCommand && model && !use.busy && void use.run(model.backend) });
  if (!mayCommand || !answer) return null;
  return (
    <div className="row wrap needs-model">
      {model ? (
        <button
          type="button"
          className="btn primary"
          disabled={use.busy}
          onClick={() => void use.run(model.backend)}
          aria-keyshortcuts={KEY}
        >
          <Sparkles className="ic" aria-hidden="true" />
          {t("needs_model.use", { model: visible(model.label) })}
          <Kbd>M</Kbd>
        </button>
      ) : (
        local && (
          <a className="btn primary" href={hrefOf({ screen: "settings" })}>
            <Unplug className="ic" aria-hidden="true" />
            {t("needs_model.connect")}
          </a>
        )
      )}
      {use.error && <ErrorNote error={use.error} onDismiss={use.clear} />}
    </div>
  );
}
