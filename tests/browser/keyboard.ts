/** Keyboard helpers: reach elements with Tab, as a user does, and check that the focus is visible. */
import { expect, type Locator, type Page } from "@playwright/test";

/** More Tab stops than any screen has. */
const STOPS = 120;

/** Presses Tab until an element has the focus. Fails if Tab does not reach it, or if the focus is not visible. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab") {
  await expect(target).toBeVisible();
  const has = () => target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; !(await has()); stop += 1) {
    expect(stop, `${target} is reached with ${key}`).toBeLessThan(STOPS);
    await page.keyboard.press(key);
  }
  expect(await target.evaluate(isSeen), `the focus is seen on ${target}`).toBe(true);
}

/** Moves the focus to an element with Tab, and presses a key on it. */
export async function press(page: Page, target: Locator, key = "Enter") {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Runs in the page: returns whether the element, or a box around it, shows the focus. */
function isSeen(element: Element): boolean {
  let at: Element | null = element;
  for (let up = 0; at && up < 4; up += 1, at = at.parentElement) {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
    if (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) return true;
    if (up > 0 && boxShadow !== "none" && at.matches(":focus-within")) return true;
  }
  return false;
}
