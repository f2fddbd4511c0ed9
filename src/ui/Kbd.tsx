/** The key of an action. Hidden from screen readers, which use `aria-keyshortcuts` instead. */
import { keyOf, type Name } from "../app/shortcuts";

/** The name of a shortcut, or the text of a key that a field handles. */
type Props = { of: Name } | { children: string };

export function Kbd(props: Props) {
  return (
    <span className="kbd" aria-hidden="true">
      {"of" in props ? keyOf(props.of) : props.children}
    </span>
  );
}
