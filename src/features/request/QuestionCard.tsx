/** A question: buttons for its choices, or a text field. If a model failed, also the ways to fix that. */
import { MessageCircleQuestion, Unplug } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useDraft } from "../../app/drafts";
import type { Phrase, Question } from "../../protocol";
import type { Said } from "../../store/entries";
import { useHost, useIsLocal, useMay, useStore } from "../../store/hooks";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { Kbd } from "../../ui/Kbd";
import { Markdown } from "../../ui/Markdown";
import { useAction } from "../../ui/useAction";
import { responderWords } from "./answerWords";
import { answerHere, Unsent } from "./Unsent";
import "./request.css";

/** The choice that stops a task. */
const STOP = "stop";

const FixModel = lazy(() => import("../settings/FixModel"));

interface Props {
  question: Question;
  answer: Said | undefined;
  /** Whether its field takes the focus when it appears. */
  focus?: boolean;
  /** If the question is asked because the model failed: the host's explanation. */
  failure?: Phrase | undefined;
}

export function QuestionCard({ question, answer, focus, failure }: Props) {
  const { client } = useHost();
  const waits = useStore((state) => state.questions.has(question.id));
  const closed = useStore((state) => state.answered.get(question.id));
  const said = answer ?? closed?.said;
  const mayAnswer = useMay("approve");
  const isLocal = useIsLocal();
  const open = waits && mayAnswer;
  const [text, setText] = useDraft(`answer.${question.id}`);
  const failed = failure !== undefined;
  const backend = useStore((state) => state.tasks.get(question.task)?.backend);
  const [fixing, setFixing] = useState<"key" | "model">();
  /**
   * Returns the label of a choice's button. Only the host's own questions have choices: to continue or
   * stop, or to follow or ignore instructions for agents.
   */
  const word = (choice: string) => {
    const place = question.choices.indexOf(choice);
    if (!question.choices.includes(STOP) && place < 2)
      return t(place === 0 ? "question.follow" : "question.ignore");
    if (place === 0) return t(failed ? "question.again" : "question.continue");
    return place === 1 ? t("task.stop") : visible(choice);
  };
  const send = useAction(async (words: string) => {
    // A choice is sent under the host's name for it, even if the user typed the label of its button.
    const text = question.choices.find((choice) => word(choice) === words) ?? words;
    await answerHere(question.id, async () => {
      await client.command({ command: "answer_question", request: question.id, text, by: null });
      setText("");
    });
  });
  const button = (choice: string) => (
    <button
      key={choice}
      type="button"
      className={!failed ? "btn" : choice === question.choices[0] ? "btn primary" : "btn ghost"}
      disabled={send.busy}
      onClick={() => void send.run(choice)}
    >
      {word(choice)}
    </button>
  );
  return (
    <article className="request card" data-open={waits} aria-label={t("question.label")}>
      <header className="row">
        <span className="pill wait plain">
          {failed ? (
            <Unplug className="ic" aria-hidden="true" />
          ) : (
            <MessageCircleQuestion className="ic" aria-hidden="true" />
          )}
          {t(failed ? "question.model" : "question.label")}
        </span>
      </header>
      {failed ? (
        <>
          <h2 className="request-head">{t("question.model.title")}</h2>
          <p className="muted">
            <HostText text={failure} />
          </p>
        </>
      ) : (
        <div className="question-text">
          <Markdown text={hostText(question.text)} />
        </div>
      )}
      {said && (
        <div>
          <p className="lbl">
            {said.by ? `${t("question.answered")} ${responderWords(said.by)}` : t("question.said")}
          </p>
          <p>{question.choices.includes(said.text) ? word(said.text) : visible(said.text)}</p>
        </div>
      )}
      {said === undefined && !waits && (
        <p className="muted">{t(closed ? "request.withdrawn" : "request.gone")}</p>
      )}
      {!waits && (
        <Unsent id={question.id} task={question.task} draft={`answer.${question.id}`}>
          {t("unsent.answer")}
        </Unsent>
      )}
      {waits && !mayAnswer && <p className="muted">{t("request.not_yours")}</p>}
      {send.error && <ErrorNote error={send.error} onDismiss={send.clear} />}
      {open && question.choices.length > 0 && (
        <div className="row wrap">
          {question.choices.slice(0, 1).map(button)}
          {failed && isLocal && (
            <>
              <button type="button" className="btn" onClick={() => setFixing("model")}>
                {t("question.model.change")}
              </button>
              <button type="button" className="btn" onClick={() => setFixing("key")}>
                {t("question.model.key")}
              </button>
            </>
          )}
          {question.choices.slice(1).map(button)}
        </div>
      )}
      {fixing && backend && (
        <Suspense fallback={null}>
          <FixModel
            backend={backend}
            what={fixing}
            onSaved={() => void send.run(word(question.choices[0] ?? ""))}
            onClose={() => setFixing(undefined)}
          />
        </Suspense>
      )}
      {open && !failed && (
        <form
          className="row deny-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== "") void send.run(text.trim());
          }}
        >
          <input
            className="field"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
            placeholder={t("question.answer")}
            aria-label={t("question.answer")}
            // biome-ignore lint/a11y/noAutofocus: only where a person came to answer just this
            autoFocus={focus ?? false}
          />
          <button type="submit" className="btn primary" disabled={send.busy || text.trim() === ""}>
            {t("question.send")}
            <Kbd>⏎</Kbd>
          </button>
        </form>
      )}
    </article>
  );
}
