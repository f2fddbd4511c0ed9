/**
 * All screens, and what is expected of each. A test that reaches a screen calls `check` with its name; it carries the tag
 * `@screens`, by which `npm run pictures` finds it.
 */
import { join } from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { violations } from "./axe";
import { defects, outOfReach, settle } from "./layout";

/** The window's sizes: two columns and a side column, a drawer for the list, a phone. */
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1000, height: 700 },
  { width: 390, height: 844 },
];
export const THEMES = ["light", "dark"] as const;

/** The screens by the contact sheet that shows them, in its order. */
export const SCREENS = {
  page: [
    ...["tasks", "new", "change", "command", "question", "ended", "inbox", "files", "memory", "forgotten"],
    ...["rules", "devices", "usage", "settings", "doctor", "try", "help", "palette"],
  ],
  empty: ["empty-inbox", "empty-memory", "empty-rules", "empty-usage", "empty-devices", "empty-settings"],
  tasks: [
    ...[
      "guide",
      "new-options",
      "needs-model",
      "change-model",
      "plan",
      "steps",
      "steps-commands",
      "loan",
      "asked",
    ],
    ...["folder-work", "names-only"],
    ...["not-sent", "subtasks", "subtasks-part", "background", "thread", "changes", "undo-job"],
    ...["archived", "import", "palette-words"],
  ],
  files: [
    ...["files-pick", "files-trees", "files-table", "files-problem", "files-done", "files-undo"],
    "files-tidy",
  ],
  settings: [
    ...["backend", "key", "web-search", "rule", "pairing-code", "pairing-number", "android"],
    ...["browser-asks", "browser-takeover", "browser-done"],
  ],
  german: [
    ...["german-change", "german-always", "german-command", "german-ended", "german-undo", "german-try"],
    ...["german-doctor", "german-files", "german-asked", "german-loan", "german-settings", "german-large"],
  ],
  phone: [
    ...["phone-get-app", "phone-pair", "phone-number", "phone-home-empty", "phone-home", "phone-request"],
    ...[
      "phone-deny",
      "phone-change",
      "phone-answered",
      "phone-question",
      "phone-high",
      "phone-always",
      "phone-plan",
    ],
    ...["phone-new", "phone-task", "phone-undo", "phone-background", "phone-undelivered", "phone-away"],
    ...["phone-folder-work", "phone-names-only"],
    ...["phone-settings", "phone-forgotten"],
    ...[
      "phone-app-pair",
      "phone-app-pair-at",
      "phone-app-locked",
      "phone-app-shared",
      "phone-app-shared-add",
    ],
    "phone-app-settings",
    ...["phone-desktop-pair", "phone-desktop-number", "phone-desktop-inbox", "phone-desktop-revoked"],
  ],
} as const satisfies Record<string, readonly string[]>;

export type Screen = (typeof SCREENS)[keyof typeof SCREENS][number];

/** Where `npm run pictures` puts its pictures. */
export const PICTURES = join(import.meta.dirname, "../../test-results/pictures");

export interface Expected {
  /** The button that answers, on a screen that waits for a person. It must be in view at every size. */
  answer?: Locator;
}

/** Checks the layout of a screen and its accessibility. In the pictures' run, takes its picture instead. */
export async function check(page: Page, screen: Screen, { answer }: Expected = {}): Promise<void> {
  expect(test.info().tags, `a test that checks the screen ${screen} is tagged`).toContain("@screens");
  // On a narrow screen, the code of the menu with the other screens is loaded late.
  const { width = 0 } = page.viewportSize() ?? {};
  if (width < 700 && (await page.locator(".rail").count()) > 0)
    await expect(page.locator(".rail-more")).toBeAttached();
  if (test.info().project.name === "pictures") {
    await settle(page);
    const path = join(PICTURES, `${screen}.${await look(page)}.png`);
    await page.screenshot({ path, animations: "disabled", caret: "hide" });
    return;
  }
  const where = `${screen}, ${await look(page)}`;
  expect.soft(await defects(page), where).toEqual([]);
  if (answer) expect.soft(await outOfReach(answer), where).toEqual([]);
  expect.soft(await violations(page), where).toEqual([]);
}

/** Checks a screen in both themes at all sizes. `ready` brings it back to what it shows after the size has changed. */
export async function checkEverywhere(
  page: Page,
  screen: Screen,
  { ready, ...expected }: Expected & { ready?: () => Promise<void> } = {},
): Promise<void> {
  const before = page.viewportSize();
  for (const colorScheme of THEMES) {
    for (const size of SIZES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize(size);
      await ready?.();
      await check(page, screen, expected);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  if (before) await page.setViewportSize(before);
}

/** Returns how a page looks now, as in the names of pictures: its theme, its width, and whether its text is large. */
async function look(page: Page): Promise<string> {
  const { isDark, isLarge } = await page.evaluate(() => ({
    isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    isLarge: Number.parseFloat(getComputedStyle(document.documentElement).fontSize) > 16,
  }));
  const { width = 0 } = page.viewportSize() ?? {};
  return [isDark ? "dark" : "light", width, ...(isLarge ? ["large"] : [])].join("-");
}
