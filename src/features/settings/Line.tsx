/** A line of the settings: the name, an optional explanation and the control. */
import type { ReactNode } from "react";
import "./settings.css";

interface Props {
  name: string;
  hint?: string | undefined;
  /** Whether the line is the label of the control. */
  label?: boolean;
  children: ReactNode;
}

export function Line({ name, hint, label, children }: Props) {
  const inside = (
    <>
      <span className="setting-name">
        <span>{name}</span>
        {hint && <span className="muted small">{hint}</span>}
      </span>
      {children}
    </>
  );
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is what it is given
  return label ? <label className="setting">{inside}</label> : <div className="setting">{inside}</div>;
}
