/** A labeled input with a hint below it. The hint describes the field and is not part of its name. */
import { type InputHTMLAttributes, type ReactNode, useId } from "react";

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
  /** Values to choose from while typing. */
  suggested?: readonly string[];
}

export function HintedField({ label, hint, suggested = [], ...input }: Props) {
  const id = useId();
  const list = suggested.length > 0 ? `${id}-list` : undefined;
  return (
    <div className="hinted">
      <label>
        <span className="lbl">{label}</span>
        <input
          className="field mono"
          autoComplete="off"
          spellCheck={false}
          list={list}
          aria-describedby={hint ? id : undefined}
          {...input}
        />
      </label>
      {hint && (
        <span className="muted small" id={id}>
          {hint}
        </span>
      )}
      {list && (
        <datalist id={list}>
          {suggested.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </div>
  );
}
