/** A request that comes back changed: a person says what to change, on the page by keyboard and on the phone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { door, look, paired } from "./handheld";
import { calls, expect, say, shell, test, write } from "./world";

test("a person says what to change, and gets the changed request", { tag: "@screens" }, async ({
  browser,
  page,
  world,
}) => {
  const { settings } = door();
  await world.start(
    {
      turns: [
        calls("I write it down.", write("a-very-long-name.txt", "1")),
        calls("With a shorter name.", write("short.txt", "1")),
        calls("With what you said on the phone.", shell("printf 2 > short.txt")),
        say("Done."),
      ],
    },
    settings,
  );
  const phone = await paired(browser, page, world, false);
  const task = world.task("Write a note");
  await page.goto(page.url().replace(/#.*$/, `#/tasks/${task}`));
  const card = page.getByRole("article", { name: /a-very-long-name/ });
  await expect(card.getByRole("button", { name: "Change it…" })).toBeVisible();
  await page.locator("#page").focus();
  await expect(async () => {
    await page.keyboard.press("e");
    await expect(page.getByPlaceholder("What to change (Deputy will see this)")).toBeFocused({
      timeout: 300,
    });
  }).toPass();
  // Nothing is sent without words.
  await page.keyboard.press("Enter");
  await expect(card.getByRole("button", { name: "Ask for the change" })).toBeDisabled();
  await page.keyboard.type("a shorter name");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article", { name: /short\.txt/ })).toBeVisible();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByText("a shorter name").first()).toBeVisible();

  await phone.page.evaluate((hash) => {
    window.location.hash = hash;
  }, "#/");
  await phone.page.locator(".waits").tap();
  await expect(phone.page.getByRole("heading", { level: 1 })).toContainText("short.txt");
  const change = phone.page.getByRole("button", { name: "Change it…" });
  await expect(change).toBeEnabled();
  await change.tap();
  await phone.page.getByRole("textbox").fill("a 2 in it");
  const send = phone.page.getByRole("button", { name: "Ask for the change" });
  await look(phone.page, "phone-change", { answer: send });
  await send.tap();
  await expect(phone.page.getByText(/Change wanted on/)).toBeVisible();
  await expect(page.getByRole("article").filter({ hasText: "printf 2" })).toBeVisible();
  expect(existsSync(join(world.workspace, "short.txt"))).toBe(false);
});
