/** The inbox: all requests and questions that wait for an answer, from every task. */
import { FolderTree, Inbox as InboxIcon } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { armKeys } from "../../app/armed";
import { useFilledDrafts } from "../../app/drafts";
import { go, hrefOf } from "../../app/route";
import { useShortcuts } from "../../app/shortcuts";
import type { PermissionRequest, Question } from "../../protocol";
import { useJournal, useStore } from "../../store/hooks";
import { placeOf } from "../../store/journal";
import { t, tn } from "../../text";
import { goalWords, shortPath } from "../../text/visible";
import { Empty } from "../../ui/Empty";
import { latestOf, useJobs } from "../files/useJobs";
import { answerWords } from "../request/answerWords";
import { listOf } from "../request/consequences";
import { QuestionCard } from "../request/QuestionCard";
import { RequestCard } from "../request/RequestCard";
import { headline } from "../request/requestWords";
import { isAnsweredHere } from "../request/Unsent";
import { reasonBefore } from "../task/reason";
import "./inbox.css";

type Thing = { is: "request"; it: PermissionRequest } | { is: "question"; it: Question };

/** Returns what waits, oldest first, and the requests that were answered while the screen was open. */
function useThings(): { waiting: Thing[]; settled: PermissionRequest[] } {
  const requests = useStore((state) => state.requests);
  const questions = useStore((state) => state.questions);
  const settledAll = useStore((state) => state.settled);
  const [since] = useState(() => Date.now());
  const answered = useStore((state) => state.answered);
  const unsent = useFilledDrafts([
    ...[...settledAll.keys()].map((id) => `deny.${id}`),
    ...[...answered.keys()].map((id) => `answer.${id}`),
  ]);
  return useMemo(() => {
    const settled = [...settledAll.values()].filter((each) => each.at >= since).map((each) => each.request);
    // What was answered elsewhere keeps its place while it has text that was typed here and not sent.
    const isKept = ({ id }: PermissionRequest) => unsent.has(`deny.${id}`) && !isAnsweredHere(id);
    const unsaid = [...answered.values()]
      .map(({ question }) => question)
      .filter(({ id }) => unsent.has(`answer.${id}`) && !isAnsweredHere(id));
    const waiting: Thing[] = [
      ...[...requests.values(), ...settled.filter(isKept)].map((it) => ({ is: "request", it }) as const),
      ...[...questions.values(), ...unsaid].map((it) => ({ is: "question", it }) as const),
    ].sort((a, b) => a.it.created_at_ms - b.it.created_at_ms);
    return { waiting, settled: settled.filter((each) => !isKept(each)).toReversed() };
  }, [requests, questions, settledAll, answered, since, unsent]);
}

export function Inbox({ chosen }: { chosen: string | undefined }) {
  const { waiting, settled } = useThings();
  const cutOff = useJobs(null, false).jobs?.filter(({ state }) => state === "interrupted") ?? [];
  const current = waiting.find((thing) => thing.it.id === chosen) ?? waiting[0];
  const open = useStore(({ requests, questions }) => requests.size + questions.size);
  const count = open + cutOff.length;
  const list = useRef<HTMLDivElement>(null);
  const step = (by: number) => {
    const at = current ? waiting.indexOf(current) : 0;
    const next = waiting[Math.min(Math.max(at + by, 0), waiting.length - 1)];
    armKeys();
    if (next) go({ screen: "inbox", request: next.it.id });
  };
  useShortcuts({
    nextRequest: () => step(1),
    previousRequest: () => step(-1),
    openTask: current && (() => go({ screen: "task", task: current.it.task })),
  });
  const id = current?.it.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newly chosen one comes into view
  useEffect(() => {
    list.current?.querySelector("[data-current=true]")?.scrollIntoView({ block: "nearest" });
  }, [id]);

  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>{t("inbox.title")}</h1>
          <p className="muted small">{count > 0 ? tn("inbox.count", count) : t("inbox.empty")}</p>
        </div>
      </header>
      <div className="page-body" ref={list}>
        {waiting.length + settled.length + cutOff.length === 0 && (
          <Empty icon={InboxIcon} title={t("inbox.empty")}>
            {t("inbox.empty.more")}
          </Empty>
        )}
        {cutOff.length > 0 && (
          <ul className="inbox">
            {cutOff.map((job) => (
              <li key={job.job} className="card row wrap inbox-job">
                <FolderTree className="ic" aria-hidden="true" />
                <span className="grow">
                  {t(`inbox.job.${latestOf(job).turn}`, { folder: listOf(job.scope.map(shortPath)) })}
                </span>
                <a className="btn" href={hrefOf({ screen: "files" })}>
                  {t("inbox.job.open")}
                </a>
              </li>
            ))}
          </ul>
        )}
        <ul className="inbox">
          {waiting.map((thing) => (
            <li key={thing.it.id} data-current={thing === current}>
              <TaskLine task={thing.it.task} />
              {thing.is === "request" ? (
                <Request request={thing.it} current={thing === current} />
              ) : (
                <Asked question={thing.it} focus={chosen === thing.it.id} />
              )}
            </li>
          ))}
        </ul>
        {settled.length > 0 && (
          <section className="inbox-settled">
            <h2 className="lbl">{t("inbox.settled")}</h2>
            <ul className="inbox">
              {settled.map((request) => (
                <li key={request.id}>
                  <SettledLine request={request} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}

function TaskLine({ task }: { task: string }) {
  const goal = useStore((state) => state.tasks.get(task)?.goal);
  return (
    <a className="inbox-task muted small clip" href={hrefOf({ screen: "task", task })}>
      {goal ? goalWords(goal) : t("request.goto")}
    </a>
  );
}

/** A request with the planner's reason, which comes from the task's timeline. */
function Request({ request, current }: { request: PermissionRequest; current: boolean }) {
  const { journal } = useJournal(request.task);
  const why = journal && reasonBefore(journal, placeOf(journal, request.call));
  return (
    <div onPointerDown={() => !current && go({ screen: "inbox", request: request.id })}>
      <RequestCard request={request} why={why} active={current} />
    </div>
  );
}

/** A question. If a model failed, the task's timeline has the reason. */
function Asked({ question, focus }: { question: Question; focus: boolean }) {
  const { journal } = useJournal(question.task);
  const entry = journal?.entries[placeOf(journal, question.id)];
  const failure = entry?.is === "question" ? entry.failure : undefined;
  return <QuestionCard question={question} answer={undefined} focus={focus} failure={failure} />;
}

function SettledLine({ request }: { request: PermissionRequest }) {
  const settled = useStore((state) => state.settled.get(request.id));
  const words = settled?.answer ? answerWords(settled.answer) : t("request.withdrawn");
  return (
    <p className="row settled-line">
      <span className="grow clip">{headline(request)}</span>
      <span className="muted small">{words}</span>
    </p>
  );
}
