/** A question of the planner's: choices where there are some, words otherwise. */
import { MessageCircleQuestion } from "lucide-react";
import { useDraft } from "../../app/drafts";
import type { Question } from "../../protocol";
import { useHost, useMay, useStore } from "../../store/hooks";
import { hostLang, hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { Markdown } from "../../ui/Markdown";
import { useAction } from "../../ui/useAction";
import "./request.css";

interface Props {
  question: Question;
  answer: string | undefined;
  /** Whether its field takes the focus when it appears. */
  focus?: boolean;
}

export function QuestionCard({ question, answer, focus }: Props) {
  const { client } = useHost();
  const waits = useStore((state) => state.questions.has(question.id));
  const mayAnswer = useMay("approve");
  const open = waits && mayAnswer;
  const [text, setText] = useDraft(`answer.${question.id}`);
  // The host's own questions have its own choices; a model's words are left as they are.
  const isOwn = hostLang(question.text) === undefined;
  const word = (choice: string) => (isOwn ? hostText(choice) : choice);
  const send = useAction(async (words: string) => {
    // A choice is sent as the host named it, also where a person typed what its button says.
    const text = question.choices.find((choice) => word(choice) === words) ?? words;
    await client.command({ command: "answer_question", request: question.id, text });
    setText("");
  });
  return (
    <article className="request card" data-open={waits} aria-label={t("question.label")}>
      <header className="row">
        <span className="pill wait plain">
          <MessageCircleQuestion className="ic" aria-hidden="true" />
          {t("question.label")}
        </span>
      </header>
      <div className="question-text">
        <Markdown text={hostText(question.text)} />
      </div>
      {answer !== undefined && (
        <div>
          <p className="lbl">{t("question.said")}</p>
          <p>{visible(question.choices.includes(answer) ? word(answer) : answer)}</p>
        </div>
      )}
      {answer === undefined && !waits && <p className="muted">{t("request.withdrawn")}</p>}
      {waits && !mayAnswer && <p className="muted">{t("request.not_yours")}</p>}
      {send.error && <ErrorNote error={send.error} onDismiss={send.clear} />}
      {open && question.choices.length > 0 && (
        <div className="row wrap">
          {question.choices.map((choice) => (
            <button
              key={choice}
              type="button"
              className="btn"
              disabled={send.busy}
              onClick={() => void send.run(choice)}
            >
              {visible(word(choice))}
            </button>
          ))}
        </div>
      )}
      {open && (
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
