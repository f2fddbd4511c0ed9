/** What must hold on every screen at every size: nothing overlaps, is cut off, covered or out of reach. */
import { expect, type Locator, type Page } from "@playwright/test";
import * as inPage from "./layout-in-page";

const FUNCTIONS = Object.values(inPage).map(String).join("\n");

/** Waits until the fonts are loaded, animations have ended, and two frames in a row look the same. */
export async function settle(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(async () => {
    await document.fonts.ready;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const shape = () => {
      return [...document.querySelectorAll("body *")]
        .map((element) => element.getBoundingClientRect())
        .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join())
        .join(";");
    };
    for (let [before, now] = ["", shape()]; before !== now; [before, now] = [now, shape()]) {
      await frame();
      await frame();
    }
  });
}

/** Returns the layout's defects. Each names the element and what it collides with. */
export async function defects(page: Page): Promise<string[]> {
  await settle(page);
  return page.evaluate(`(() => { ${FUNCTIONS}\n return defects(); })()`);
}

/** Returns what keeps a person from pressing the button that answers, without scrolling; nothing if it is in reach. */
export async function outOfReach(button: Locator): Promise<string[]> {
  await expect(button).toBeVisible();
  return button.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const label = `the button "${element.textContent}"`;
    if (left < 0 || top < 0 || right > window.innerWidth || bottom > window.innerHeight)
      return [`${label} is not in view`];
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return element.contains(hit) ? [] : [`${label} is covered by ${hit?.tagName}.${hit?.className}`];
  });
}
