/** The text of a memory while it is edited. The draft survives a reload. */
import { useState } from "react";
import { useDraft } from "../../app/drafts";
import type { Memory } from "../../protocol";
import { number, t } from "../../text";
import { Kbd } from "../../ui/Kbd";

/** The maximum length of a memory, in characters. */
const MOST_CHARS = 2_000;

interface Props {
  memory: Memory;
  busy: boolean;
  onSave(text: string): void;
  onCancel(): void;
}

export function EditMemory({ memory, busy, onSave, onCancel }: Props) {
  const [draft, setDraft] = useDraft(draftOf(memory.memory));
  const [text, setText] = useState(draft || memory.text);
  const chars = [...text.trim()].length;
  const fits = chars > 0 && chars <= MOST_CHARS;
  const save = () => fits && !busy && onSave(text.trim());
  return (
    <form
      className="grow memory-edit"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
        autoFocus
        value={text}
        rows={4}
        aria-label={t("memory.words")}
        aria-invalid={!fits}
        onChange={(event) => {
          setText(event.target.value);
          setDraft(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
          else return;
          event.preventDefault();
        }}
      />
      <div className="row wrap">
        <p className="muted small grow">
          {chars > MOST_CHARS
            ? t("memory.long", { most: number(MOST_CHARS), n: number(chars) })
            : t("memory.edit.lead")}
        </p>
        <button type="button" className="btn" onClick={onCancel}>
          {t("memory.cancel")}
          <Kbd>Esc</Kbd>
        </button>
        <button type="submit" className="btn primary" disabled={!fits || busy}>
          {t("memory.save")}
          <Kbd>Ctrl ⏎</Kbd>
        </button>
      </div>
    </form>
  );
}

/** Returns the name of the draft. */
export function draftOf(memory: number): string {
  return `memory.text.${memory}`;
}
