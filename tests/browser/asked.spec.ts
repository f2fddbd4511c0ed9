/** A running command asks for permission: its card in both languages and themes, and the effects of an answer. */

import type { Page } from "@playwright/test";
import { checkEverywhere } from "./screens";
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

test("a running command asks for one file, gets it, and the call shows its result", {
  tag: "@screens",
}, async ({ page, world }) => {
  await waiting(page, world);
  const card = page.getByRole("article", { name: /wants to read \.env/ });
  await expect(card.getByText("A running command needs access")).toBeVisible();
  await checkEverywhere(page, "asked", { answer: card.getByRole("button", { name: "Approve" }) });
  await card.getByRole("textbox", { name: "Type yes to approve it once" }).fill("yes");
  await card.getByRole("button", { name: "Approve" }).click();
  await expect(card).toBeHidden();
  await expect(page.getByText("found 12").first()).toBeVisible();
});

test("a no lets it continue without", async ({ page, world }) => {
  await waiting(page, world);
  await expect(page.getByRole("article", { name: /wants to read \.env/ })).toBeVisible();
  world.deny("not that one");
  // The row shows what was refused. A click opens the output.
  const row = page.getByRole("button", { name: /python3 check\.py.*not that one/ });
  await row.click();
  await expect(page.getByText("PermissionError").first()).toBeVisible();
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("a running command asks in German", { tag: "@screens" }, async ({ page, world }) => {
    await waiting(page, world);
    await expect(page.getByRole("article", { name: /möchte \.env lesen/ })).toBeVisible();
    expect(await page.locator('body [lang="en"]:not(option)').allTextContents()).toEqual([]);
    const answer = page.getByRole("button", { name: "Erlauben" });
    await checkEverywhere(page, "german-asked", { answer });
  });
});
