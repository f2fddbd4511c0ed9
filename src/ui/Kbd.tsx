/** A key beside what it does. Hidden from screen readers, which get `aria-keyshortcuts` where it matters. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="kbd" aria-hidden="true">
      {children}
    </kbd>
  );
}
