/** What is remembered: found, edited, forgotten, brought back, and led back to the task it comes from. */
import type { Page } from "@playwright/test";
import { calls, expect, say, shell, test, type World } from "./world";

const STORY = {
  by_conversation: true,
  turns: [
    calls("I look for the plumber's invoices.", shell("echo invoice-0417.pdf")),
    say("The plumber is Meyer & Sons."),
  ],
};

/** Two tasks that said the same, each to its end. */
async function remember(world: World): Promise<{ inbox: string; garden: string }> {
  await world.start(STORY);
  const inbox = world.task("Who is our plumber?", "inbox");
  const garden = world.task("Who mends the garden tap?", "garden");
  for (const task of [inbox, garden]) world.deputy("follow", task);
  return { inbox, garden };
}

const memories = (page: Page) => page.locator("[data-memory]:not([data-gone])");
const holding = (page: Page, text: string) => memories(page).filter({ hasText: text });

/** What a later task would be told, as the command line sees it. */
function listed(world: World): string {
  return world.deputy("--json", "memory", "list", "--limit", "100");
}

test("a memory is found, edited and leads to its task", async ({ page, world }) => {
  const { inbox } = await remember(world);
  await world.open(page);
  await page.getByRole("link", { name: "Memory" }).click();
  await expect(page.getByRole("heading", { name: "Memory", level: 1 })).toBeVisible();
  await expect(holding(page, "Meyer & Sons")).toHaveCount(2);

  const search = page.getByRole("searchbox", { name: "Search memories" });
  await search.fill("plumber mey");
  await expect(memories(page)).toHaveCount(2);
  await page.getByRole("combobox", { name: "Folder" }).selectOption({ index: 2 });
  await expect(memories(page)).toHaveCount(1);
  await expect(memories(page)).toContainText("The planner said");
  await expect(memories(page)).toContainText("inbox");

  await memories(page).getByRole("button", { name: /^Edit/ }).click();
  const words = page.getByRole("textbox", { name: "Words of the memory" });
  await words.fill("The plumber is Schulz.");
  await page.reload();
  await expect(words).toHaveValue("The plumber is Schulz.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("No memory fits")).toBeVisible();
  await search.fill("schulz");
  await expect(memories(page)).toContainText("The plumber is Schulz.");
  await expect(memories(page)).toContainText("edited");
  expect(listed(world)).toContain("Schulz");

  await page.getByRole("button", { name: "Undo" }).click();
  await search.fill("meyer");
  await expect(holding(page, "Meyer & Sons")).toHaveCount(1);

  await memories(page).getByRole("link", { name: "Who is our plumber?" }).click();
  await expect(page).toHaveURL(new RegExp(`#/tasks/${inbox}$`));
  await expect(page.getByText("was edited, for later tasks").first()).toBeVisible();
});

test("what is forgotten is gone at once, with all that says the same, and comes back", async ({
  page,
  world,
}) => {
  const { garden } = await remember(world);
  await world.open(page, "#/memory");
  await holding(page, "Meyer & Sons")
    .first()
    .getByRole("button", { name: /^Forget/ })
    .click();
  await expect(page.getByText("1 other that said the same went with it.")).toBeVisible();
  await expect(page.getByText("Meyer & Sons")).toHaveCount(0);
  expect(listed(world)).not.toContain("Meyer");

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(holding(page, "Meyer & Sons")).toHaveCount(2);
  expect(listed(world).split("Meyer")).toHaveLength(3);

  await holding(page, "Meyer & Sons")
    .first()
    .getByRole("button", { name: /^Forget/ })
    .click();
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  // Leaving the screen takes the offer away, as it says; the task's own story keeps what it said.
  await page.evaluate((hash) => (window.location.hash = hash), `#/tasks/${garden}`);
  await expect(page.getByText("The plumber is Meyer & Sons.").first()).toBeVisible();
  await page.evaluate(() => (window.location.hash = "#/memory"));
  await expect(holding(page, "Who mends the garden tap?").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect(page.getByText("Meyer & Sons")).toHaveCount(0);
});

test("all of it goes by keyboard alone", async ({ page, world }) => {
  const { garden } = await remember(world);
  await world.open(page);
  await page.keyboard.press("m");
  await expect(memories(page).first()).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("meyer");
  await expect(memories(page)).toHaveCount(2);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox", { name: "Search memories" })).toHaveValue("");
  await page.keyboard.type("meyer");
  await expect(memories(page)).toHaveCount(2);
  await page.keyboard.press("Enter");
  await expect(memories(page).first()).toBeFocused();
  await page.keyboard.press("j");
  await expect(memories(page).nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("e");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Meyer is retired.");
  await page.keyboard.press("Control+Enter");
  await expect(holding(page, "Meyer is retired.")).toBeFocused();
  await page.keyboard.press("x");
  await expect(page.getByText("Forgotten.", { exact: false })).toBeVisible();
  await expect(page.locator("[data-gone]")).toBeFocused();
  await page.keyboard.press("z");
  await expect(holding(page, "Meyer is retired.")).toBeFocused();
  await page.keyboard.press("o");
  await expect(page).toHaveURL(new RegExp(`#/tasks/${garden}$`));
});
