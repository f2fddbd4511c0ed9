/**
 * The queue in the list of tasks: changed by mouse and by keyboard, announced to screen readers, and the same on
 * every page.
 */

import type { Page } from "@playwright/test";
import { violations } from "./axe";
import { press } from "./keyboard";
import { expect, say, test, type World } from "./world";

/** The first task runs until it is stopped. The others are answered at once. */
const SCRIPT = { turns: [{ type: "hang" }, say("Done."), say("Done."), say("Done.")] };
const GOALS = ["One", "Two", "Three"];

/** Returns the queued tasks as the page lists them. */
async function listed(page: Page): Promise<string[]> {
  const rows = page.locator(".task-queued .task-goal");
  return rows.allInnerTexts();
}

const button = (page: Page, goal: string, name: string) =>
  page.getByRole("group", { name: `Place in the queue: ${goal}` }).getByRole("button", { name });

/** Starts a host with a running task and three queued ones. */
async function queued(world: World): Promise<{ works: string; tasks: string[] }> {
  await world.start(SCRIPT);
  const works = world.task("Works");
  await expect.poll(() => world.deputy("show", works, "--json")).toContain("iteration_started");
  return { works, tasks: GOALS.map((goal) => world.task(goal)) };
}

test("tasks are moved by the mouse, and another page sees it", async ({ page, world, context }) => {
  const { works } = await queued(world);
  await world.open(page, "#/tasks");
  const other = await context.newPage();
  await world.open(other, "#/tasks");
  for (const each of [page, other]) await expect.poll(() => listed(each)).toEqual(["One", "Two", "Three"]);
  await page.getByRole("link", { name: /Three/ }).hover();
  await button(page, "Three", "Run next").click();
  for (const each of [page, other]) await expect.poll(() => listed(each)).toEqual(["Three", "One", "Two"]);
  await expect(page.getByRole("status").filter({ hasText: "Three: next" })).toHaveCount(1);
  await other.getByRole("link", { name: /One/ }).hover();
  await button(other, "One", "Move down in the queue").click();
  for (const each of [page, other]) await expect.poll(() => listed(each)).toEqual(["Three", "Two", "One"]);
  await expect(other.getByRole("status").filter({ hasText: "One: 2 ahead" })).toHaveCount(1);
  await expect(button(page, "One", "Move down in the queue")).toHaveAttribute("aria-disabled", "true");
  await expect(button(page, "Three", "Run next")).toHaveAttribute("aria-disabled", "true");

  const order = world.deputy("queue", "--json").trim().split("\n");
  expect(order.map((line) => JSON.parse(line).goal)).toEqual(["Three", "Two", "One"]);
  world.deputy("stop", works);
  for (const each of [page, other]) await expect.poll(() => listed(each)).toEqual([]);
});

test("tasks are moved by keyboard alone, and the focus goes along", async ({ page, world }) => {
  const { tasks } = await queued(world);
  await world.open(page, `#/tasks/${tasks[2]}`);
  await expect.poll(() => listed(page)).toEqual(["One", "Two", "Three"]);
  await page.keyboard.press("+");
  await expect.poll(() => listed(page)).toEqual(["One", "Three", "Two"]);
  await expect(page.getByRole("status").filter({ hasText: "Three: 1 ahead" })).toHaveCount(1);
  await page.keyboard.press("-");
  await expect.poll(() => listed(page)).toEqual(["One", "Two", "Three"]);
  const up = button(page, "Three", "Move up in the queue");
  await press(page, up);
  expect(await violations(page)).toEqual([]);
  await expect.poll(() => listed(page)).toEqual(["One", "Three", "Two"]);
  await expect(up).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(() => listed(page)).toEqual(["Three", "One", "Two"]);
  await expect(up).toBeFocused();
  // At the end of the queue, the button does nothing but stays.
  await page.keyboard.press("Enter");
  await expect(up).toBeFocused();
  expect(await listed(page)).toEqual(["Three", "One", "Two"]);
});
