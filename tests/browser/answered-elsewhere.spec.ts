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

/** Contains every letter, and every other key that is a shortcut. */
const EVERY_KEY =
  "The quick brown fox jumps over a lazy dog? Pack 1, 2, 3, 4 or 5 + 0 - 6 boxes / with five dozen liquor jugs";

test("what is typed while requests arrive is only text", async ({ page, world }) => {
  await page.clock.install();
  const asks = (file: string) => [
    ask("Ready?"),
    calls("One file.", shell(`printf 1 > ${file}`)),
    say("Done."),
  ];
  await world.start({
    by_conversation: true,
    turns: asks("here.txt"),
    turns_of: { elsewhere: asks("elsewhere.txt") },
  });
  const task = world.task("Write a file", "here");
  world.task("Write a file elsewhere", "elsewhere");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("Ready?")).toBeVisible();
  await expect.poll(() => waiting(world, "questions")).toHaveLength(2);
  await page.keyboard.press("s");
  const field = page.getByRole("textbox", { name: "Add an instruction" });
  await expect(field).toBeFocused();
  const third = EVERY_KEY.length / 3;
  await page.keyboard.type(EVERY_KEY.slice(0, third));
  const answered = waiting(world, "questions").map((question) => world.later("answer", question, "Yes"));
  await page.keyboard.type(EVERY_KEY.slice(third, 2 * third));
  await Promise.all(answered);
  await expect(card(page, "here.txt")).toBeVisible();
  await expect.poll(() => waiting(world)).toHaveLength(2);
  await page.clock.runFor(SETTLED_MS);
  await page.keyboard.type(EVERY_KEY.slice(2 * third));
  await page.clock.runFor(SETTLED_MS);
  await expect(field).toHaveValue(EVERY_KEY);
  await expect(field).toBeFocused();
  expect(waiting(world)).toHaveLength(2);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`#/tasks/${task}$`));
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  expect(world.deputy("show", task, "--json")).not.toMatch(/stop_requested|by_user|permission_answered/);
});

test("a field that was about to be typed in stays when a request arrives", async ({ page, world }) => {
  await page.clock.install();
  const waits = shell("until [ -e go.txt ]; do :; done");
  await world.start({
    turns: [calls("Wait.", waits), calls("One file.", shell("printf 1 > one.txt")), say("Done.")],
  });
  const task = world.task("Write a file");
  await world.open(page, `#/tasks/${task}`);
  await expect.poll(() => waiting(world)).toHaveLength(1);
  world.deputy("approve", waiting(world)[0] ?? "");
  const field = page.getByRole("textbox", { name: "Add an instruction" });
  await field.click();
  world.write("go.txt", "");
  await expect(card(page, "one.txt")).toBeVisible();
  await page.clock.runFor(SETTLED_MS);
  await page.keyboard.type("x out");
  await expect(field).toHaveValue("x out");
  await expect(page).toHaveURL(new RegExp(`#/tasks/${task}$`));
  expect(world.deputy("show", task, "--json")).not.toContain('"stopped"');
});

/** Checks that a task was answered once, with a denial, and did not do what it asked for. */
async function expectDenied(world: World, task: string) {
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"stopped"');
  expect(world.deputy("show", task, "--json").match(/"permission_answered".*?"choice":"\w+"/g)).toEqual([
    expect.stringContaining('"choice":"deny"'),
  ]);
  expect(() => world.read("one.txt")).toThrow();
}

/** Types the word for a high risk, and does not send it yet. */
async function typeWord(page: Page) {
  await expect(page.getByRole("button", { name: "Run once" })).toBeEnabled();
  await page.getByRole("textbox", { name: /Type yes/ }).focus();
  await page.keyboard.type("yes");
}

/** Waits until the page shows the answer from elsewhere. */
async function hearAnswer(page: Page) {
  await expect(page.getByRole("textbox", { name: /Type yes/ })).toBeHidden();
}

// Writing a file of credentials is a high risk.
const RISKY = { turns: [calls("", shell("printf 1 > one.txt && printf 1 > .envrc")), say("Done.")] };

for (const hears of ["hears", "has not heard"]) {
  test(`a denial from elsewhere wins over a word on a page that ${hears} of it`, async ({ page, world }) => {
    let isDeaf = false;
    let answers = 0;
    const unheard: (() => void)[] = [];
    await page.routeWebSocket(/\/ws$/, (line) => {
      const host = line.connectToServer();
      line.onMessage((text) => {
        if (String(text).includes("answer_permission")) answers += 1;
        host.send(text);
      });
      host.onMessage((text) => (isDeaf ? unheard.push(() => line.send(text)) : line.send(text)));
    });
    await world.start(RISKY);
    const task = world.task("Write a file");
    await world.open(page, `#/tasks/${task}`);
    await typeWord(page);
    isDeaf = hears !== "hears";
    world.deny("Not this one");
    if (!isDeaf) await hearAnswer(page);
    await page.keyboard.press("Enter");
    await expect.poll(() => answers).toBe(isDeaf ? 1 : 0);
    isDeaf = false;
    for (const hear of unheard) hear();
    await expect(page.getByText("Denied: Not this one")).toBeVisible();
    await expect(page.getByText("Done.", { exact: true })).toBeVisible();
    await expectDenied(world, task);
  });
}

test("a denial from elsewhere wins over a word on the phone", async ({ browser, page, world }) => {
  await world.start(RISKY, door().settings);
  const phone = await paired(browser, page, world);
  const task = world.task("Write a file");
  await phone.page.locator(".waits").tap();
  await typeWord(phone.page);
  world.deny("Not this one");
  await hearAnswer(phone.page);
  await phone.page.keyboard.press("Enter");
  await expect(phone.page.getByText("Denied by you (command line): Not this one")).toBeVisible();
  await expectDenied(world, task);
  await phone.context.close();
});

test("a denial names its screen and its reason on the other one", async ({ browser, page, world }) => {
  await world.start(SCRIPT, door().settings);
  const phone = await paired(browser, page, world);
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  await phone.page.locator(".waits").tap();
  await card(page, "one.txt").getByRole("button", { name: "Deny with a reason" }).click();
  await page.keyboard.type("One is enough");
  await page.keyboard.press("Enter");
  await expect(phone.page.getByText("Denied by you (desktop): One is enough")).toBeVisible();
  await expect(card(page, "two.txt")).toBeVisible();
  await world.open(page, "#/inbox");
  await expect(card(page, "two.txt")).toBeVisible();
  await phone.page.getByRole("link", { name: /Next: 1 more/ }).tap();
  await phone.page.getByRole("button", { name: "Deny with a reason" }).tap();
  await phone.page.getByPlaceholder(/^Reason/).fill("None, then");
  await phone.page.getByRole("button", { name: "Deny", exact: true }).tap();
  await expect(page.getByText("Denied on Phone: None, then")).toBeVisible();
  await phone.context.close();
});
