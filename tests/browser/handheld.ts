/** A phone for tests of its pages: a Pixel in Chromium, paired through the desktop's page as a user does it. */
import { randomInt } from "node:crypto";
import { type Browser, type BrowserContext, devices, expect, type Page } from "@playwright/test";
import { check, type Expected, type Screen, THEMES } from "./screens";
import type { World } from "./world";

export interface Handheld {
  context: BrowserContext;
  page: Page;
  /** The address of its pages. */
  address: string;
}

/** Returns settings that enable the listener for devices, at the test's own port. */
export function door(): { settings: string; address: string } {
  const address = `127.0.0.1:${randomInt(12_000, 32_000)}`;
  return { settings: `\n[server]\ndevices = "${address}"\n`, address };
}

/** Shows a pairing code on the desktop and returns its link. */
export async function showCode(desktop: Page, world: World, mayCommand: boolean): Promise<string> {
  await world.open(desktop, "#/devices");
  await desktop.getByRole("button", { name: "Pair a device" }).click();
  const dialog = desktop.getByRole("dialog", { name: "Pair a device" });
  if (mayCommand) await dialog.getByRole("checkbox", { name: /Control/ }).check();
  await dialog.getByRole("button", { name: "Show code" }).click();
  return (await dialog.locator(".pair-link").textContent()) ?? "";
}

/** Returns a phone's browser without open pages. */
export function pocket(browser: Browser, landscape = false): Promise<BrowserContext> {
  const shape = devices[landscape ? "Pixel 7 landscape" : "Pixel 7"];
  return browser.newContext({ ...shape, ignoreHTTPSErrors: true, reducedMotion: "reduce" });
}

/** Pairs a phone and shows its first page. */
export async function paired(
  browser: Browser,
  desktop: Page,
  world: World,
  mayCommand = true,
): Promise<Handheld> {
  const link = await showCode(desktop, world, mayCommand);
  const context = await pocket(browser);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole("button", { name: "Pair", exact: true }).tap();
  await page.getByRole("button", { name: "Yes, it matches" }).tap();
  await desktop.getByRole("button", { name: "They match" }).click();
  await expect(page.locator(".phone")).toBeVisible();
  await desktop.keyboard.press("Escape");
  return { context, page, address: link.split("#")[0] ?? "" };
}

/** Checks a screen in both themes and orientations and with large text. */
export async function look(page: Page, screen: Screen, expected: Expected = {}) {
  const upright = page.viewportSize() ?? { width: 412, height: 839 };
  const scale = (size: string) =>
    page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, size);
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const way of ["upright", "sideways", "large"] as const) {
      const { width, height } = upright;
      await page.setViewportSize(way === "sideways" ? { width: height, height: width } : upright);
      await scale(way === "large" ? "24px" : "16px");
      await check(page, screen, expected);
    }
  }
  await page.setViewportSize(upright);
  await scale("16px");
}
