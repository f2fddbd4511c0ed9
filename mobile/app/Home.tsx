/** Home: what waits for the person, what is at work and how far, and what ended lately. */
import { ChevronRight, CircleCheck, MessageCircleQuestion } from "lucide-react";
import { useMemo } from "react";
import { hrefOf } from "../../src/app/route";
import { headline } from "../../src/features/request/requestWords";
import type { TaskSummary } from "../../src/protocol";
import { useStore } from "../../src/store/hooks";
import { hostText, relative, t, tn } from "../../src/text";
import { shortPath, visible } from "../../src/text/visible";
import { useNow } from "../../src/ui/clock";
import { Empty } from "../../src/ui/Empty";
import { Skeleton } from "../../src/ui/Skeleton";
import { isAtWork, RiskPill, StatePill } from "../../src/ui/StatePill";

/** Ended tasks that are listed at first. */
const LATELY = 8;

export function Home() {
  const tasks = useStore((state) => state.tasks);
  const isKnown = useStore((state) => state.tasksKnown || state.tasks.size > 0);
  const waiting = useStore((state) => state.requests.size + state.questions.size);
  const { working, lately } = useMemo(() => {
    const newest = [...tasks.values()].sort((a, b) => b.updated_at_ms - a.updated_at_ms);
    return {
      working: newest.filter(({ state }) => state.state !== "stopped"),
      lately: newest.filter(({ state }) => state.state === "stopped").slice(0, LATELY),
    };
  }, [tasks]);
  return (
    <>
      <header className="phone-head">
        <h1>{t("app.name")}</h1>
        <p className="muted">{waiting > 0 ? tn("inbox.count", waiting) : t("inbox.empty")}</p>
      </header>
      <div className="phone-scroll phone-list">
        <WhatWaits />
        {!isKnown && <Skeleton lines={5} label={t("link.connecting")} />}
        {isKnown && tasks.size === 0 && (
          <Empty icon={CircleCheck} title={t("phone.home.none")}>
            {t("phone.home.none.more")}
          </Empty>
        )}
        <Tasks title={t("phone.home.working")} tasks={working} />
        <Tasks title={t("phone.home.lately")} tasks={lately} />
      </div>
    </>
  );
}

/** Requests and questions, oldest first: the only raised things on the screen. */
function WhatWaits() {
  const requests = useStore((state) => state.requests);
  const questions = useStore((state) => state.questions);
  const tasks = useStore((state) => state.tasks);
  const now = useNow();
  const rows = useMemo(
    () =>
      [
        ...[...requests.values()].map(
          (request) => ({ is: "request", it: request, words: headline(request) }) as const,
        ),
        ...[...questions.values()].map(
          (question) => ({ is: "question", it: question, words: visible(hostText(question.text)) }) as const,
        ),
      ].sort((a, b) => a.it.created_at_ms - b.it.created_at_ms),
    [requests, questions],
  );
  if (rows.length === 0) return null;
  return (
    <section aria-label={t("phone.home.waits")}>
      <h2 className="lbl">{t("phone.home.waits")}</h2>
      <ul>
        {rows.map(({ is, it, words }) => (
          <li key={it.id}>
            <a className="card waits" href={hrefOf({ screen: "inbox", request: it.id })}>
              <span className="row">
                {is === "request" ? (
                  <RiskPill risk={it.risk} />
                ) : (
                  <span className="pill wait plain">
                    <MessageCircleQuestion className="ic" aria-hidden="true" />
                    {t("question.label")}
                  </span>
                )}
                <span className="grow" />
                <span className="faint small">
                  {relative(it.created_at_ms, Math.max(now, it.created_at_ms))}
                </span>
              </span>
              <span className="waits-words">{words}</span>
              <span className="muted small clip">{visible(tasks.get(it.task)?.goal ?? "")}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tasks({ title, tasks }: { title: string; tasks: readonly TaskSummary[] }) {
  if (tasks.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="lbl">{title}</h2>
      <ul>
        {tasks.map((task) => (
          <li key={task.id}>
            <TaskRow task={task} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function TaskRow({ task }: { task: TaskSummary }) {
  const now = useNow();
  const isRunning = isAtWork(task.state);
  return (
    <a className="phone-task" href={hrefOf({ screen: "task", task: task.id })}>
      <span className="grow col">
        <span className="phone-task-goal">{visible(task.goal)}</span>
        <span className="row muted small">
          <StatePill state={task.state} />
          <span className="clip grow">
            {task.todo && task.state.state !== "stopped"
              ? t("todo.progress", { done: task.todo.done, total: task.todo.total })
              : shortPath(task.workspace)}
          </span>
          {!isRunning && (
            <span className="faint">{relative(task.updated_at_ms, Math.max(now, task.updated_at_ms))}</span>
          )}
        </span>
        {isRunning && (
          <progress
            className="phone-progress"
            aria-label={t("phone.home.running")}
            {...(task.todo && { value: task.todo.done, max: task.todo.total })}
          />
        )}
      </span>
      <ChevronRight className="ic faint" aria-hidden="true" />
    </a>
  );
}
