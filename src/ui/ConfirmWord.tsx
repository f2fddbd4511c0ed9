/** Approves a high risk: the person types a word, as in a terminal. The card's own key moves the focus to the field. */
import { type FormEvent, type ReactNode, type Ref, useId, useRef, useState } from "react";
import { t } from "../text";
import { Kbd } from "./Kbd";
import "./ui.css";

interface Props {
  /** The label of the button. */
  children: ReactNode;
  disabled: boolean;
  /** The field, which a key of the page moves the focus to. */
  field?: Ref<HTMLInputElement>;
  onConfirm(): void;
}

export function ConfirmWord({ children, disabled, field, onConfirm }: Props) {
  const id = useId();
  const [typed, setTyped] = useState("");
  /** Whether something else was sent. */
  const [isOther, setOther] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const word = t("request.confirm.word");
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (disabled) return;
    const isWord = typed.trim().toLowerCase() === word;
    setOther(!isWord);
    if (isWord) onConfirm();
    else form.current?.querySelector("input")?.focus();
  };
  return (
    <form className="confirm" onSubmit={send} ref={form}>
      <label htmlFor={id}>{t("request.confirm", { word })}</label>
      <div className="row confirm-line">
        <input
          id={id}
          ref={field}
          className="field"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setOther(false);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            setTyped("");
            event.currentTarget.blur();
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="send"
          aria-invalid={isOther}
          aria-describedby={isOther ? `${id}-other` : undefined}
          aria-keyshortcuts="Enter"
        />
        <button type="submit" className="btn risky" disabled={disabled}>
          {children}
          <Kbd of="approve" />
        </button>
      </div>
      {isOther && (
        <p className="confirm-other small" id={`${id}-other`} role="alert">
          {t("request.confirm.other", { word })}
        </p>
      )}
    </form>
  );
}
