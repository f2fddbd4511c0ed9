/**
 * The top of a provider's entry in the settings: its name and state, its address, the place of its key, and its
 * buttons.
 */
import { type ReactNode, type RefObject, useRef, useState } from "react";
import type { KeyPlace } from "../../protocol";
import { t } from "../../text";
import { visible } from "../../text/visible";

interface Props {
  label: string;
  /** The badge of the provider in use. */
  used: string | false;
  /** Whether something is missing before it can be used. */
  incomplete: boolean;
  about: string;
  stored: KeyPlace | null;
  /** Its buttons. */
  children: ReactNode;
}

export function ProviderHead({ label, used, incomplete, about, stored, children }: Props) {
  return (
    <div className="row wrap">
      <div className="grow backend-name">
        <p className="row wrap">
          <b>{label}</b>
          {used && <span className="pill plain run">{used}</span>}
          {incomplete && <span className="pill plain medium">{t("settings.backend.incomplete")}</span>}
        </p>
        <p className="muted small">{about}</p>
        {stored && (
          <p className="muted small">{t(`settings.key.${stored.kind}`, { name: visible(stored.name) })}</p>
        )}
      </div>
      <div className="row wrap">{children}</div>
    </div>
  );
}

interface Form {
  isOpen: boolean;
  /** The button that opens the form. */
  button: RefObject<HTMLButtonElement | null>;
  toggle(): void;
  close(): void;
}

/** Whether a provider's form is open. Closing it returns the focus to the button that opened it. */
export function useProviderForm(): Form {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  return { isOpen, button, toggle: () => setIsOpen(!isOpen), close };
}

export function EditButton({ form, isNew }: { form: Form; isNew: boolean }) {
  return (
    <button type="button" className="btn" ref={form.button} aria-expanded={form.isOpen} onClick={form.toggle}>
      {t(isNew ? "settings.backend.add" : "settings.backend.edit")}
    </button>
  );
}

export function CheckButton({ check }: { check: { busy: boolean; run(): Promise<unknown> } }) {
  return (
    <button type="button" className="btn" disabled={check.busy} onClick={() => void check.run()}>
      {t(check.busy ? "settings.check.busy" : "settings.check")}
    </button>
  );
}
