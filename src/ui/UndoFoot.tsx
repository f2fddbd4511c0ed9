/** The foot of a dialog that takes something back: leave, or do it. */
import { t } from "../text";

interface Props {
  onClose(): void;
  /** Absent where nothing can be taken back, or it was. */
  onUndo?: (() => void) | undefined;
  busy: boolean;
}

export function UndoFoot({ onClose, onUndo, busy }: Props) {
  return (
    <div className="row undo-foot">
      <button type="button" className="btn" onClick={onClose}>
        {t("undo.close")}
      </button>
      {onUndo && (
        <button type="button" className="btn primary" onClick={onUndo} disabled={busy}>
          {t("undo.do")}
        </button>
      )}
    </div>
  );
}
