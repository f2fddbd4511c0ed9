/** A provider that names the time of the next request: page and phone say so, and each can continue the task now. */
import { door, paired } from "./handheld";
import { expect, say, test } from "./world";

/** An hour and a half. */
const LATER = { type: "status", code: 429, retry_after: 5_400 };

test("a task that waits for its provider says until when, and continues now on request", {
  tag: "@smoke",
}, async ({ page, browser, world }) => {
  const { settings } = door();
  await world.start({ turns: [LATER, say("From the page."), LATER, say("From the phone.")] }, settings);
  const waits = /^Waiting until .*\d:\d\d.* for openai_compatible$/;

  const first = world.task("Translate the handbook");
  await world.open(page, `#/tasks/${first}`);
  await expect(page.locator(".task-title .pill")).toHaveText(waits);
  await expect(page.getByText("more than an hour")).toBeVisible();
  await expect(page.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await page.getByRole("button", { name: "Continue now" }).click();
  await expect(page.getByText("From the page.")).toBeVisible();

  const phone = await paired(browser, page, world);
  world.task("Translate the index");
  await phone.page.getByRole("link", { name: /Translate the index/ }).tap();
  await expect(phone.page.getByText(waits)).toBeVisible();
  await phone.page.getByRole("button", { name: "Continue now" }).tap();
  await expect(phone.page.getByText("From the phone.")).toBeVisible();
});
