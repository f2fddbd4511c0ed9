/** The input at the bottom of a task: an instruction for the next step, or the next task of the conversation. */
import { CornerDownRight, Send } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useDraft } from "../../app/drafts";
import { go } from "../../app/route";
import { useShortcuts } from "../../app/shortcuts";
import type { TaskSummary } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { useAction } from "../../ui/useAction";
import { asked, USUAL } from "../tasks/ComposeOptions";
import { WORKSPACE_ALONE } from "../tasks/scope";
import { waitsFor } from "./Timeline";

export function Composer({ summary }: { summary: TaskSummary }) {
  const { client } = useHost();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(`steer.${summary.id}`);
  const ended = summary.state.state === "stopped";
  // While a request or question waits, the input is collapsed, unless it contains text.
  const waits = useStore((all) => waitsFor(summary.id, all));
  const [opened, setOpened] = useState(false);
  const folded = waits && !opened && text.trim() === "";
  const send = useAction(async () => {
    const words = text.trim();
    if (!ended) {
      await client.command({ command: "steer", task: summary.id, text: words });
      setText("");
      return;
    }
    const { id: after, workspace, profile, backend } = summary;
    // The host takes the session and the scope from the previous task.
    const scope = WORKSPACE_ALONE;
    const options = { ...asked(USUAL), profile, backend, session: null, after, scope };
    const outcome = await client.command({ command: "start", goal: words, workspace, ...options });
    setText("");
    if (outcome.outcome === "started") go({ screen: "task", task: outcome.task.id });
  });
  const submit = () => text.trim() !== "" && void send.run();
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Escape") event.currentTarget.blur();
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
  };
  const open = () => {
    // Drawn synchronously, so that the next letter goes into the field.
    flushSync(() => setOpened(true));
    field.current?.focus();
  };
  useShortcuts({ steer: () => (folded ? open() : field.current?.focus()) });
  if (folded) {
    return (
      <div className="steer-folded">
        <button type="button" className="btn ghost" aria-keyshortcuts="s" onClick={open}>
          <CornerDownRight className="ic" aria-hidden="true" />
          {t("task.steer.open")}
          <Kbd of="steer" />
        </button>
      </div>
    );
  }
  return (
    <>
      {send.error && (
        <div className="composer-error">
          <ErrorNote error={send.error} onDismiss={send.clear} />
        </div>
      )}
      <form
        className="composer steer"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <CornerDownRight className="ic faint" aria-hidden="true" />
        <textarea
          ref={field}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          // A field that somebody is about to type in stays when a request arrives.
          onFocus={() => setOpened(true)}
          onBlur={() => setOpened(false)}
          placeholder={t(ended ? "task.steer.ended" : "task.steer")}
          aria-label={t(ended ? "task.steer.ended" : "task.steer.label")}
          aria-keyshortcuts="s"
        />
        {text.trim() === "" ? (
          <Kbd of="steer" />
        ) : (
          <button type="submit" className="btn primary" disabled={send.busy}>
            <Send className="ic" aria-hidden="true" />
            {t("task.send")}
          </button>
        )}
      </form>
    </>
  );
}
