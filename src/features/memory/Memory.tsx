/** What later tasks may be given of what earlier ones said: to search, to edit and to forget. */
import { useEffect, useMemo, useRef, useState } from "react";
import { putDraft, useDraft } from "../../app/drafts";
import { useKeys } from "../../app/keys";
import { go } from "../../app/route";
import type { Memory as Remembered } from "../../protocol";
import { useHost, useMay } from "../../store/hooks";
import { t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { useAction } from "../../ui/useAction";
import { draftOf, EditMemory } from "./EditMemory";
import { FilterBar } from "./FilterBar";
import { type Gone, idOf, linesOf } from "./gone";
import { MemoryRow } from "./MemoryRow";
import { GoneNote, More, Nothing } from "./notes";
import { useMemories } from "./useMemories";
import "./memory.css";

export default function Memory() {
  const { client } = useHost();
  const mayChange = useMay("command");
  const [search, setSearch] = useDraft("memory.search");
  const [task, setTask] = useDraft("memory.task");
  const [workspace, setWorkspace] = useDraft("memory.folder");
  const filter = { search, task, workspace };
  const isFiltered = search.trim() !== "" || task !== "" || workspace !== "";
  const { memories, hasMore, busy, error, more } = useMemories(filter);
  const [editing, setEditing] = useDraft("memory.editing");
  /** What was forgotten here, the last at the end; and what edited ones said before. */
  const [gone, setGone] = useState<readonly Gone[]>([]);
  const [before, setBefore] = useState<ReadonlyMap<number, string>>(new Map());
  const lines = useMemo(() => memories && linesOf(memories, gone), [memories, gone]);
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);

  const forget = useAction(async (memory: Remembered) => {
    const outcome = await client.command({ command: "forget_memory", memory: memory.memory });
    const count = outcome.outcome === "memories" ? Math.max(outcome.memories, 1) : 1;
    setGone((all) => [...all.filter((each) => each.memory.text !== memory.text), { memory, count }]);
  });
  const restore = useAction(async ({ memory }: Gone) => {
    await client.command({ command: "restore_memory", memory: memory.memory });
    setGone((all) => all.filter((each) => each.memory.memory !== memory.memory));
  });
  const edit = useAction(async (memory: Remembered, text: string, old: string | undefined) => {
    if (text !== memory.text) await client.command({ command: "edit_memory", memory: memory.memory, text });
    setBefore((all) => {
      const left = new Map(all);
      if (old === undefined || old === text) left.delete(memory.memory);
      else left.set(memory.memory, old);
      return left;
    });
    stopEditing(memory.memory);
  });
  const stopEditing = (memory: number) => {
    putDraft(draftOf(memory), "");
    setEditing("");
    requestAnimationFrame(() => rowOf(memory)?.focus());
  };
  const acting = forget.busy || restore.busy || edit.busy;
  const failed = forget.error ?? restore.error ?? edit.error;

  const rowOf = (memory: number) => list.current?.querySelector<HTMLElement>(`[data-memory="${memory}"]`);
  /** The line that the keys are about: the one with the focus in it. */
  const current = () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-memory]");
    return lines?.find((line) => String(idOf(line)) === row?.dataset.memory);
  };
  const step = (by: number) => {
    const rows = [...(list.current?.children ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[at === -1 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next instanceof HTMLElement) next.focus();
  };
  /** Does something with the memory that has the focus. */
  const withCurrent = (act: (memory: Remembered) => void) => () => {
    const line = current();
    if (line?.is === "memory") act(line.memory);
  };
  const changing = (act: (memory: Remembered) => void) => withCurrent((memory) => mayChange && act(memory));
  useKeys({
    "/": () => field.current?.focus(),
    j: () => step(1),
    k: () => step(-1),
    o: withCurrent((memory) => go({ screen: "task", task: memory.task })),
    e: changing((memory) => setEditing(String(memory.memory))),
    x: changing((memory) => void forget.run(memory)),
    z: () => {
      const last = gone.at(-1);
      if (last) void restore.run(last);
    },
  });
  // What was forgotten by a key leaves the focus on what stands in its place.
  useEffect(() => {
    const last = gone.at(-1);
    if (last && document.activeElement === document.body) rowOf(last.memory.memory)?.focus();
  });

  const clear = () => {
    setSearch("");
    setTask("");
    setWorkspace("");
  };
  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>{t("memory.title")}</h1>
          <p className="muted small">{t("memory.lead")}</p>
        </div>
      </header>
      <div className="page-body">
        <div className="column memory">
          <FilterBar
            field={field}
            filter={filter}
            goal={memories?.find((memory) => memory.task === task)?.goal}
            onSearch={setSearch}
            onFolder={setWorkspace}
            onAnyTask={() => setTask("")}
          />
          {failed && (
            <ErrorNote error={failed} onDismiss={() => [forget, restore, edit].map((each) => each.clear())} />
          )}
          {error && <ErrorNote error={error} />}
          {!lines && !error && <Skeleton lines={6} label={t("link.connecting")} />}
          {lines?.length === 0 && !busy && <Nothing isFiltered={isFiltered} onClear={clear} />}
          {lines && lines.length > 0 && (
            <ul className="memories" ref={list} aria-label={t("memory.title")} aria-busy={busy}>
              {lines.map((line) => {
                const id = idOf(line);
                if (line.is === "gone") {
                  return (
                    <li key={id} className="memory-line" data-gone tabIndex={-1} data-memory={id}>
                      <GoneNote gone={line.gone} busy={acting} onUndo={() => void restore.run(line.gone)} />
                    </li>
                  );
                }
                const { memory } = line;
                const old = before.get(id);
                return (
                  <li key={id} className="memory-line" tabIndex={-1} data-memory={id}>
                    {mayChange && editing === String(id) ? (
                      <EditMemory
                        memory={memory}
                        busy={acting}
                        onSave={(text) => void edit.run(memory, text, old ?? memory.text)}
                        onCancel={() => stopEditing(id)}
                      />
                    ) : (
                      <MemoryRow
                        memory={memory}
                        before={old}
                        busy={acting}
                        mayChange={mayChange}
                        onEdit={() => setEditing(String(id))}
                        onForget={() => void forget.run(memory)}
                        onUndoEdit={() => void edit.run(memory, old ?? memory.text, undefined)}
                        onOnlyTask={task === "" ? () => setTask(memory.task) : undefined}
                      />
                    )}
                  </li>
                );
              })}
            </ul>
          )}
          {hasMore && <More busy={busy} onMore={more} />}
        </div>
      </div>
    </>
  );
}
