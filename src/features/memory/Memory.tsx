/** The memories that later tasks can recall: search, edit and forget. */
import { Plus } from "lucide-react";
import { Fragment, useMemo, useRef } from "react";
import { putDraft, useDraft } from "../../app/drafts";
import { REMEMBERING } from "../../app/remember";
import { go } from "../../app/route";
import { useShortcuts } from "../../app/shortcuts";
import type { Memory as Remembered } from "../../protocol";
import { useMay } from "../../store/hooks";
import { t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { Skeleton } from "../../ui/Skeleton";
import { draftOf, EditMemory } from "./EditMemory";
import { FilterBar } from "./FilterBar";
import { withKept } from "./found";
import { GroupHead } from "./GroupHead";
import { beginsGroup, type Gone, idOf, isOutput, type Line, linesOf, memoryOf } from "./gone";
import { MemoryRow, NOTEBOOK } from "./MemoryRow";
import { GoneNote, More, Nothing } from "./notes";
import { Remember } from "./Remember";
import { useChanges } from "./useChanges";
import { useMemories } from "./useMemories";
import { useSteady } from "./useSteady";
import "./memory.css";

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a screen's state and its markup
export default function Memory() {
  const mayChange = useMay("command");
  const [search, setSearch] = useDraft("memory.search");
  const [task, setTask] = useDraft("memory.task");
  const [workspace, setWorkspace] = useDraft("memory.folder");
  const [keptDraft, setKept] = useDraft("memory.only_kept");
  const onlyKept = keptDraft !== "";
  const [bestDraft, setBest] = useDraft("memory.best");
  const filter = { search, task, workspace, onlyKept, best: bestDraft !== "" };
  // The best matches have their own order, so they are not grouped.
  const isGrouped = !(filter.best && search.trim() !== "");
  const onlyTask = (memory: Remembered) => (task === "" ? () => setTask(memory.task) : undefined);
  const isFiltered = search.trim() !== "" || task !== "" || workspace !== "" || onlyKept;
  const [remembering, setRemembering] = useDraft(REMEMBERING);
  const { memories, hasMore, busy, error, more, reload } = useMemories(filter);
  const [editing, setEditing] = useDraft("memory.editing");
  const changes = useChanges(reload);
  const { gone, busy: acting } = changes;
  // A memory that is being edited stays on the screen, even if it was forgotten on another screen.
  const edited = useRef<Remembered>(undefined);
  edited.current =
    memories?.find((memory) => String(memory.memory) === editing) ??
    (String(edited.current?.memory) === editing ? edited.current : undefined);
  const kept = edited.current;
  const [outputDraft, setOutput] = useDraft("memory.output");
  // Tool output is hidden, because users rarely look for it here. A search still finds it.
  const hasOutput = outputDraft !== "" || search.trim() !== "";
  const lines = useMemo(() => {
    const shown = memories?.filter((memory) => hasOutput || !isOutput(memory));
    return shown && linesOf(withKept(shown, kept), gone);
  }, [memories, kept, gone, hasOutput]);
  const list = useRef<HTMLUListElement>(null);
  useSteady(list, lines);
  const field = useRef<HTMLInputElement>(null);

  const rowOf = (memory: number) => list.current?.querySelector<HTMLElement>(`[data-memory="${memory}"]`);
  /** Moves the focus to a line, once it is drawn. */
  const show = (memory: number) => requestAnimationFrame(() => rowOf(memory)?.focus());
  const stopEditing = (memory: number) => {
    putDraft(draftOf(memory), "");
    setEditing("");
    show(memory);
  };
  const forget = (memory: Remembered) =>
    void changes.forget(memory).then((done) => done && show(memory.memory));
  const restore = (each: Gone) => void changes.restore(each).then((done) => done && show(each.memory.memory));
  const save = (memory: Remembered, text: string) =>
    void changes.edit(memory, text).then((done) => done && stopEditing(memory.memory));
  /** Returns the line for keyboard actions: the line that contains the focus. */
  const current = () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-memory]");
    return lines?.find((line) => String(idOf(line)) === row?.dataset.memory);
  };
  const step = (by: number) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-memory]") ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    rows[at === -1 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
  };
  /** Applies an action to the focused memory. */
  const withCurrent = (act: (memory: Remembered) => void) => () => {
    const line = current();
    if (line?.is === "memory") act(line.memory);
  };
  const changing = (act: (memory: Remembered) => void) => withCurrent((memory) => mayChange && act(memory));
  const last = gone.at(-1);
  useShortcuts({
    findMemory: () => field.current?.focus(),
    nextMemory: () => step(1),
    previousMemory: () => step(-1),
    memoryTask: withCurrent(
      (memory) => memory.task !== NOTEBOOK && go({ screen: "task", task: memory.task }),
    ),
    addMemory: mayChange && (() => setRemembering("yes")),
    editMemory: changing((memory) => setEditing(String(memory.memory))),
    forgetMemory: changing(forget),
    undoForget: last && (() => restore(last)),
  });
  /** Renders a line. */
  const drawn = (line: Line) => {
    const id = idOf(line);
    if (line.is === "gone") {
      return <GoneNote gone={line.gone} busy={acting} onUndo={() => restore(line.gone)} />;
    }
    const { memory } = line;
    if (mayChange && editing === String(id)) {
      return (
        <EditMemory
          memory={memory}
          busy={acting}
          onSave={(text) => save(memory, text)}
          onCancel={() => stopEditing(id)}
        />
      );
    }
    return (
      <MemoryRow
        memory={memory}
        before={changes.before.get(id)}
        busy={acting}
        mayChange={mayChange}
        isGrouped={isGrouped}
        onEdit={() => setEditing(String(id))}
        onForget={() => forget(memory)}
        onPromote={() => void changes.promote(memory)}
        onUndoEdit={() => void changes.undoEdit(memory)}
        onOnlyTask={onlyTask(memory)}
      />
    );
  };
  const clear = () => {
    setSearch("");
    setTask("");
    setWorkspace("");
    setKept("");
  };
  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>{t("memory.title")}</h1>
          <p className="muted small">{t("memory.lead")}</p>
        </div>
        {mayChange && (
          <button type="button" className="btn" onClick={() => setRemembering("yes")}>
            <Plus className="ic" aria-hidden="true" />
            {t("memory.remember")}
            <Kbd of="addMemory" />
          </button>
        )}
      </header>
      <div className="page-body">
        <div className="column memory">
          {mayChange && remembering !== "" && <Remember onClose={() => setRemembering("")} />}
          <FilterBar
            field={field}
            filter={filter}
            goal={memories?.find((memory) => memory.task === task)?.goal}
            onSearch={setSearch}
            onFolder={setWorkspace}
            onAnyTask={() => setTask("")}
            onOnlyKept={(only) => setKept(only ? "yes" : "")}
            hasOutput={outputDraft !== ""}
            onOutput={(shown) => setOutput(shown ? "yes" : "")}
            onBest={(best) => setBest(best ? "yes" : "")}
            onEnter={() => step(1)}
          />
          {changes.error && <ErrorNote error={changes.error} onDismiss={changes.clearError} />}
          {error && <ErrorNote error={error} />}
          {!lines && !error && <Skeleton lines={6} label={t("link.connecting")} />}
          {lines?.length === 0 && !busy && !hasMore && <Nothing isFiltered={isFiltered} onClear={clear} />}
          {lines && lines.length > 0 && (
            <ul className="memories" ref={list} aria-label={t("memory.title")} aria-busy={busy}>
              {lines.map((line, at) => {
                const id = idOf(line);
                return (
                  <Fragment key={id}>
                    {isGrouped && beginsGroup(lines, at) && (
                      <li className="memory-group">
                        <GroupHead memory={memoryOf(line)} onOnlyTask={onlyTask(memoryOf(line))} />
                      </li>
                    )}
                    <li
                      className="memory-line"
                      data-gone={line.is === "gone" || undefined}
                      tabIndex={-1}
                      data-memory={id}
                    >
                      {drawn(line)}
                    </li>
                  </Fragment>
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
