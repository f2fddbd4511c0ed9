/** A running command asks for permission: its card in both languages and themes, and the effects of an answer. */

import type { Page } from "@playwright/test";
import { violations } from "./axe";
import { calls, expect, say, shell, test, type World } from "./world";

const STORY = {
  by_conversation: true,
  turns: [calls("I check the settings.", shell("python3 check.py")), say("Checked.")],
};
const CHECK = "print('found', len(open('.env').read()))\n";

/** Starts a task whose command runs and waits for an answer, and opens its page. */
async function waiting(page: Page, world: World): Promise<void> {
  await world.start(STORY);
  world.write("check.py", CHECK);
  world.write(".env", "TOKEN=12345\n");
  const task = world.task("Check the settings");
  await world.open(page, `#/tasks/${task}`);
  // The command itself needs approval first.
  await expect(page.getByRole("article")).toBeVisible();
  world.deputy("approve", JSON.parse(world.deputy("--json", "status")).requests[0].id);
}

async function look(page: Page, name: string) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      const path = `test-results/screens/asked-${name}-${colorScheme}-${width}.png`;
      await page.screenshot({ path, animations: "disabled" });
    }
  }
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("a running command asks for one file, gets it, and the call shows its result", async ({
  page,
  world,
}) => {
  await waiting(page, world);
  const card = page.getByRole("article", { name: /wants to read \.env/ });
  await expect(card.getByText("A running command needs access")).toBeVisible();
  await look(page, "english");
  await card.getByRole("button", { name: "Hold to approve" }).hover();
  await page.mouse.down();
  await expect(card).toBeHidden();
  await page.mouse.up();
  await expect(page.getByText("found 12").first()).toBeVisible();
});

test("a no lets it continue without", async ({ page, world }) => {
  await waiting(page, world);
  await expect(page.getByRole("article", { name: /wants to read \.env/ })).toBeVisible();
  world.deny("not that one");
  // The row shows what was refused. A click opens the output.
  const row = page.getByRole("button", { name: /python3 check\.py.*not that one/ });
  await row.click();
  await expect(page.getByText("found 0").first()).toBeVisible();
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("a running command asks in German", async ({ page, world }) => {
    await waiting(page, world);
    await expect(page.getByRole("article", { name: /möchte \.env lesen/ })).toBeVisible();
    expect(await page.locator('body [lang="en"]:not(option)').allTextContents()).toEqual([]);
    await look(page, "german");
  });
});
