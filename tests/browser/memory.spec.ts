/** Memories: searched, edited, forgotten, restored, traced to their task, and updated live. */
import type { Locator, Page } from "@playwright/test";
import { calls, expect, say, shell, test, type World } from "./world";

const STORY = {
  by_conversation: true,
  turns: [
    calls("I look for the plumber's invoices.", shell("echo invoice-0417.pdf")),
    say("The plumber is Meyer & Sons."),
  ],
};

/** Runs two tasks that say the same. */
async function remember(world: World): Promise<{ inbox: string; garden: string }> {
  await world.start(STORY);
  const inbox = world.task("Who is our plumber?", "inbox");
  const garden = world.task("Who mends the garden tap?", "garden");
  for (const task of [inbox, garden]) world.deputy("follow", task);
  return { inbox, garden };
}

const memories = (page: Page) => page.locator("[data-memory]:not([data-gone])");
/** The headings of groups of memories from the same task. */
const groups = (page: Page) => page.locator(".memory-group");
const holding = (page: Page, text: string) => memories(page).filter({ hasText: text });

/** Returns the memories for later tasks, from the command line. */
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
  await expect(memories(page)).toContainText("Deputy said");
  await expect(groups(page)).toContainText("inbox");

  await memories(page).getByRole("button", { name: /^Edit/ }).click();
  const words = page.getByRole("textbox", { name: "Memory text" });
  await words.fill("The plumber is Schulz.");
  await page.reload();
  await expect(words).toHaveValue("The plumber is Schulz.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("No matching memories")).toBeVisible();
  await search.fill("schulz");
  await expect(memories(page)).toContainText("The plumber is Schulz.");
  await expect(memories(page)).toContainText("edited");
  expect(listed(world)).toContain("Schulz");

  await page.getByRole("button", { name: "Undo" }).click();
  await search.fill("meyer");
  await expect(holding(page, "Meyer & Sons")).toHaveCount(1);

  await groups(page).getByRole("link", { name: "Who is our plumber?" }).click();
  await expect(page).toHaveURL(new RegExp(`#/tasks/${inbox}$`));
  await expect(page.getByText("from this task was edited").first()).toBeVisible();
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
  await expect(page.getByText("1 identical memory was forgotten too.")).toBeVisible();
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
  // Leaving the screen removes the undo button, as announced. The task's own timeline keeps the text.
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

/** Returns the number of the memory with exactly this text. */
function numberOf(world: World, text: string): string {
  const all = listed(world).trim().split("\n");
  const found = all.map((line) => JSON.parse(line)).find((memory) => memory.text === text);
  return String(found?.memory);
}

test("what is remembered, edited and forgotten elsewhere is seen at once, also while it is searched", async ({
  page,
  world,
}) => {
  await remember(world);
  await world.open(page, "#/memory");
  await expect(holding(page, "Meyer & Sons")).toHaveCount(2);
  const roof = world.task("Who mends the roof?", "roof");
  world.deputy("follow", roof);
  await expect(page.locator("[data-memory]").first()).toContainText("The plumber is Meyer & Sons.");
  await expect(groups(page).first()).toContainText("Who mends the roof?");

  const search = page.getByRole("searchbox", { name: "Search memories" });
  await search.fill("meyer");
  await expect(memories(page)).toHaveCount(3);
  const said = "The plumber is Meyer & Sons.";
  world.deputy("memory", "edit", numberOf(world, said), "The roofer is Novak.");
  await expect(memories(page)).toHaveCount(2);
  const asked = numberOf(world, "Who mends the garden tap?");
  world.deputy("memory", "edit", asked, "Meyer mends the garden tap.");
  await expect(holding(page, "Meyer mends the garden tap.")).toContainText("edited");
  world.deputy("memory", "forget", asked);
  await expect(holding(page, "Meyer mends the garden tap.")).toHaveCount(0);
  world.deputy("memory", "restore", asked);
  await expect(holding(page, "Meyer mends the garden tap.")).toHaveCount(1);
  world.deputy("follow", world.task("Who cleans the chimney?", "chimney"));
  await expect(groups(page).first()).toContainText("Who cleans the chimney?");
  await expect(memories(page)).toHaveCount(4);
  await expect(search).toBeFocused();
});

/** The contents of one of these tasks: more than fits in a window. */
const LOOKS = 9;
const SAID = 2 * LOOKS + 2;
const LONG_STORY = {
  by_conversation: true,
  turns: [
    ...Array.from({ length: LOOKS }, (_, at) => calls(`I look, ${at}.`, shell(`echo drawer ${at}`))),
    say("It is not there."),
  ],
};

/** Returns the position of a line on the screen. */
const topOf = (line: Locator) => line.evaluate((element) => element.getBoundingClientRect().top);

/** Runs another task with the same contents, and waits until the screen shows it. */
async function sayMore(page: Page, world: World, goal: string) {
  const before = await page.locator("[data-memory]").count();
  world.deputy("follow", world.task(goal, goal.split(" ").at(-1)));
  await expect(page.locator("[data-memory]")).toHaveCount(before + SAID);
}

test("what comes in moves neither what is read nor what is written, nor the focus", async ({
  page,
  world,
}) => {
  await world.start(LONG_STORY);
  world.deputy("follow", world.task("Find the stamps", "stamps"));
  await world.open(page, "#/memory");
  // Output of commands is shown on demand.
  await expect(memories(page)).toHaveCount(SAID - LOOKS);
  await page.getByRole("checkbox", { name: "Tool output" }).check();
  await expect(memories(page)).toHaveCount(SAID);

  // At the top of the list, new memories come into view.
  await sayMore(page, world, "Find the coins");
  await expect(memories(page).first()).toBeInViewport();
  await expect(groups(page).first()).toContainText("Find the coins");

  // Unless a memory is being edited.
  const line = page.locator(`[data-memory="${await memories(page).nth(2).getAttribute("data-memory")}"]`);
  await line.getByRole("button", { name: /^Edit/ }).click();
  const words = page.getByRole("textbox", { name: "Memory text" });
  await words.fill("Nobody looks there.");
  await words.press("Home");
  await words.press("Shift+End");
  const written = await topOf(line);
  await sayMore(page, world, "Find the maps");
  await expect(words).toBeFocused();
  await expect(words).toHaveValue("Nobody looks there.");
  const selected = () =>
    words.evaluate((field: HTMLTextAreaElement) => field.selectionEnd - field.selectionStart);
  expect(await selected()).toBe("Nobody looks there.".length);
  expect(Math.abs((await topOf(line)) - written)).toBeLessThan(2);
  await words.press("Escape");

  // Or the user has scrolled.
  const read = page.locator(`[data-memory="${await memories(page).nth(30).getAttribute("data-memory")}"]`);
  await read.scrollIntoViewIfNeeded();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  const top = await topOf(read);
  await sayMore(page, world, "Find the keys");
  expect(Math.abs((await topOf(read)) - top)).toBeLessThan(2);
  await expect(read).toBeInViewport();

  // Even in a browser without scroll anchoring.
  await page.evaluate(() => {
    CSS.supports = () => false;
    (document.querySelector(".page-body") as HTMLElement).style.overflowAnchor = "none";
  });
  await sayMore(page, world, "Find the seals");
  expect(Math.abs((await topOf(read)) - top)).toBeLessThan(2);
});

test("what is forgotten elsewhere leaves the focus and the words that are being typed", async ({
  page,
  world,
}) => {
  await remember(world);
  await world.open(page, "#/memory");
  const [goal, other] = ["Who mends the garden tap?", "Who is our plumber?"];
  const [forgotten, kept] = [numberOf(world, goal), numberOf(world, other)];
  const line = (number: string) => page.locator(`[data-memory="${number}"]`);
  await line(forgotten).focus();
  const all = await page
    .locator("[data-memory]")
    .evaluateAll((lines) => lines.map((each) => each.getAttribute("data-memory") ?? ""));
  const next = all[all.indexOf(forgotten) + 1] ?? "";
  world.deputy("memory", "forget", forgotten);
  await expect(line(forgotten)).toHaveCount(0);
  await expect(line(next)).toBeFocused();
  world.deputy("memory", "restore", forgotten);

  await line(forgotten).getByRole("button", { name: /^Edit/ }).click();
  const words = page.getByRole("textbox", { name: "Memory text" });
  await words.fill("Schulz mends the garden tap.");
  world.deputy("memory", "forget", forgotten);
  world.deputy("memory", "edit", kept, "Who was our plumber?");
  await expect(line(kept)).toContainText("Who was our plumber?");
  await expect(words).toBeFocused();
  await expect(words).toHaveValue("Schulz mends the garden tap.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`Memory ${forgotten} was forgotten`)).toBeVisible();
  world.deputy("memory", "restore", forgotten);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(line(forgotten)).toContainText("Schulz mends the garden tap.");
  await expect(groups(page).filter({ hasText: "Who mends the garden tap?" }).first()).toBeVisible();
});

test("a preference is put down by keyboard, takes the place of an older one, and is marked apart from what was said", async ({
  page,
  world,
}) => {
  await remember(world);
  world.deputy("memory", "add", "Reports are written in English.", "--about", "language");
  await world.open(page);
  await page.getByRole("link", { name: "Memory" }).click();
  await expect(holding(page, "Reports are written in English.")).toHaveCount(1);
  await page.keyboard.press("n");
  const words = page.getByRole("textbox", { name: "What to remember" });
  await expect(words).toBeFocused();
  await words.fill("Write German reports.");
  await page.reload();
  await expect(words).toHaveValue("Write German reports.");
  await page.getByRole("textbox", { name: "About (optional)" }).fill("Language");
  await page.keyboard.press("Control+Enter");
  await expect(words).toHaveCount(0);
  await expect(holding(page, "Write German reports.")).toContainText("You prefer: language");
  await expect(groups(page).first()).toContainText("Added by hand");
  await expect(holding(page, "Reports are written in English.")).toContainText("replaced by a newer one");
  await page.getByRole("checkbox", { name: "Only facts and preferences" }).check();
  await expect(memories(page)).toHaveCount(2);

  await holding(page, "Write German reports.")
    .getByRole("button", { name: /^Forget/ })
    .click();
  await expect(holding(page, "Reports are written in English.")).not.toContainText("replaced");
  // An added memory does not show up as a task.
  await page.goto(page.url().replace(/#.*/, "#/tasks"));
  await expect(page.getByText("Who is our plumber?").first()).toBeVisible();
  await expect(page.getByRole("link", { name: /notebook/ })).toHaveCount(0);
});

test("something is put down from a task's menu and from the palette, and what is found says why", async ({
  page,
  world,
}) => {
  const { inbox } = await remember(world);
  await world.open(page, `#/tasks/${inbox}`);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Remember…" }).click();
  const words = page.getByRole("textbox", { name: "What to remember" });
  await words.fill("The boiler is serviced by Ms. Okafor.");
  await page.getByRole("button", { name: "Remember", exact: true }).click();
  await expect(groups(page).first()).toContainText("Added by hand");

  await page.goto(page.url().replace(/#.*/, "#/inbox"));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("remember");
  await page.keyboard.press("Enter");
  await words.fill("The roof is of slate.");
  await page.keyboard.press("Control+Enter");
  await expect(holding(page, "The roof is of slate.")).toHaveCount(1);

  await page.getByRole("searchbox", { name: "Search memories" }).fill("boiler");
  await page.getByRole("checkbox", { name: /Best match/ }).check();
  await expect(holding(page, "Okafor")).toContainText("has all the words");
  await expect(holding(page, "Okafor")).toContainText("Added by hand");
  await expect(groups(page)).toHaveCount(0);
});

/** Memories showed the marks of Markdown, and half a table where they were folded. */
test("a model's words are set as Markdown, a person's stay as they were typed", async ({ page, world }) => {
  await world.start({ turns: [say("It is **Meyer**:\n\n| name | town |\n|---|---|\n| Meyer | Ulm |\n")] });
  world.deputy("run", "Who is our *plumber*?");
  await world.open(page, "#/memory");
  const answer = holding(page, "Meyer");
  await expect(answer.locator("strong", { hasText: "Meyer" })).toBeVisible();
  await expect(answer.getByRole("cell", { name: "Ulm" })).toBeVisible();
  await expect(answer).not.toContainText("**");
  // Nothing is folded away, so nothing offers to unfold it.
  await expect(answer.getByRole("button", { name: "Show all" })).toHaveCount(0);
  await expect(memories(page).filter({ hasText: "You said" })).toContainText("Who is our *plumber*?");
});
