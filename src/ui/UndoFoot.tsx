/** The footer of an undo dialog: close it, or undo. */
import { useRef } from "react";
import { t } from "../text";

interface Props {
  onClose(): void;
  /** Absent if nothing can be undone, or it was undone already. */
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
            // This button disappears after its action, so the focus moves to the other button.
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
