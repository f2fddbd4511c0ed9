/** A key besides what it does. Hidden from screen readers, which get `aria-keyshortcuts` where it matters. */
import { keyOf, type Name } from "../app/shortcuts";

/** The key of a shortcut, or of what a field does with it. */
type Props = { of: Name } | { children: string };

export function Kbd(props: Props) {
  return (
    <span className="kbd" aria-hidden="true">
      {"of" in props ? keyOf(props.of) : props.children}
    </span>
  );
}
