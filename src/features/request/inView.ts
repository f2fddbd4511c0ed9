/** How much of a card a person has seen. A key answers only what was seen whole enough to be judged. */
import { type RefObject, useEffect, useRef } from "react";

/** Whether the middle of an element is drawn, and nothing lies above it. */
function isDrawn(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit !== null && element.contains(hit);
}

/** The part of the page that scrolls with an element. */
function scrollerOf(element: Element): Element | undefined {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at);
    if ((overflowY === "auto" || overflowY === "scroll") && at.scrollHeight > at.clientHeight) return at;
  }
  return undefined;
}

/** How high that part is, without what stays at its bottom. */
function roomFor(element: Element): number {
  return scrollerOf(element)?.clientHeight ?? window.innerHeight;
}

export interface Seen {
  /**
   * Whether the card in which these buttons stand is in view and was seen from its headline to its end. Where it was not, it
   * is scrolled on by what the window holds, so that the same key pressed again leads through all of it.
   */
  isSeen(buttons: Element): boolean;
}

/** Watches the headline of a card and the end of what it shows; the marks are where its buttons begin. */
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
