/** What was typed for a request or a question that is no longer open. It stays until the user decides. */
import { type ReactNode, useEffect, useRef } from "react";
import { useDraft } from "../../app/drafts";
import { wasTyping } from "../../app/keys";
import { useHost, useMay, useStore } from "../../store/hooks";
import { t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";

/** Requests and questions that were answered here, or are being answered. Their text is sent with the answer. */
const here = new Set<string>();

/** Sends an answer. The host may report it before or after it replies. */
export async function answerHere(id: string, send: () => Promise<void>): Promise<void> {
  here.add(id);
  try {
    await send();
  } catch (error) {
    here.delete(id);
    throw error;
  }
}

/** Returns whether a request or a question is answered here, rather than on another screen. */
export function isAnsweredHere(id: string): boolean {
  return here.has(id);
}

interface Props {
  /** The request or the question. */
  id: string;
  task: string;
  /** The name of the draft. */
  draft: string;
  /** Says what became of the text. */
  children: ReactNode;
}

export function Unsent({ id, task, draft, children }: Props) {
  const { client } = useHost();
  const [text, setText] = useDraft(draft);
  const mayCommand = useMay("command");
  const ended = useStore(({ tasks }) => tasks.get(task)?.state.state === "stopped");
  const send = useAction(async () => {
    await client.command({ command: "steer", task, text: text.trim() });
    setText("");
  });
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // The field that the user was typing into is gone. The rest of the sentence belongs here.
    if (!field.current || !wasTyping() || document.activeElement !== document.body) return;
    field.current.focus();
    field.current.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  if (text.trim() === "" || isAnsweredHere(id)) return null;
  return (
    <div className="unsent">
      <p role="alert">{children}</p>
      <textarea
        className="field"
        rows={2}
        ref={field}
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label={t("unsent.text")}
      />
      {send.error && <ErrorNote error={send.error} onDismiss={send.clear} />}
      <div className="row wrap">
        {!ended && mayCommand && (
          <button type="button" className="btn" disabled={send.busy} onClick={() => void send.run()}>
            {t("unsent.send")}
          </button>
        )}
        <button type="button" className="btn ghost" onClick={() => setText("")}>
          {t("unsent.discard")}
        </button>
      </div>
    </div>
  );
}
