/** The form that adds a memory for later tasks. The draft survives a reload. */
import { useId } from "react";
import { useDraft } from "../../app/drafts";
import { useHost } from "../../store/hooks";
import { number, t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { useAction } from "../../ui/useAction";

/** The maximum lengths of a memory and of its subject, in characters. */
const MOST_CHARS = 2_000;
const MOST_SUBJECT_CHARS = 80;

export function Remember({ onClose }: { onClose(): void }) {
  const { client } = useHost();
  const [text, setText] = useDraft("memory.remember.text");
  const [about, setAbout] = useDraft("memory.remember.about");
  const lead = useId();
  const chars = [...text.trim()].length;
  const fits = chars > 0 && chars <= MOST_CHARS;
  const save = useAction(async () => {
    await client.command({ command: "remember", text: text.trim(), about: about.trim() || null });
  });
  const send = () => {
    if (!fits || save.busy) return;
    void save.run().then((done) => {
      if (!done) return;
      setText("");
      setAbout("");
      onClose();
    });
  };
  return (
    <form
      className="memory-edit memory-remember"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
        else return;
        event.preventDefault();
      }}
    >
      <textarea
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
        autoFocus
        value={text}
        rows={3}
        placeholder={t("memory.remember.words")}
        aria-label={t("memory.remember.words")}
        aria-describedby={lead}
        onChange={(event) => setText(event.target.value)}
      />
      <input
        className="field"
        value={about}
        maxLength={MOST_SUBJECT_CHARS}
        placeholder={t("memory.remember.about")}
        aria-label={t("memory.remember.about")}
        aria-describedby={lead}
        onChange={(event) => setAbout(event.target.value)}
      />
      {save.error && <ErrorNote error={save.error} onDismiss={save.clear} />}
      <div className="row wrap">
        <p className="muted small grow" id={lead}>
          {chars > MOST_CHARS
            ? t("memory.long", { most: number(MOST_CHARS), n: number(chars) })
            : t("memory.remember.lead")}
        </p>
        <button type="button" className="btn" onClick={onClose}>
          {t("memory.cancel")}
          <Kbd>Esc</Kbd>
        </button>
        <button type="submit" className="btn primary" disabled={!fits || save.busy}>
          {t("memory.remember.save")}
          <Kbd>Ctrl ⏎</Kbd>
        </button>
      </div>
    </form>
  );
}
