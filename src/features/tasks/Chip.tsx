/** A small button below a text field that shows a choice. */
import type { LucideIcon } from "lucide-react";
import { visible } from "../../text/visible";

interface Props {
  icon: LucideIcon;
  label: string;
  value: string;
  options: readonly { value: string; label: string; hint?: string }[];
  onChange(value: string): void;
}

export function Chip({ icon: Icon, label, value, options, onChange }: Props) {
  const chosen = options.find((option) => option.value === value);
  return (
    <label className="compose-chip" title={chosen?.hint ?? label}>
      <Icon className="ic" aria-hidden="true" />
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} title={option.hint}>
            {visible(option.label)}
          </option>
        ))}
      </select>
    </label>
  );
}
