/** The list of tasks next to the page: search, filters, and smooth scrolling through a thousand tasks. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ListChecks, PanelLeftClose, Plus, Search } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useKeys } from "../../app/keys";
import { go, hrefOf } from "../../app/route";
import { useShortcuts } from "../../app/shortcuts";
import type { TaskSummary } from "../../protocol";
import { useMay, useStore } from "../../store/hooks";
import { t } from "../../text";
import { useNow } from "../../ui/clock";
import { Empty } from "../../ui/Empty";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { NothingFound } from "../../ui/NothingFound";
import { Skeleton } from "../../ui/Skeleton";
import { useThrottled } from "../../ui/useThrottled";
import { conversation, subjectOf } from "../task/conversation";
import { setDrawer, useDrawer } from "./drawer";
import type { Way } from "./queue";
import { TaskRow } from "./TaskRow";
import { type Filter, filtersOf, rowsOf } from "./taskGroups";
import { useQueue } from "./useQueue";
import { useSaid } from "./useSaid";
import "./tasks.css";

/** Every event of any task changes the list, so sorting and drawing are limited to this interval. */
const EVERY_MS = 200;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a screen's state and its markup
export function TaskList({ chosen: asked }: { chosen: string | undefined }) {
  const tasks = useThrottled(
    useStore((state) => state.tasks),
    EVERY_MS,
  );
  const known = useStore((state) => state.tasksKnown);
  const now = useNow();
  const [words, setWords] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const search = useRef<HTMLInputElement>(null);
  // Filters are only shown if they would make a difference.
  const filters = filtersOf(tasks.values(), filter);
  const said = useSaid(words);
  const rows = useMemo(
    () => rowsOf(tasks.values(), words, filter, now, said),
    [tasks, words, filter, now, said],
  );
  const chosen = shownFor(asked, tasks);
  const mayCommand = useMay("command");
  const queue = useQueue(tasks);
  const open = useDrawer();

  // If the list is a drawer, the focus moves into it, and back to the opener afterwards.
  useEffect(() => {
    if (!open) return;
    const before = document.activeElement;
    search.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [open]);

  const isQueued = mayCommand && chosen !== undefined && tasks.get(chosen)?.state.state === "queued";
  const step = (by: number) => {
    const shown = rows.filter((row) => row.is === "task");
    const at = shown.findIndex((row) => row.task.id === chosen);
    const next = shown[at === -1 ? 0 : Math.min(Math.max(at + by, 0), shown.length - 1)];
    if (next) go({ screen: "task", task: next.task.id });
  };
  useShortcuts({
    search: () => {
      search.current?.focus();
      // If the field cannot take the focus, it is in a closed drawer.
      if (document.activeElement !== search.current) setDrawer(true);
    },
    next: () => step(1),
    previous: () => step(-1),
    earlier: isQueued && (() => queue.move(chosen, "earlier")),
    later: isQueued && (() => queue.move(chosen, "later")),
  });
  useKeys({ escape: () => open && setDrawer(false) });

  return (
    <>
      {open && (
        <button
          type="button"
          className="drawer-scrim"
          tabIndex={-1}
          aria-hidden="true"
          onClick={() => setDrawer(false)}
        />
      )}
      <section className="task-list" data-open={open} aria-label={t("nav.tasks")}>
        <div className="list-head row">
          <h2 className="grow">{t("nav.tasks")}</h2>
          {mayCommand && (
            <a
              className="btn primary"
              href={hrefOf({ screen: "new" })}
              onClick={() => setDrawer(false)}
              aria-keyshortcuts="n"
            >
              <Plus className="ic" aria-hidden="true" />
              {t("tasks.new")}
              <Kbd of="new" />
            </a>
          )}
          <button
            type="button"
            className="btn ghost icon drawer-close"
            aria-label={t("undo.close")}
            onClick={() => setDrawer(false)}
          >
            <PanelLeftClose className="ic" />
          </button>
        </div>
        <div className="list-find">
          <label className="search">
            <Search className="ic" aria-hidden="true" />
            <input
              ref={search}
              type="search"
              value={words}
              onChange={(event) => setWords(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Escape") return;
                if (words) setWords("");
                else if (open) setDrawer(false);
                else event.currentTarget.blur();
              }}
              placeholder={t("tasks.search")}
              aria-label={t("tasks.search")}
              aria-keyshortcuts="/"
            />
            <Kbd of="search" />
          </label>
          {filters.length > 1 && (
            <fieldset className="filters">
              <legend className="sr">{t("tasks.filter")}</legend>
              {filters.map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={filter === each}
                  onClick={() => setFilter(each)}
                >
                  {t(`tasks.filter.${each}`)}
                </button>
              ))}
            </fieldset>
          )}
        </div>
        <p className="sr" role="status">
          {queue.said}
        </p>
        {queue.error && <ErrorNote error={queue.error} onDismiss={queue.clear} />}
        {rows.length > 0 ? (
          <Rows rows={rows} chosen={chosen} onMove={mayCommand ? queue.move : undefined} />
        ) : known || tasks.size > 0 ? (
          <NoRows
            searching={tasks.size > 0}
            archived={words.trim() === "" && filter === "all"}
            onClear={() => {
              setWords("");
              setFilter("all");
            }}
          />
        ) : (
          <Skeleton lines={7} label={t("link.connecting")} />
        )}
      </section>
    </>
  );
}

/** Returns the id of the row for a task: its own, or its conversation's. */
function shownFor(asked: string | undefined, tasks: ReadonlyMap<string, TaskSummary>): string | undefined {
  const session = asked && tasks.get(asked)?.session;
  return session ? subjectOf(conversation(tasks.values(), session), asked)?.id : asked;
}

interface NoRowsProps {
  searching: boolean;
  /** Whether only archived conversations are left out. */
  archived: boolean;
  onClear(): void;
}

function NoRows({ searching, archived, onClear }: NoRowsProps) {
  if (searching && archived) {
    return (
      <Empty icon={ListChecks} title={t("tasks.archived")}>
        {t("tasks.archived.more")}
      </Empty>
    );
  }
  if (!searching) {
    return (
      <Empty icon={ListChecks} title={t("tasks.none")}>
        {t("tasks.none.more")}
      </Empty>
    );
  }
  return (
    <NothingFound title={t("tasks.nothing")} onClear={onClear}>
      {t("tasks.nothing.more")}
    </NothingFound>
  );
}

interface RowsProps {
  rows: ReturnType<typeof rowsOf>;
  chosen: string | undefined;
  onMove: ((task: string, way: Way) => void) | undefined;
}

function Rows({ rows, chosen, onMove }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.is === "head" ? 36 : 76),
    getItemKey: (index) => {
      const row = rows[index];
      return row?.is === "task" ? row.task.id : (row?.words ?? index);
    },
    overscan: 8,
  });
  return (
    <div className="list-rows scroll" ref={scroller}>
      <ul style={{ blockSize: list.getTotalSize(), position: "relative" }}>
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            <li
              key={item.key}
              ref={list.measureElement}
              data-index={item.index}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {row?.is === "task" && (
                <TaskRow
                  task={row.task}
                  title={row.title}
                  earlier={row.earlier}
                  before={row.before}
                  last={row.last ?? false}
                  depth={row.depth}
                  said={row.said}
                  chosen={row.task.id === chosen}
                  onMove={onMove}
                />
              )}
              {row?.is === "head" && <p className="lbl list-day">{t(row.words)}</p>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
