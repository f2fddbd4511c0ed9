/** What is read or written stays in its place, and the keyboard where it was, while lines come and go by themselves. */
import { type RefObject, useLayoutEffect, useRef } from "react";
import { idOf, type Line } from "./gone";

/** `lines` are those of `list`, newest first, as `data-memory`, in something that scrolls. */
export function useSteady(list: RefObject<HTMLElement | null>, lines: readonly Line[] | undefined) {
  const newest = lines?.[0] && idOf(lines[0]);
  const before = useRef(newest);
  // As it is before these lines are drawn: what is taken out of the page cannot be asked any more.
  const focused = numberOf(rowWith(document.activeElement, list.current));
  useLayoutEffect(() => {
    const was = before.current;
    before.current = newest;
    if (was === undefined || newest === undefined || newest <= was || !list.current) return;
    const scroller = list.current.closest(".page-body");
    const rows = rowsOf(list.current);
    const first = rows.find((row) => numberOf(row) === was);
    if (!scroller || !first || !rows[0]) return;
    const isScrolled = scroller.scrollTop > 0;
    // Most browsers see to it by themselves, but not at the very top, where newer ones are to come into view.
    if (isScrolled ? CSS.supports("overflow-anchor", "auto") : !list.current.contains(document.activeElement))
      return;
    scroller.scrollTop += first.offsetTop - rows[0].offsetTop;
  }, [list, newest]);
  useLayoutEffect(() => {
    if (focused === undefined || !list.current || !lines) return;
    if (lines.some((line) => idOf(line) === focused) || document.activeElement !== document.body) return;
    // The line with the focus is gone: the next one takes it.
    const rows = rowsOf(list.current);
    const next = rows.find((row) => (numberOf(row) ?? 0) < focused) ?? rows.at(-1);
    next?.focus({ preventScroll: true });
  }, [list, lines, focused]);
}

function rowsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>("[data-memory]")];
}

function rowWith(element: Element | null, list: HTMLElement | null): HTMLElement | undefined {
  return (list?.contains(element) && element?.closest<HTMLElement>("[data-memory]")) || undefined;
}

function numberOf(row: HTMLElement | undefined): number | undefined {
  return row && Number(row.dataset.memory);
}
