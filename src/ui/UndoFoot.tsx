/** The foot of a dialog that takes something back: leave, or do it. */
import { useRef } from "react";
import { t } from "../text";

interface Props {
  onClose(): void;
  /** Absent where nothing can be undone, or it was. */
  onUndo?: (() => void) | undefined;
  busy: boolean;
}

export function UndoFoot({ onClose, onUndo, busy }: Props) {
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
            // This button goes away with what it does; the focus must not.
            leave.current?.focus();
            onUndo();
          }}
        >
          {t("undo.do")}
        </button>
      )}
    </div>
  );
}
