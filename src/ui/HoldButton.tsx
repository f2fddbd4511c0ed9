/** A button that must be held, for actions with a high risk. Works with a pointer and with the keyboard. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import "./ui.css";

const HOLD_MS = 900;

interface Props {
  children: ReactNode;
  disabled: boolean;
  onHeld(): void;
  /** Called if it was released too early. */
  onLetGo?: () => void;
  /** Whether a key of the page holds it. */
  held: boolean;
}

export function HoldButton({ children, disabled, onHeld, onLetGo, held }: Props) {
  const [pressed, setPressed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const done = useRef(onHeld);
  done.current = onHeld;
  const early = useRef(onLetGo);
  early.current = onLetGo;
  const active = (pressed || held) && !disabled;
  const release = useCallback(() => setPressed(false), []);
  useEffect(() => {
    if (!active) return;
    let isHeld = false;
    timer.current = setTimeout(() => {
      isHeld = true;
      setPressed(false);
      done.current();
    }, HOLD_MS);
    return () => {
      clearTimeout(timer.current);
      if (!isHeld) early.current?.();
    };
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

/** Tracks a held key of the page: from `hold()` until the key is released. */
export function useHeldKey(): { holding: boolean; hold(): void } {
  const [holding, setHolding] = useState(false);
  useEffect(() => {
    if (!holding) return;
    const release = () => setHolding(false);
    window.addEventListener("keyup", release);
    window.addEventListener("blur", release);
    return () => {
      window.removeEventListener("keyup", release);
      window.removeEventListener("blur", release);
    };
  }, [holding]);
  return { holding, hold: () => setHolding(true) };
}
