/** A button that must be held: for what cannot be taken back. Works with a pointer and with the keyboard. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import "./ui.css";

const HOLD_MS = 900;

interface Props {
  children: ReactNode;
  disabled: boolean;
  onHeld(): void;
  /** Held from outside, by a key of the page. */
  held: boolean;
}

export function HoldButton({ children, disabled, onHeld, held }: Props) {
  const [pressed, setPressed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const done = useRef(onHeld);
  done.current = onHeld;
  const active = (pressed || held) && !disabled;
  const release = useCallback(() => setPressed(false), []);
  useEffect(() => {
    if (!active) return;
    timer.current = setTimeout(() => {
      setPressed(false);
      done.current();
    }, HOLD_MS);
    return () => clearTimeout(timer.current);
  }, [active]);
  return (
    <button
      type="button"
      className="btn hold"
      data-active={active}
      disabled={disabled}
      onPointerDown={(event) => event.button === 0 && setPressed(true)}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (!event.repeat) setPressed(true);
      }}
      onKeyUp={release}
    >
      <span className="hold-fill" aria-hidden="true" />
      <span className="hold-label">{children}</span>
    </button>
  );
}
