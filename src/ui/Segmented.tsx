/** One of a few, side by side. */
import { ToggleGroup } from "radix-ui";
import "./ui.css";

interface Props<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string; hint?: string }[];
  onChange(value: V): void;
  disabled?: boolean;
}

export function Segmented<V extends string>({ label, value, options, onChange, disabled }: Props<V>) {
  return (
    <ToggleGroup.Root
      type="single"
      role="radiogroup"
      className="segmented"
      aria-label={label}
      value={value}
      disabled={disabled ?? false}
      onValueChange={(next) => next && onChange(next as V)}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} title={option.hint}>
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
