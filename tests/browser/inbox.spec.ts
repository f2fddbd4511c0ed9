/** The inbox: answers with two keys, answers from elsewhere, remembered answers. */
import type { Locator, Page } from "@playwright/test";
import { check, checkEverywhere, THEMES } from "./screens";
import { calls, expect, read, say, shell, test, type World, write } from "./world";

const WRITES = {
  by_conversation: true,
  turns: [
    calls("One file.", write("one.txt", "1\n")),
    calls("Another one.", write("two.txt", "2\n")),
    say("Both are there."),
  ],
};

/** The request for the first file. */
const first = (page: Page): Locator => page.getByRole("article", { name: /one\.txt/ });

/** Starts a task whose first file waits for approval in the inbox. */
async function waiting(page: Page, world: World, script: object = WRITES): Promise<Locator> {
  await world.start(script);
  world.task("Write two files");
  await world.open(page, "#/inbox");
  await expect(first(page)).toBeVisible();
  return first(page);
}

test("two strokes answer what waits", async ({ page, world }) => {
  await world.start(WRITES);
  world.task("Write two files");
  await world.open(page, "#/settings");
  await expect(page.getByRole("link", { name: "Inbox 1" })).toBeVisible();
  await page.keyboard.press("i");
  const card = first(page);
  await expect(card.getByText("One file.")).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect(card).toBeHidden({ timeout: 300 });
  }).toPass();
  await expect(page.getByText("Allowed by you (desktop)")).toBeVisible();
  await expect(page.getByRole("article", { name: /two\.txt/ })).toBeVisible();
  expect(world.read("one.txt")).toBe("1\n");
});

test("what was answered at a terminal is shown as such, and cannot be answered twice", async ({
  page,
  world,
}) => {
  const card = await waiting(page, world);
  world.deny("not that one");
  await expect(card).toBeHidden();
  await expect(page.getByText("Denied by you (command line): not that one")).toBeVisible();
});

test("two windows show one inbox", async ({ page, world }) => {
  const card = await waiting(page, world);
  const other = await page.context().newPage();
  await other.goto(`${world.address}/#/inbox`);
  await expect(first(other)).toBeVisible();
  await card.getByRole("button", { name: /Approve/ }).click();
  await expect(first(other)).toBeHidden();
  await expect(other.getByText("Allowed by you (desktop)")).toBeVisible();
});

test("an answer for longer shows what it would have let through, and stands under Rules until it is revoked", async ({
  page,
  world,
}) => {
  const card = await waiting(page, world);
  await card.getByRole("radio", { name: "Always" }).click();
  await expect(card.getByText(/You allow: Write/)).toBeVisible();
  await expect(card.getByText(/this would have allowed nothing else/)).toBeVisible();
  await card.getByRole("button", { name: "Always allow" }).click();
  await expect(card).toBeHidden();
  await page.keyboard.press("r");
  const grant = page.getByRole("listitem").filter({ hasText: "one.txt" });
  await expect(grant.getByText("until revoked")).toBeVisible();
  await grant.getByRole("button", { name: /Revoke/ }).click();
  await expect(page.getByText("No saved permissions")).toBeVisible();
});

test("one button lets a task work in its folder, and it is taken back under the rules", async ({
  page,
  world,
}) => {
  await world.start({
    turns: [
      calls("A file.", shell("touch a.txt")),
      calls("Others.", shell("for name in b c; do echo $name | tee $name.txt; done")),
      calls("An edit.", write("d.txt", "d\n")),
      calls("A secret.", shell("rm .env")),
      say("All are there."),
    ],
  });
  world.write(".env", "KEY=x");
  world.task("Make files");
  await world.open(page, "#/inbox");
  const card = page.getByRole("article").filter({ hasText: "touch a.txt" });
  await expect(card.getByText(/edit, run, build, test and commit, without a network/)).toBeVisible();
  await card.getByRole("button", { name: "Work in this folder" }).click();
  const secret = page.getByRole("article").filter({ hasText: "rm .env" });
  await expect(secret.getByText("High risk")).toBeVisible();
  await expect(secret.getByRole("button", { name: "Work in this folder" })).toHaveCount(0);
  expect(world.read("a.txt") + world.read("b.txt") + world.read("c.txt") + world.read("d.txt")).toBe(
    "b\nc\nd\n",
  );
  await page.keyboard.press("r");
  const grant = page.getByRole("listitem").filter({ hasText: "work in" });
  await expect(grant.getByText("until its task ends")).toBeVisible();
  await grant.getByRole("button", { name: /Revoke/ }).click();
  await expect(page.getByText("No saved permissions")).toBeVisible();
});

