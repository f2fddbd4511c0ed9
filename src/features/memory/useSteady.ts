/** Keeps the scroll position and the keyboard focus when lines are added or removed. */
import { type RefObject, useLayoutEffect, useRef } from "react";
import { idOf, type Line } from "./gone";

/** `lines` are the lines of `list`, newest first, marked with `data-memory`. The list is in a scrolling element. */
export function useSteady(list: RefObject<HTMLElement | null>, lines: readonly Line[] | undefined) {
  const newest = lines?.[0] && idOf(lines[0]);
  const before = useRef(newest);
  // Read before these lines are drawn: a removed element cannot be queried any more.
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
    // Most browsers anchor the scroll position, except at the very top, where new lines should come into view.
    if (isScrolled ? CSS.supports("overflow-anchor", "auto") : !list.current.contains(document.activeElement))
      return;
    scroller.scrollTop += first.offsetTop - rows[0].offsetTop;
  }, [list, newest]);
  useLayoutEffect(() => {
    if (focused === undefined || !list.current || !lines) return;
    if (lines.some((line) => idOf(line) === focused) || document.activeElement !== document.body) return;
    // The focused line was removed: the next line gets the focus.
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
