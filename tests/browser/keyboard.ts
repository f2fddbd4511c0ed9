/** Hands on the keyboard alone: what is wanted is reached with Tab, as a person does, and the focus is seen there. */
import { expect, type Locator, type Page } from "@playwright/test";

/** More stops than any screen has. */
const STOPS = 120;

/** Presses Tab until something has the focus; fails where Tab does not lead to it, or where the focus cannot be seen. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab") {
  await expect(target).toBeVisible();
  const has = () => target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; !(await has()); stop += 1) {
    expect(stop, `${target} is reached with ${key}`).toBeLessThan(STOPS);
    await page.keyboard.press(key);
  }
  expect(await target.evaluate(isSeen), `the focus is seen on ${target}`).toBe(true);
}

/** Goes there with Tab, and presses a key on it. */
export async function press(page: Page, target: Locator, key = "Enter") {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Runs in the page: whether the element, or the box that it is the inside of, is drawn as having the focus. */
function isSeen(element: Element): boolean {
  let at: Element | null = element;
  for (let up = 0; at && up < 4; up += 1, at = at.parentElement) {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
    if (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) return true;
    if (up > 0 && boxShadow !== "none" && at.matches(":focus-within")) return true;
  }
  return false;
}
