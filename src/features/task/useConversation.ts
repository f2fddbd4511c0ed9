/** Actions on a whole conversation: start it again, and export it as text. */
import { go } from "../../app/route";
import type { TaskSummary } from "../../protocol";
import { useHost } from "../../store/hooks";
import { useAction } from "../../ui/useAction";
import { asked, USUAL } from "../tasks/ComposeOptions";
import { EXPORT } from "../tasks/importing";
import { WORKSPACE_ALONE } from "../tasks/scope";
import { isArchived, titleOf } from "../tasks/taskGroups";
import { markdownOf } from "./exported";

/** The number of events per query. */
const PAGE = 500;

export function useConversation(all: readonly TaskSummary[], task: TaskSummary | undefined) {
  const { client, store } = useHost();
  /** The journals of all its tasks, with full texts if they are available. */
  const text = async () => {
    await Promise.all(all.map(({ id }) => client.open(id)));
    store.flush();
    const journals = all.flatMap(({ id }) => store.get().journals.get(id) ?? []);
    // Loads the full text of truncated events.
    const cut = journals.flatMap(({ entries }) =>
      entries.flatMap((entry) => ("cut" in entry && entry.cut) || []),
    );
    await Promise.all([...new Set(cut)].map((seq) => client.whole(seq).catch(() => {})));
    store.flush();
    const whole = all.flatMap(({ id }) => store.get().journals.get(id) ?? []);
    return markdownOf(title, whole);
  };
  const title = task ? titleOf(all, task) : "";
  const again = useAction(async () => {
    if (!task) return;
    await client.open(task.id);
    store.flush();
    const spec = store.get().journals.get(task.id)?.spec;
    const { goal, workspace, profile, backend } = task;
    const scope = spec?.scope ?? WORKSPACE_ALONE;
    const options = {
      ...asked(USUAL),
      profile,
      backend,
      model: spec?.model ?? null,
      session: null,
      after: null,
      scope,
    };
    const outcome = await client.command({ command: "start", goal, workspace, ...options });
    if (outcome.outcome === "started") go({ screen: "task", task: outcome.task.id });
  });
  const archived = isArchived(all);
  const archive = useAction(async () => {
    if (task) await client.command({ command: "archive", task: task.id, archived: !archived });
  });
  const copy = useAction(async () => navigator.clipboard.writeText(await text()));
  const download = (content: string, type: string, ending: string) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.${ending}`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const save = useAction(async () => download(await text(), "text/markdown", "md"));
  const saveJson = useAction(async () => {
    const lines = [JSON.stringify(EXPORT)];
    for (const { id } of all) {
      let after = 0;
      while (true) {
        const query = { query: "events", task: id, after, limit: PAGE, newest: false, brief: false } as const;
        const { events } = await client.query(query, "events");
        const last = events.at(-1);
        if (!last) break;
        after = last.seq;
        lines.push(...events.map((record) => JSON.stringify(record)));
      }
    }
    download(`${lines.join("\n")}\n`, "application/x-ndjson", "jsonl");
  });
  return { again, archive, archived, copy, save, saveJson };
}
