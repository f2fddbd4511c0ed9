/** The side column of a task: its steps, the files it touched and its cost. */
import { Circle, CircleCheck, CircleDot, CircleX, FileDiff } from "lucide-react";
import { useMemo } from "react";
import type { TaskSummary } from "../../protocol";
import type { Journal } from "../../store/journal";
import { compact, duration, money, t, tn } from "../../text";
import { pathIn, shortPath, visible } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { Kbd } from "../../ui/Kbd";
import { Skeleton } from "../../ui/Skeleton";
import { isAtWork } from "../../ui/StatePill";
import { useThrottled } from "../../ui/useThrottled";
import { hasFileChanges, type Step, stepsOf, touchedBy } from "./aside";
import { Backgrounds } from "./Backgrounds";
import { FileMenu } from "./FileMenu";
import { SwitchModel } from "./SwitchModel";
import { TodoList } from "./TodoList";
import { useCurrency } from "./useCurrency";
import { Web } from "./Web";

const STEPS = 9;
const PATHS = 5;

const ICONS = { done: CircleCheck, failed: CircleX, now: Circle, waits: CircleDot };

/** The update interval. The column does not have to follow every event. */
const EVERY_MS = 500;

interface Props {
  journal: Journal;
  /** Whether the whole journal is loaded. The column waits for that, because its figures are totals. */
  isWhole: boolean;
  summary: TaskSummary;
  /** Shows all changed files. */
  onChanges(): void;
}

export function Aside({ journal, isWhole, summary, onChanges }: Props) {
  if (!isWhole) {
    return (
      <aside className="aside" aria-label={t("task.steps")}>
        <Skeleton lines={6} label={t("task.loading")} />
      </aside>
    );
  }
  return <Column journal={journal} summary={summary} onChanges={onChanges} />;
}

function Column({ journal: newest, summary, onChanges }: Omit<Props, "isWhole">) {
  const journal = useThrottled(newest, EVERY_MS);
  const now = useNow();
  const currency = useCurrency();
  const running = isAtWork(summary.state);
  const steps = useMemo(() => stepsOf(journal, running), [journal, running]);
  const touched = useMemo(() => touchedBy(journal), [journal]);
  const hasFiles = useMemo(() => hasFileChanges(journal), [journal]);
  const ended = summary.state.state === "stopped";
  const tokens = journal.inputTokens + journal.outputTokens;
  // Later events, such as undo, do not extend the duration.
  const end = journal.entries.findLast((entry) => entry.is === "end")?.at;
  const until = end ?? (ended ? summary.updated_at_ms : Math.max(now, summary.updated_at_ms));
  const elapsed = until - summary.created_at_ms;
  return (
    <aside className="aside scroll" aria-label={t("task.steps")}>
      <TodoList steps={journal.todo} />
      <section>
        <h2 className="lbl">{t("task.steps")}</h2>
        {steps.length === 0 && <p className="faint">{t("task.steps.none")}</p>}
        {steps.length > STEPS && (
          <p className="faint small">{tn("task.steps.earlier", steps.length - STEPS)}</p>
        )}
        <ol className="steps">
          {steps.slice(-STEPS).map((step) => (
            <StepLine key={step.iteration} step={step} />
          ))}
        </ol>
      </section>
      <Backgrounds task={summary.id} journal={journal} />
      <Web summary={summary} journal={journal} />
      <section>
        <h2 className="lbl">{t("task.touched")}</h2>
        <Fact name={t("task.read")}>
          {touched.read.size > 0 ? tn("task.places", touched.read.size) : t("task.nothing_yet")}
        </Fact>
        <Fact name={t("task.changed")}>
          {touched.changed.size > 0 ? tn("task.files", touched.changed.size) : t("task.nothing_yet")}
        </Fact>
        <ul className="touched">
          {touched.now.slice(-PATHS).map((path) => (
            <li key={`now ${path}`} className="row mono" title={shortPath(path)}>
              <span className="pulse" aria-hidden="true" />
              <span className="clip">{pathIn(summary.workspace, path)}</span>
            </li>
          ))}
          {[...touched.changed].slice(-PATHS).map((path) => (
            <li key={path}>
              <FileMenu task={summary.id} workspace={summary.workspace} path={path} />
            </li>
          ))}
        </ul>
      </section>
      {hasFiles && (
        <div>
          <button type="button" className="btn" onClick={onChanges} aria-keyshortcuts="c">
            <FileDiff className="ic" aria-hidden="true" />
            {t("changes.show")}
            <Kbd of="changes" />
          </button>
        </div>
      )}
      <section>
        <h2 className="lbl">{t("task.cost")}</h2>
        <SwitchModel summary={summary} />
        <Fact name={t("usage.total")}>{tokens > 0 ? compact(tokens) : t("task.no_tokens")}</Fact>
        {summary.cost_micros !== null && (
          <Fact name={t("usage.money")}>{money(summary.cost_micros / 1_000_000, currency)}</Fact>
        )}
        <Fact name={t("task.planning")}>{duration(journal.planMs)}</Fact>
        <Fact name={t("task.working")}>{duration(journal.callMs)}</Fact>
        <Fact name={t("task.time")}>{duration(elapsed)}</Fact>
      </section>
    </aside>
  );
}

function StepLine({ step }: { step: Step }) {
  const Icon = ICONS[step.stands];
  return (
    <li className="row" data-stands={step.stands}>
      <Icon className="ic" aria-hidden="true" />
      <span>{visible(step.title) || t("task.step.untitled", { iteration: step.iteration })}</span>
    </li>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <p className="row fact">
      <span className="grow">{name}</span>
      <span>{children}</span>
    </p>
  );
}
