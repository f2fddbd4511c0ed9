/** A key beside what it does. Hidden from screen readers, which get `aria-keyshortcuts` where it matters. */
export function Kbd({ children }: { children: string }) {
  return (
    <span className="kbd" aria-hidden="true">
      {children}
    </span>
  );
}
