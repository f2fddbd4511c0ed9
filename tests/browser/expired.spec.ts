/** A request that nobody answered in time: its task waits, and asks again when a person is there. */
import { door, paired } from "./handheld";
import { calls, expect, say, test, write } from "./world";

/** Long enough to see the second request. */
const SECS = 8;

test("a task whose request expired asks again on request, on the page and on the phone", async ({
  page,
  browser,
  world,
}) => {
  const { settings } = door();
  const script = { turns: [calls("I write it.", write("a.txt", "text\n")), say("Done.")] };
  await world.start(script, `\n[limits]\nrequest_expiry_secs = ${SECS}\n${settings}`);
  const task = world.task("Write a file");
  await world.open(page, `#/tasks/${task}`);
  const pill = page.locator(".task-title .pill");
  await expect(pill).toHaveText("No answer in time", { timeout: 2_000 * SECS });
  await expect(page.getByText("Expired without an answer")).toBeVisible();
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect(pill).toHaveText("Needs approval");
  await expect(page.getByText("Expired without an answer")).toHaveCount(0);
  await expect(pill).toHaveText("No answer in time", { timeout: 2_000 * SECS });

  const phone = await paired(browser, page, world);
  await phone.page.getByRole("link", { name: /Write a file/ }).tap();
  await phone.page.getByRole("button", { name: "Ask again" }).tap();
  await expect(phone.page.getByText("Needs approval").first()).toBeVisible();
  world.deputy("approve", JSON.parse(world.deputy("--json", "status")).requests[0].id);
  await expect(phone.page.getByText("Done.", { exact: true }).first()).toBeVisible();
});
