/**
 * A dialog. The element with `data-begin` gets the focus. It is the browser's `<dialog>`, which traps the focus,
 * handles Escape and needs no injected styles.
 */
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { t } from "../text";
import "./ui.css";

interface Props {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** Whether the title is only for screen readers. */
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
      // If a key has moved the focus since the dialog closed, the focus stays there.
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
