/**
 * The palette runs available actions, finds every screen and conversation, and starts tasks. A single table defines
 * the keys.
 */
import { check } from "./screens";
import { calls, expect, say, shell, test } from "./world";

test("what can be done is done from the palette, and what cannot is not offered", {
  tag: "@screens",
}, async ({ page, world }) => {
  await world.start({
    turns: [calls("", shell("touch a.txt")), say("Not done.")],
    by_conversation: true,
  });
  const task = world.task("Make a file");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByRole("button", { name: /Run once/ })).toBeVisible();
  const option = (name: string) => page.getByRole("option", { name });
  await page.keyboard.press("Control+k");
  await expect(option("Pause")).toBeVisible();
  await expect(option("Run again")).toHaveCount(0);
  await expect(option("Approve")).toHaveCount(0);
  await page.keyboard.type("deny");
  await page.keyboard.press("Enter");
  // The action must put the focus into the field for the reason.
  await expect(page.getByLabel("Reason (Deputy will see this)")).toBeFocused();
  await page.keyboard.type("no files");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Not done.", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(option("Run again")).toBeVisible();
  await expect(option("Pause")).toHaveCount(0);
  await page.keyboard.type("dark");
  await check(page, "palette-words");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.keyboard.press("Control+k");
  await expect(option("Light theme")).toBeVisible();
});

test("words that fit nothing are a new task", async ({ page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/rules");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Say hello to Ada");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/new/);
  await expect(page.getByLabel("What do you want done?")).toHaveValue("Say hello to Ada");
});

test("help names every key that a screen hears", async ({ page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/rules");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const words of ["Command palette", "Show changes", "Move up in the queue", "Previous request", "Edit"])
    await expect(help.getByText(words, { exact: true })).toBeVisible();
});
