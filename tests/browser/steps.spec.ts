/**
 * The calls of one answer on a single card, each with its command or diff and a checkbox; by mouse and by keyboard, on a
 * phone's width in both themes.
 */

import type { Locator, Page } from "@playwright/test";
import { check, THEMES } from "./screens";
import { calls, expect, say, shell, test, type World, write } from "./world";

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
  card.getByRole("checkbox", { name: `Include this step: ${name}` });

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
  await expect(edits.getByRole("button", { name: "Allow all 3" })).toBeVisible();
  await box(edits, "notes.txt").click();
  await expect(edits.getByText("Allowed once only, because you left something out.")).toBeVisible();
  await expect(edits.getByRole("radiogroup")).toHaveCount(0);
  // Edits that were left out stay out after leaving the card.
  await page.goto(`${world.address}/#/settings`);
  await page.goto(`${world.address}/#/inbox`);
  await expect(box(edits, "notes.txt")).not.toBeChecked();
  await edits.getByRole("button", { name: "Allow 2 of 3" }).click();
  await expect(page.getByText("Allowed by you (desktop), 1 step left out")).toBeVisible();
  await expect.poll(() => landed(world)).toEqual([true, false, true]);
  const { id } = JSON.parse(world.deputy("--json", "tasks", "--limit", "1"));
  await page.goto(`${world.address}/#/tasks/${id}`);
  await expect(
    page.getByText("The user allowed the other calls of this request and left this one out."),
  ).toBeVisible();
});

test("keys do the same, and none left in is no yes", async ({ page, world }) => {
  const edits = await card(page, world);
  for (const name of NAMES) {
    await box(edits, name).focus();
    await page.keyboard.press(" ");
    await expect(box(edits, name)).not.toBeChecked();
  }
  await expect(edits.getByRole("button", { name: "Allow 0 of 3" })).toBeDisabled();
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
  const answer = edits.getByRole("button", { name: "Allow 2 of 3" });
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(page, "steps", { answer });
  }
  const [task] = JSON.parse(world.deputy("--json", "status")).requests;
  await page.goto(`${world.address}/#/tasks/${task.task}`);
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(box(page.getByRole("article"), "third.txt")).not.toBeChecked();
  await page.getByRole("button", { name: "Allow 2 of 3" }).click();
  await expect.poll(() => landed(world)).toEqual([true, true, false]);
});

test("commands and edits are on one card, each as it would be alone", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  const script = "cat > sum.py <<'END'\nprint(sum([1, 2]))\nEND\npython3 sum.py > sum.txt";
  await world.start({
    turns: [
      calls("Three steps.", write("a.txt", "a\n"), shell(script), shell("python3 -c 'print(1)' > b.txt")),
      say("Done."),
    ],
  });
  const task = world.task("Work");
  await world.open(page, `#/tasks/${task}`);
  const card = page.getByRole("article", { name: /^3 steps: / });
  await expect(card.getByRole("heading", { name: "Write 1 file and run 2 commands" })).toBeVisible();
  await expect(card.getByRole("button", { name: /^Work in this folder/ })).toBeVisible();
  await expect(card.locator("pre").getByText("print(sum([1, 2]))")).toBeVisible();
  await expect(card.getByText(/Can read your home folder/)).toBeVisible();
  const answer = card.getByRole("button", { name: "Allow all 3" });
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(page, "steps-commands", { answer });
  }
  await card.getByRole("checkbox", { name: "Include this step: a.txt" }).click();
  await expect(card.getByRole("button", { name: /^Work in this folder/ })).toHaveCount(0);
  await card.getByRole("button", { name: "Allow 2 of 3" }).click();
  await expect(page.getByText("Done.", { exact: true })).toBeVisible();
  expect(world.read("sum.txt")).toBe("3\n");
  expect(world.read("b.txt")).toBe("1\n");
});