test("one key shows a task the names of settings; their values need the word", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  const turns = [calls("Which are set?", read(".env")), calls("And to what?", read(".env")), say("I see.")];
  await world.start({ turns });
  world.write(".env", "MAIL_HOST=mail.example.org\n");
  const task = world.task("Check the mail settings");
  await world.open(page, "#/inbox");
  const card = page.getByRole("article", { name: "Read .env" });
  await expect(card.getByText("Which are set?")).toBeVisible();
  const names = card.getByRole("button").first();
  await expect(names).toHaveText(/^Names only/);
  await expect(names).toHaveClass(/primary/);
  await expect(names).toHaveAccessibleDescription(/which settings this file has, and none of their values/);
  await checkEverywhere(page, "names-only", { answer: names });
  await expect(async () => {
    await page.keyboard.press("g");
    await expect(card.getByText("Which are set?")).toBeHidden({ timeout: 300 });
  }).toPass();
  await expect(page.getByText("Allowed by you (desktop), names only")).toBeVisible();
  await expect(card.getByText("And to what?")).toBeVisible();
  const story = world.deputy("show", task, "--json");
  expect(story).toContain('"lifetime":{"for":"names"}');
  expect(story).toContain("MAIL_HOST=<hidden>");
  expect(story).not.toContain("mail.example.org");

  const approve = card.getByRole("button", { name: "Approve" });
  await approve.click();
  await expect(card.getByRole("alert")).toHaveText(/^Not approved yet/);
  await card.getByRole("textbox", { name: /Type yes/ }).fill("yes");
  await approve.click();
  await expect.poll(() => world.deputy("show", task, "--json")).toContain("MAIL_HOST=mail.example.org");
});

test("a task that wants to ask what another asks already says that it waits its turn", async ({
  page,
  world,
}) => {
  // A single call each: after the answer, neither asks again.
  const card = await waiting(page, world, {
    by_conversation: true,
    turns: [WRITES.turns[0], say("As you wish.")],
  });
  const second = world.task("Write two files");
  await page.goto(`${world.address}/#/tasks/${second}`);
  const line = page.getByText("Waiting for space in the inbox");
  await expect(line).toBeVisible();
  await page.goto(`${world.address}/#/inbox`);
  await expect(card).toHaveCount(1);
  world.deny("no");
  await page.goto(`${world.address}/#/tasks/${second}`);
  await expect(line).toHaveCount(0);
});

test("Enter answers no card that is out of view", async ({ page, world }) => {
  // Regression: Enter approved the selected card, even out of view.
  await page.setViewportSize({ width: 1000, height: 500 });
  const turns = [calls("One file.", write("one.txt", "1\n")), say("It is there.")];
  await world.start({ by_conversation: true, turns });
  for (const folder of ["a", "b", "c", "d"]) world.task("Write a file", folder);
  await world.open(page, "#/inbox");
  const cards = page.getByRole("article", { name: /one\.txt/ });
  await expect(cards).toHaveCount(4);
  await page.locator("#page").focus();
  await cards.last().scrollIntoViewIfNeeded();
  await expect(cards.first()).not.toBeInViewport();
  const approve = cards.first().getByRole("button", { name: /Approve/ });
  // A new card ignores keys at first. Then the first key scrolls to it.
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect(approve).toBeInViewport({ ratio: 1, timeout: 200 });
  }).toPass();
  await expect(cards).toHaveCount(4);
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect(cards).toHaveCount(3, { timeout: 300 });
  }).toPass();
  await expect(async () => expect(world.read("a/one.txt")).toBe("1\n")).toPass();
});

test("what is pressed while the host is gone is not sent once it is back", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  const card = await waiting(page, world);
  await world.end();
  await expect(page.getByText(/Deputy isn't responding\. If/)).toBeVisible();
  await card.getByRole("button", { name: /Approve/ }).click();
  await expect(card.getByText("Deputy isn't responding, so this wasn't sent.")).toBeVisible();
  // A narrower window would load more code from the host, which is gone.
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(page, "not-sent");
  }
  await world.serve(new URL(world.address).host);
  await expect(page.getByText(/Deputy isn't responding\. If/)).toBeHidden();
  await expect(card.getByText("this wasn't sent")).toHaveCount(0);
  expect(JSON.parse(world.deputy("--json", "status")).requests).toHaveLength(1);
  await expect(card.getByRole("button", { name: /Approve/ })).toBeEnabled();
  await card.getByRole("button", { name: /Approve/ }).click();
  await expect(card).toBeHidden();
});
