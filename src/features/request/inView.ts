/** Whether a person sees the card that a key would answer. */

/** Whether the middle of an element is drawn, and nothing lies above it. */
function isDrawn(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit !== null && element.contains(hit);
}

/** How high the part of the page is that scrolls with an element. */
function roomFor(element: Element): number {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at);
    if ((overflowY === "auto" || overflowY === "scroll") && at.scrollHeight > at.clientHeight) {
      return at.clientHeight;
    }
  }
  return window.innerHeight;
}

/**
 * Whether a card's buttons are in view, and what they are about: its headline, too, unless the card is too high for both.
 * Where they are not, they are brought into view.
 */
export function isSeen(buttons: Element): boolean {
  const card = buttons.closest("article") ?? buttons;
  const head = card.querySelector("h2") ?? card;
  const isTooHigh = card.getBoundingClientRect().height > roomFor(card);
  if (isDrawn(buttons) && (isTooHigh || isDrawn(head))) return true;
  (isTooHigh ? buttons : card).scrollIntoView({ block: "nearest" });
  return false;
}
