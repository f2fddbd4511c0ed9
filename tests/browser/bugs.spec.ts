/**
 * Regression tests for bugs that a review of the page found and that no other test covers. The others are
 * tested elsewhere: undo of organized files and hashes in titles (flows), Enter on a card out of view and
 * clicks while the host is gone (inbox), `~` and folders that count as files (flows), a missing model
 * (starting), the clock (src/ui/clock.test.tsx).
 */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { calls, expect, say, shell, test } from "./world";

const locale = (language: string) => ({ key: "deputy.preferences", value: JSON.stringify({ language }) });

test("a risk's reason stays inside its card at every size", async ({ page, world }) => {
  for (let count = 0; count < 6; count += 1) world.write(`night-${count}.log`, "x");
  await world.start({ turns: [calls("", shell("rm -rf ./*.log && rm -rf build")), say("Done.")] });
  world.task("Clean up");
  await page.addInitScript(({ key, value }) => localStorage.setItem(key, value), {
    key: "deputy.preferences",
    value: JSON.stringify({ size: 150 }),
  });
  await world.open(page, "#/inbox");
  const card = page.locator(".request");
  await expect(card.getByText("Medium risk")).toBeVisible();
  for (const width of [1440, 1000, 720, 390]) {
    await page.setViewportSize({ width, height: 700 });
    const out = await card.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      const inside = [...element.querySelectorAll("li, p, pre, button")].map((each) =>
        each.getBoundingClientRect(),
      );
      return inside.filter((box) => box.width > 0 && (box.left < left - 1 || box.right > right + 1)).length;
    });
    expect(out, `at ${width}`).toBe(0);
  }
});

test("a row that is opened stays where it is, and what runs is not also thought about", async ({
  page,
  world,
}) => {
  const many = Array.from({ length: 25 }, (_, at) => calls(`Look ${at}.`, shell(`echo ${at}`)));
  await world.start({ turns: [...many, calls("", shell("tail -f /dev/null")), say("Done.")] });
  const task = world.task("Look often");
  await world.open(page, `#/tasks/${task}`);
  await page.getByRole("button", { name: /Run once/ }).click();
  const row = page.getByRole("button", { name: /tail -f/ });
  await expect(row.locator(".pulse")).toBeVisible();
  await expect(page.getByText("Thinking")).toHaveCount(0);
  const other = page.getByRole("button", { name: /echo 23/ });
  await other.click();
  await expect(other).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("region", { name: "Output" }).first()).toBeVisible();
  await expect(other).toBeInViewport();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.locator(".task-head")).toContainText("Stopped by you");
});

test("the time of a task stands still after its end", async ({ page, world }) => {
  await world.start({ turns: [say("Done.")] });
  const task = world.task("Be quick");
  await page.clock.install();
  await world.open(page, `#/tasks/${task}`);
  const time = page
    .getByRole("complementary", { name: "Steps" })
    .locator(".fact")
    .filter({ hasText: "Time" });
  await expect(page.locator(".task-head")).toContainText("Done");
  await expect(time).toBeVisible();
  const before = await time.textContent();
  await page.clock.fastForward("10:00");
  await expect(page.locator(".task-row time")).not.toHaveText("now");
  expect(await time.textContent()).toBe(before);
});

test("the usage chart takes the theme's colours while it is open", async ({ page, world }) => {
  await world.start({ turns: [calls("", shell("ls")), say("Done.")] });
  world.deputy("run", "Look around");
  await page.emulateMedia({ colorScheme: "light" });
  await world.open(page, "#/usage");
  const colour = () =>
    page.locator(".day-chart canvas").evaluate((canvas: HTMLCanvasElement) => {
      const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const seen = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        if ((data[at + 3] ?? 0) < 255) continue;
        const name = `${data[at]},${data[at + 1]},${data[at + 2]}`;
        seen.set(name, (seen.get(name) ?? 0) + 1);
      }
      return [...seen].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
    });
  await expect.poll(colour).not.toBe("");
  const light = await colour();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(colour).not.toBe(light);
});

test("a job's dialog has no line of the list's", async ({ page, world }) => {
  // The organizer skips files that have just changed.
  for (const name of ["song.mp3", "table.csv"]) {
    world.write(name, name);
    utimesSync(join(world.workspace, name), 1_750_000_000, 1_750_000_000);
  }
  await world.start({ turns: [say("Hello.")] });
  world.deputy("run", "tidy up this folder by kind", "--backend", "offline", "--yes", "medium");
  await world.open(page, "#/files");
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  const title = page.getByRole("dialog", { name: "Undo this job" }).getByRole("heading");
  await expect(title).toBeVisible();
  expect(await title.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe("0px");
});

test("in German a failing model's card has no English words to answer with", async ({ page, world }) => {
  await page.addInitScript(({ key, value }) => localStorage.setItem(key, value), locale("de"));
  await world.start({ turns: [], by_conversation: true });
  const task = world.task("Schreibe einen Bericht");
  await world.open(page, `#/tasks/${task}`);
  const card = page.getByRole("article", { name: "Frage" });
  await expect(card.getByRole("button", { name: "Noch einmal versuchen" })).toBeVisible();
  await expect(card).not.toContainText(/go on|`stop`|try again/i);
});

test("what a resumed task did before it was resumed stands before it", async ({ page, world }) => {
  await world.start({ turns: [calls("", shell("ls")), calls("", shell("tail -f /dev/null")), say("Done.")] });
  const task = world.task("Look and wait");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByRole("button", { name: /Run once/ })).toBeVisible();
  await page.keyboard.press("p");
  await expect(page.getByText("Paused", { exact: true }).last()).toBeVisible();
  await page.keyboard.press("p");
  const story = page.getByRole("region", { name: "Timeline" });
  await expect(story.getByText("Resumed")).toBeVisible();
  const lines = await story.locator("li[data-index]").allTextContents();
  const at = (words: string) => lines.findIndex((line) => line.includes(words));
  expect(at("ls")).toBeLessThan(at("Resumed"));
  expect(at("Resumed")).toBeLessThan(at("tail -f"));
});

test("at 200 % of a small window the side column stays away until it is asked for", async ({
  page,
  world,
}) => {
  await world.start({ turns: [say("Done.")] });
  const task = world.task("Be quick");
  await page.setViewportSize({ width: 720, height: 450 });
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("Done.", { exact: true })).toBeVisible();
  const column = page.getByRole("complementary", { name: "Steps" });
  await expect(column).toBeHidden();
  await page.keyboard.press("a");
  await expect(column).toBeVisible();
});
