/** The plan as a table. Each operation can be left out or given another target before the plan runs. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { Check, Pencil } from "lucide-react";
import { type FormEvent, useMemo, useRef, useState } from "react";
import type { OperationNote, OrganizeOperation, Phrase } from "../../protocol";
import { number, t } from "../../text";
import { pathIn, visible } from "../../text/visible";
import { HostText, HostTexts } from "../../ui/HostText";
import { Segmented } from "../../ui/Segmented";
import { target, withTarget } from "./draft";

interface Props {
  scope: readonly string[];
  operations: readonly OrganizeOperation[];
  dropped: ReadonlySet<string>;
  notes: readonly OperationNote[];
  problems: readonly OperationNote[];
  onDrop(id: string, drop: boolean): void;
  onEdit(operation: OrganizeOperation): void;
}

type Kind = OrganizeOperation["action"]["kind"];

/** Counts the operations of each kind. */
function countsOf(operations: readonly OrganizeOperation[]): Map<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const { action } of operations) counts.set(action.kind, (counts.get(action.kind) ?? 0) + 1);
  return counts;
}

/** Groups the notes by operation. */
function byOperation(notes: readonly OperationNote[]): Map<string, Phrase[]> {
  const found = new Map<string, Phrase[]>();
  for (const { operation, text } of notes) {
    found.set(operation, [...(found.get(operation) ?? []), text]);
  }
  return found;
}

export function Operations(props: Props) {
  const { dropped, scope } = props;
  const [kind, setKind] = useState<Kind>();
  const counts = useMemo(() => countsOf(props.operations), [props.operations]);
  // A new plan may no longer contain the selected operation.
  const only = kind !== undefined && counts.has(kind) ? kind : undefined;
  const operations = useMemo(
    () => props.operations.filter(({ action }) => only === undefined || action.kind === only),
    [props.operations, only],
  );
  const notes = useMemo(() => byOperation(props.notes), [props.notes]);
  const problems = useMemo(() => byOperation(props.problems), [props.problems]);
  const box = useRef<HTMLElement>(null);
  const drawn = useVirtualizer({
    count: operations.length,
    getScrollElement: () => box.current,
    estimateSize: () => 58,
    overscan: 8,
    getItemKey: (at) => operations[at]?.id ?? at,
  });
  return (
    <>
      {counts.size > 1 && (
        <Segmented<Kind | "all">
          label={t("tasks.filter")}
          value={only ?? "all"}
          options={[
            { value: "all", label: t("tasks.filter.all") },
            ...[...counts].map(([value, count]) => ({
              value,
              label: `${t(`files.kind.${value}`)} ${number(count)}`,
            })),
          ]}
          onChange={(value) => setKind(value === "all" ? undefined : value)}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="operations scroll" ref={box} tabIndex={0} aria-label={t("files.table")}>
        <ul style={{ blockSize: `${drawn.getTotalSize()}px` }}>
          {drawn.getVirtualItems().map(({ index, key, start }) => {
            const operation = operations[index];
            return (
              operation && (
                <li
                  key={key}
                  ref={drawn.measureElement}
                  data-index={index}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Line
                    operation={operation}
                    folder={scope.length === 1 ? (scope[0] ?? "/") : "/"}
                    dropped={dropped.has(operation.id)}
                    note={notes.get(operation.id)}
                    problem={problems.get(operation.id)}
                    onDrop={(drop) => props.onDrop(operation.id, drop)}
                    onEdit={props.onEdit}
                  />
                </li>
              )
            );
          })}
        </ul>
      </section>
    </>
  );
}

const RISK_PILLS = { low: "quiet", medium: "wait", high: "high" } as const;

interface LineProps {
  operation: OrganizeOperation;
  folder: string;
  dropped: boolean;
  note: readonly Phrase[] | undefined;
  problem: readonly Phrase[] | undefined;
  onDrop(drop: boolean): void;
  onEdit(operation: OrganizeOperation): void;
}

function Line({ operation, folder, dropped, note, problem, onDrop, onEdit }: LineProps) {
  const { action } = operation;
  const [typed, setTyped] = useState<string>();
  const to = target(operation);
  const from = pathIn(folder, action.path);
  const shown = to === undefined || action.kind === "rename" ? visible(to ?? "") : pathIn(folder, to);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (typed?.trim() && typed !== to) onEdit(withTarget(operation, typed.trim()));
    setTyped(undefined);
  };
  return (
    <div className="operation" data-dropped={dropped} data-wrong={problem !== undefined}>
      <input
        type="checkbox"
        checked={!dropped}
        onChange={(event) => onDrop(!event.target.checked)}
        aria-label={t("files.include", { what: from })}
      />
      <span className={`pill plain ${RISK_PILLS[operation.risk]}`} title={t(`risk.${operation.risk}`)}>
        {t(`files.kind.${action.kind}`)}
        <span className="sr">{t(`risk.${operation.risk}`)}</span>
      </span>
      <div className="grow">
        <p className="mono">
          {from}
          {typed === undefined && action.kind !== "create_folder" && to !== undefined && (
            <>
              {" → "}
              <span className="operation-to">{shown}</span>
            </>
          )}
        </p>
        {typed !== undefined && (
          <form className="row" onSubmit={save}>
            <input
              className="field mono"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === "Escape" && setTyped(undefined)}
              aria-label={t("files.target", { what: from })}
              spellCheck={false}
              // biome-ignore lint/a11y/noAutofocus: the field appears because it was asked for
              autoFocus
            />
            <button type="submit" className="btn icon" aria-label={t("files.save")}>
              <Check className="ic" />
            </button>
          </form>
        )}
        {operation.reason && (
          <p className="muted small">
            <HostText text={operation.reason} />
          </p>
        )}
        {note && (
          <p className="small operation-note">
            <HostTexts texts={note} between="; " />
          </p>
        )}
        {problem && (
          <p className="small operation-problem">
            <HostTexts texts={problem} between="; " />
          </p>
        )}
      </div>
      {to !== undefined && typed === undefined && !dropped && (
        <button
          type="button"
          className="btn ghost icon"
          onClick={() => setTyped(to)}
          aria-label={t("files.edit", { what: from })}
        >
          <Pencil className="ic" />
        </button>
      )}
    </div>
  );
}
