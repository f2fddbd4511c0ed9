/**
 * A request or a question is answered on another screen while it is being answered here: nothing typed is lost, and no
 * key that was meant for it answers the next one.
 */
import type { Page } from "@playwright/test";
import { door, paired } from "./handheld";
import { ask, calls, expect, say, shell, test, type World } from "./world";

/** Longer than a card that has just appeared ignores keys. */
const SETTLED_MS = 700;

const SCRIPT = {
  turns: [
    calls("The first.", shell("printf one > one.txt")),
    calls("The second.", shell("printf two > two.txt")),
    say("Done."),
    say("Done."),
  ],
};

/** Returns the ids of what waits for an answer. */
function waiting(world: World, what: "requests" | "questions" = "requests"): string[] {
  return (JSON.parse(world.deputy("--json", "status"))[what] ?? []).map(({ id }: { id: string }) => id);
}

/** Approves the first request on another screen, and waits for the second one. */
async function approveElsewhere(world: World): Promise<string> {
  const [first = ""] = waiting(world);
  world.deputy("approve", first);
  await expect.poll(() => waiting(world).filter((id) => id !== first)).toHaveLength(1);
  return waiting(world)[0] ?? "";
}

/** Presses Enter twice, each time after a new card would accept keys. */
async function pressOn(page: Page) {
  for (const _ of [1, 2]) {
    await page.waitForTimeout(SETTLED_MS);
    await page.keyboard.press("Enter");
  }
}

const card = (page: Page, command: string) =>
  page.locator("article.request").filter({ hasText: command }).first();

for (const place of ["task", "inbox"] as const) {
  test(`in the ${place}, a reason that is being typed stays and answers nothing else`, async ({
    page,
    world,
  }) => {
    await world.start(SCRIPT);
    const task = world.task("Write two files");
    await world.open(page, place === "task" ? `#/tasks/${task}` : "#/inbox");
    await expect(card(page, "one.txt")).toBeVisible();
    await page.waitForTimeout(SETTLED_MS);
    await page.keyboard.press("d");
    await page.keyboard.type("Rather in");
    const second = await approveElsewhere(world);
    await expect(card(page, "two.txt")).toBeVisible();
    await page.keyboard.type(" a folder");
    const kept = card(page, "one.txt");
    await expect(kept.getByText("your reason was not sent")).toBeVisible();
    await expect(kept.getByRole("textbox", { name: "Your text" })).toHaveValue("Rather in a folder");
    await pressOn(page);
    expect(waiting(world)).toEqual([second]);
    await kept.getByRole("button", { name: "Send as an instruction" }).click();
    await expect.poll(() => world.deputy("show", task)).toContain("Rather in a folder");
    await expect(kept.getByRole("textbox")).toHaveCount(0);
    // What the plan before the instruction still asked is withdrawn.
    await expect.poll(() => waiting(world)).toEqual([]);
  });
}

test("keys answer the next request only once it is focused", { tag: "@smoke" }, async ({ page, world }) => {
  await world.start(SCRIPT);
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  await expect(card(page, "one.txt")).toBeVisible();
  const second = await approveElsewhere(world);
  await expect(card(page, "two.txt").getByText("Click this request")).toBeVisible();
  await pressOn(page);
  await page.keyboard.press("d");
  await expect(page.getByPlaceholder(/^Reason/)).toHaveCount(0);
  expect(waiting(world)).toEqual([second]);
  await card(page, "two.txt").getByRole("heading").click();
  await page.waitForTimeout(SETTLED_MS);
  await page.keyboard.press("Enter");
  await expect.poll(() => waiting(world)).toEqual([]);
});

test("one click on the button of the next request answers it", async ({ page, world }) => {
  await world.start(SCRIPT);
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  await expect(card(page, "one.txt")).toBeVisible();
  await approveElsewhere(world);
  const next = card(page, "two.txt");
  await expect(next.getByText("Click this request")).toBeVisible();
  await next.getByRole("button", { name: "Run once" }).hover();
  await page.mouse.down();
  await expect(next.getByText("Click this request")).toBeHidden();
  await page.mouse.up();
  await expect.poll(() => waiting(world)).toEqual([]);
});

test("a request that follows an answer given here takes keys at once", async ({ page, world }) => {
  await world.start(SCRIPT);
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  for (const command of ["one.txt", "two.txt"]) {
    await expect(card(page, command)).toBeVisible();
    await page.waitForTimeout(SETTLED_MS);
    await page.keyboard.press("Enter");
  }
  await expect(page.getByText("Done.").first()).toBeVisible();
});

test("an answer that is being typed stays when the question is answered elsewhere", async ({
  page,
  browser,
  world,
}) => {
  const { settings } = door();
  await world.start(
    { turns: [ask("Which color?"), ask("Which size?"), ask("Which shop?"), say("Done.")] },
    settings,
  );
  const task = world.task("Paint it");
  await world.open(page, "#/inbox");
  await page.getByPlaceholder("Your answer").fill("Blue, but light");
  const [first = ""] = waiting(world, "questions");
  world.deputy("answer", first, "Green");
  await expect(page.getByText("your answer was not sent")).toBeVisible();
  await expect(page.getByText("Green", { exact: true })).toBeVisible();
  await expect(page.getByText("Answered by you (command line)")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Your text" })).toHaveValue("Blue, but light");
  await page.getByRole("button", { name: "Send as an instruction" }).click();
  await expect.poll(() => world.deputy("show", task)).toContain("Blue, but light");

  const phone = await paired(browser, page, world);
  await phone.page.getByRole("link", { name: /Which size/ }).tap();
  await phone.page.getByPlaceholder("Your answer").fill("Large");
  world.deputy("answer", waiting(world, "questions")[0] ?? "", "Small");
  await expect(phone.page.getByText("your answer was not sent")).toBeVisible();
  await expect(phone.page.getByRole("textbox", { name: "Your text" })).toHaveValue("Large");
  await expect(phone.page.getByText("Small", { exact: true })).toBeVisible();
  await expect(phone.page.getByText("the task ended")).toHaveCount(0);

  // What is answered on the phone names the phone, on both.
  await expect.poll(() => waiting(world, "questions")).toHaveLength(1);
  await phone.page.goto(`${phone.address}#/inbox/${waiting(world, "questions")[0]}`);
  await phone.page.getByPlaceholder("Your answer").fill("The one on the corner");
  await phone.page.getByRole("button", { name: "Answer" }).tap();
  await expect(phone.page.getByText(/^Answered on /)).toBeVisible();
  await world.open(page, `#/tasks/${task}`);
  const answers = page.getByText(/^Answered /);
  await expect(answers).toHaveCount(3);
  await expect(answers.last()).toHaveText(/^Answered on /);
});
