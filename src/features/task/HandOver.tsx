/** A task that only a model could do: one click, or the key M, hands it to one that is connected. */
import { ArrowRight, Plug } from "lucide-react";
import { useKeys } from "../../app/keys";
import { go } from "../../app/route";
import type { BackendChoice, Choices, TaskSummary } from "../../protocol";
import { useAnswer, useHost, useMay, useStore } from "../../store/hooks";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";
import { asked, USUAL } from "../tasks/ComposeOptions";

/** The name of the backend that is not a model. */
const NONE = "offline";
const KEY = "m";

export function HandOver({ task }: { task: string }) {
  const summary = useStore((state) => state.tasks.get(task));
  // What came after it in the conversation has taken its place.
  const isLast = useStore(
    (state) =>
      summary !== undefined &&
      ![...state.tasks.values()].some(
        (other) => other.session === summary.session && other.created_at_ms > summary.created_at_ms,
      ),
  );
  const may = useMay("command");
  return summary && isLast && may ? <Offer summary={summary} /> : null;
}

function Offer({ summary }: { summary: TaskSummary }) {
  const { client, store } = useHost();
  const { answer } = useAnswer({ query: "choices" }, "choices");
  const model = answer && connected(answer.choices);
  const hand = useAction(async () => {
    if (!model) return;
    await client.open(summary.id);
    store.flush();
    const spec = store.get().journals.get(summary.id)?.spec;
    const scope = spec?.scope ?? { read: [], write: [], only_files: [], only_tags: [] };
    const { goal, workspace, profile } = summary;
    const options = {
      ...asked(USUAL),
      profile,
      backend: model.name,
      session: null,
      after: summary.id,
      scope,
    };
    const outcome = await client.command({ command: "start", goal, workspace, ...options });
    if (outcome.outcome === "started") go({ screen: "task", task: outcome.task.id });
  });
  useKeys({ [KEY]: () => hand.run() });
  if (!answer) return null;
  if (!model) {
    return (
      <button type="button" className="btn end-undo" onClick={() => go({ screen: "settings" })}>
        <Plug className="ic" aria-hidden="true" />
        {t("thread.connect")}
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        className="btn end-undo"
        aria-keyshortcuts={KEY}
        disabled={hand.busy}
        onClick={() => void hand.run()}
      >
        <ArrowRight className="ic" aria-hidden="true" />
        {t("thread.hand_over", { model: visible(model.model ?? model.name) })}
      </button>
      {hand.error && <ErrorNote error={hand.error} />}
    </>
  );
}

/** The usual backend if it is a model, else the first that lacks nothing. */
function connected({ backend, backends }: Choices): BackendChoice | undefined {
  const models = backends.filter(({ name, problem }) => name !== NONE && !problem);
  return models.find(({ name }) => name === backend) ?? models[0];
}
