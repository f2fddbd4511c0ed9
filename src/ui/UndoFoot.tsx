/** The footer of a dialog that undoes or redoes something: close it, or do so. */
import { useRef } from "react";
import { t } from "../text";

interface Props {
  /** The words on the button: undo or redo. */
  words: string;
  onClose(): void;
  /** Absent if nothing can be undone, or it was undone already. */
  onUndo?: (() => void) | undefined;
  busy: boolean;
}

export function UndoFoot({ words, onClose, onUndo, busy }: Props) {
  const leave = useRef<HTMLButtonElement>(null);
  return (
    <div className="row undo-foot">
      <button type="button" className="btn" ref={leave} onClick={onClose}>
        {t("undo.close")}
      </button>
      {onUndo && (
        <button
          type="button"
          className="btn primary"
          disabled={busy}
          onClick={() => {
            // This button disappears after its action, so the focus moves to the other button.
            leave.current?.focus();
            onUndo();
          }}
        >
          {words}
        </button>
      )}
    </div>
  );
}
