/** A dialog with our look; what has `data-begin` gets the focus. The element is the browser's own: it keeps the focus, hears Escape and needs no styles injected. */
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { t } from "../text";
import "./ui.css";

interface Props {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** A dialog that needs no title to be seen. */
  bare?: boolean;
}

export function Dialog({ title, onClose, children, bare }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-begin]")?.focus();
    return () => {
      // A key may have moved the focus since the dialog closed; then it stays there.
      const { activeElement } = document;
      if (before instanceof HTMLElement && (!activeElement || activeElement === document.body))
        before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard; this is a click alongside it
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={name}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-inside">
        <div className={bare ? "sr" : "dialog-head row"}>
          <h2 id={name} className="grow">
            {title}
          </h2>
          {!bare && (
            <button type="button" className="btn ghost icon" onClick={onClose} aria-label={t("undo.close")}>
              <X className="ic" />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
