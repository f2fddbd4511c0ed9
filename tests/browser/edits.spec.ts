/**
 * All edits of a plan on a single card, with a diff and a checkbox each; by mouse and by keyboard, on a phone's width
 * in both themes.
 */

import type { Locator, Page } from "@playwright/test";
import { check, THEMES } from "./screens";
import { calls, expect, say, test, type World, write } from "./world";

const NAMES = ["src/invoices/monthly-overview-of-everything.txt", "notes.txt", "third.txt"];
const SCRIPT = {
  by_conversation: true,
  turns: [calls("Three files.", ...NAMES.map((name) => write(name, `${name}\n`))), say("There they are.")],
};

async function card(page: Page, world: World): Promise<Locator> {
  await world.start(SCRIPT);
  world.task("Write three files");
  await world.open(page, "#/inbox");
  const article = page.getByRole("article", { name: /^3 edits: / });
  await expect(article).toBeVisible();
  return article;
}

const box = (card: Locator, name: string) =>
  card.getByRole("checkbox", { name: `Include this edit: ${name}` });

function landed(world: World): boolean[] {
  return NAMES.map((name) => {
    try {
      return world.read(name) === `${name}\n`;
    } catch {
      return false;
    }
  });
}

test("one is left out with the mouse, and the story says so", async ({ page, world }) => {
  const edits = await card(page, world);
  await expect(edits.getByRole("checkbox")).toHaveCount(3);
  await expect(edits.getByRole("region", { name: /Edit of/ })).toHaveCount(3);
  await expect(edits.getByRole("button", { name: "Allow 3 edits" })).toBeVisible();
  await box(edits, "notes.txt").click();
  await expect(edits.getByText("Allowed once only, because you left something out.")).toBeVisible();
  await expect(edits.getByRole("radiogroup")).toHaveCount(0);
  // Edits that were left out stay out after leaving the card.
  await page.goto(`${world.address}/#/settings`);
  await page.goto(`${world.address}/#/inbox`);
  await expect(box(edits, "notes.txt")).not.toBeChecked();
  await edits.getByRole("button", { name: "Allow 2 of 3 edits" }).click();
  await expect(page.getByText("Allowed by you (desktop), 1 edit left out")).toBeVisible();
  await expect.poll(() => landed(world)).toEqual([true, false, true]);
  const { id } = JSON.parse(world.deputy("--json", "tasks", "--limit", "1"));
  await page.goto(`${world.address}/#/tasks/${id}`);
  await expect(page.getByText("The user allowed the other edits and left this one out.")).toBeVisible();
});

test("keys do the same, and none left in is no yes", async ({ page, world }) => {
  const edits = await card(page, world);
  for (const name of NAMES) {
    await box(edits, name).focus();
    await page.keyboard.press(" ");
    await expect(box(edits, name)).not.toBeChecked();
  }
  await expect(edits.getByRole("button", { name: "Allow 0 of 3 edits" })).toBeDisabled();
  await expect(edits.getByText("Nothing is left to allow.")).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.press(" ");
  await expect(box(edits, "third.txt")).toBeChecked();
  // With the focus on the checkbox, which does not handle Enter.
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect(edits).toBeHidden({ timeout: 300 });
  }).toPass();
  await expect.poll(() => landed(world)).toEqual([false, false, true]);
});

test("in the task's story there is one card for all, and the boxes fit a phone in both themes", {
  tag: "@screens",
}, async ({ page, world }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  const edits = await card(page, world);
  await box(edits, "third.txt").uncheck();
  const answer = edits.getByRole("button", { name: "Allow 2 of 3 edits" });
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(page, "edits", { answer });
  }
  const [task] = JSON.parse(world.deputy("--json", "status")).requests;
  await page.goto(`${world.address}/#/tasks/${task.task}`);
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(box(page.getByRole("article"), "third.txt")).not.toBeChecked();
  await page.getByRole("button", { name: "Allow 2 of 3 edits" }).click();
  await expect.poll(() => landed(world)).toEqual([true, true, false]);
});
