/** A segmented control: a group of radio buttons in which the arrow keys move and select. */
import type { KeyboardEvent } from "react";
import "./ui.css";

interface Props<V extends string> {
  label: string;
  /** The selected value. Nothing is selected if it is not among the options. */
  value: V;
  options: readonly { value: V; label: string; hint?: string }[];
  onChange(value: V): void;
  disabled?: boolean;
}

export function Segmented<V extends string>({ label, value, options, onChange, disabled }: Props<V>) {
  const chosen = options.findIndex((option) => option.value === value);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const group = event.currentTarget;
    const radios = [...group.querySelectorAll("button")];
    const at = radios.findIndex((radio) => radio.contains(document.activeElement));
    const to = placeFor(event.key, at, radios.length, getComputedStyle(group).direction === "rtl");
    const option = to === undefined ? undefined : options[to];
    if (to === undefined || !option) return;
    event.preventDefault();
    radios[to]?.focus();
    if (to !== chosen) onChange(option.value);
  };
  return (
    <div className="segmented" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useSemanticElements: the browser's own knows neither Home nor End, nor that left is next from right to left
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={index === chosen}
          // Tab leads to the selected option, and then out of the group.
          tabIndex={index === Math.max(chosen, 0) ? 0 : -1}
          title={option.hint}
          disabled={disabled}
          onClick={() => index !== chosen && onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

/** Returns the index that a key leads to from `at` of `count`, with wraparound. `undefined` for other keys. */
function placeFor(key: string, at: number, count: number, isRightToLeft: boolean): number | undefined {
  const step = (by: number) => (at + by + count) % count;
  switch (key) {
    case "ArrowDown":
      return step(1);
    case "ArrowUp":
      return step(-1);
    case "ArrowRight":
      return step(isRightToLeft ? -1 : 1);
    case "ArrowLeft":
      return step(isRightToLeft ? 1 : -1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
