/** Tracks how much of a card the user has seen. A key answers only a card that was seen whole. */
import { type RefObject, useEffect, useRef } from "react";

/** Returns whether the middle of an element is visible and not covered. */
function isDrawn(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit !== null && element.contains(hit);
}

/** Returns the ancestor that scrolls with an element. */
function scrollerOf(element: Element): Element | undefined {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at);
    if ((overflowY === "auto" || overflowY === "scroll") && at.scrollHeight > at.clientHeight) return at;
  }
  return undefined;
}

/** Returns the visible height of that ancestor, or of the window. */
function roomFor(element: Element): number {
  return scrollerOf(element)?.clientHeight ?? window.innerHeight;
}

export interface Seen {
  /**
   * Returns whether the card of these buttons is in view and was seen from its headline to its end. If not,
   * scrolls by one window height, so that repeated presses of the same key lead through the whole card.
   */
  isSeen(buttons: Element): boolean;
}

/** Watches the headline of a card and the end of its content. `end` marks where the buttons begin. */
export function useSeen(end: RefObject<Element | null>): Seen {
  const seen = useRef({ head: false, end: false });
  useEffect(() => {
    const mark = end.current;
    const head = mark?.closest("article")?.querySelector("h2");
    if (!mark || !head) return;
    const watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        if (target === mark) seen.current.end = true;
        else seen.current.head = true;
      }
    });
    watch.observe(mark);
    watch.observe(head);
    return () => watch.disconnect();
  }, [end]);
  return {
    isSeen: (buttons) => {
      const card = buttons.closest("article") ?? buttons;
      const head = card.querySelector("h2") ?? card;
      const isTooHigh = card.getBoundingClientRect().height > roomFor(card);
      if (!isTooHigh && isDrawn(buttons) && isDrawn(head)) return true;
      if (isTooHigh && isDrawn(buttons) && seen.current.head && seen.current.end) return true;
      if (!isTooHigh) card.scrollIntoView({ block: "nearest" });
      else if (!seen.current.head || !isDrawn(buttons)) head.scrollIntoView({ block: "start" });
      else scrollerOf(card)?.scrollBy({ top: roomFor(card) / 2 });
      return false;
    },
  };
}
