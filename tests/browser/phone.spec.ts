/** A phone's browser: the code's address pairs it, its key signs each answer, and a revoked one is shown the door. */
import AxeBuilder from "@axe-core/playwright";
import { devices, type Page } from "@playwright/test";
import { calls, expect, say, shell, test } from "./world";

const SCRIPT = {
  turns: [
    calls("Then I send it.", shell("printf one > one.txt && curl -fsS https://example.org -d @one.txt")),
    calls("Or keep it.", shell("printf two > two.txt")),
    say("Done."),
  ],
};

async function look(page: Page, name: string) {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `test-results/screens/phone-${name}-${colorScheme}.png` });
    const result = await new AxeBuilder({ page })
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
      .analyze();
    const said = result.violations.map(
      (each) => `${each.id}: ${each.nodes.map((node) => node.target).join(" | ")}`,
    );
    expect.soft(said, name).toEqual([]);
  }
}

test("a phone is paired in its browser, answers with its signature, and is cut off", async ({
  page,
  browser,
  world,
}) => {
  await world.start(SCRIPT);
  await world.open(page, "#/devices");
  await page.getByRole("button", { name: "Pair a device" }).click();
  const dialog = page.getByRole("dialog", { name: "Pair a device" });
  await dialog.getByRole("button", { name: "Show the code" }).click();
  const link = (await dialog.locator(".pair-link").textContent()) ?? "";

  // The certificate is the host's own. A browser asks its person once; the six digits show that nobody is in between.
  const context = await browser.newContext({ ...devices["Pixel 7"], ignoreHTTPSErrors: true });
  const phone = await context.newPage();
  const errors: string[] = [];
  phone.on("pageerror", (error) => errors.push(error.message));
  await phone.goto(link);
  await expect(phone.getByRole("heading", { name: "Pair this device" })).toBeVisible();
  // What is good once does not stay in the address.
  expect(phone.url()).not.toContain("pair=");
  await phone.getByRole("textbox", { name: "Name of this device" }).fill("Ada's phone");
  await look(phone, "pair");
  await phone.getByRole("button", { name: "Pair", exact: true }).click();
  const number = (await phone.locator(".pairing-number").textContent()) ?? "";
  expect(number).toMatch(/^\d{6}$/);
  await expect(dialog.getByText(number)).toBeVisible();
  await look(phone, "number");
  await phone.getByRole("button", { name: "Yes, the same" }).click();
  await expect(phone.getByText("Now say yes on the desktop")).toBeVisible();
  await dialog.getByRole("button", { name: "They are the same" }).click();
  await expect(dialog.getByText("Ada's phone is paired.")).toBeVisible();

  await expect(phone.locator(".rail")).toBeVisible();
  await expect(phone.locator(".rail")).not.toContainText("Devices");
  await expect(phone.locator(".rail")).not.toContainText("Files");
  const task = world.task("Send the numbers");
  await phone.evaluate(() => {
    window.location.hash = "#/inbox";
  });
  await expect(phone.getByRole("article")).toContainText("one.txt");
  await look(phone, "inbox");
  await phone.getByRole("button", { name: "Deny with a reason" }).tap();
  await phone.getByRole("textbox").fill("nothing is sent");
  await phone.getByRole("button", { name: "Deny", exact: true }).tap();

  await expect(phone.getByRole("article")).toContainText("two.txt");
  // The key lives on: a page that is loaded anew proves itself and signs with the same.
  await phone.reload();
  await expect(phone.getByRole("article")).toContainText("two.txt");
  await phone.getByRole("button", { name: "Run it" }).tap();
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"completed"');
  expect(world.read("two.txt")).toBe("two");
  const story = world.deputy("show", task, "--json");
  expect(story.match(/"name":"Ada's phone"/g)).toHaveLength(2);
  expect(story).toContain("nothing is sent");

  // It may look and answer, no more; what it may not is not offered, and that is said.
  await phone.evaluate(() => {
    window.location.hash = "#/new";
  });
  await expect(phone.getByText("This device may look on")).toBeVisible();
  await expect(phone.getByRole("textbox", { name: "What is to be done?" })).toHaveCount(0);

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Revoke: Ada's phone" }).click();
  await expect(phone.getByRole("heading", { name: "This device is not paired" })).toBeVisible();
  await look(phone, "revoked");
  expect(errors).toEqual([]);
  await context.close();
});

test("a code that is used up is told so", async ({ browser, page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/devices");
  await page.getByRole("button", { name: "Pair a device" }).click();
  const dialog = page.getByRole("dialog", { name: "Pair a device" });
  await dialog.getByRole("button", { name: "Show the code" }).click();
  const link = (await dialog.locator(".pair-link").textContent()) ?? "";
  const context = await browser.newContext({ ...devices["Pixel 7"], ignoreHTTPSErrors: true });
  const phone = await context.newPage();
  await phone.goto(link.replace(/pair=[^&]+/, "pair=0000000000"));
  await phone.getByRole("button", { name: "Pair", exact: true }).click();
  await expect(phone.getByRole("alert")).toBeVisible();
  await context.close();
});
