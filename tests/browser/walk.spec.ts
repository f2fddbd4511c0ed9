/**
 * Everyday jobs, with the number of clicks and keys that each takes; typed text does not count. `docs/ui.md` has the
 * table.
 */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { calls, expect, say, shell, test, write } from "./world";

/** Counts clicks and keys. */
class Hand {
  private strokes = 0;
  constructor(private readonly page: Page) {}

  async press(key: string) {
    this.strokes += 1;
    await this.page.keyboard.press(key);
  }

  async click(name: string | RegExp, within: Page | Locator = this.page) {
    this.strokes += 1;
    await within.getByRole("button", { name, exact: typeof name === "string" }).click();
  }

  /** Checks the number of clicks and keys since the last job. */
  took(most: number, job: string) {
    expect(this.strokes, job).toBe(most);
    this.strokes = 0;
  }
}

test("tasks are started, answered, followed up and undone in a few strokes", async ({ page, world }) => {
  await world.start({
    turns: [
      calls("", write("a.txt", "one\n")),
      say("First answer."),
      say("Second answer."),
      calls("", shell("touch b.txt")),
      say("Not done."),
      say("Elsewhere."),
    ],
  });
  const hand = new Hand(page);
  await world.open(page, "#/rules");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await hand.press("n");
  await expect(page.getByLabel("What do you want done?")).toBeFocused();
  await page.keyboard.type("Write a file");
  await page.getByRole("combobox", { name: "Folder", exact: true }).fill(world.workspace);
  await page.getByLabel("What do you want done?").focus();
  await hand.press("Enter");
  await expect(page.getByRole("button", { name: /^Approve/ })).toBeVisible();
  hand.took(2, "start a task in another folder");

  await page.getByRole("heading", { level: 1 }).click();
  await hand.press("i");
  await expect(page.getByRole("button", { name: /^Approve/ })).toBeVisible();
  await expect(async () => {
    // A new card ignores keys.
    await page.keyboard.press("Enter");
    await expect(page.getByText("Nothing needs your attention")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  hand.took(1, "go to what waits (Enter then approves it)");

  await hand.press("Control+k");
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
  await page.keyboard.type("write a");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: /^Write a file/ }).hover();
  await hand.press("Enter");
  await expect(page.getByText("First answer.", { exact: true })).toBeVisible();
  hand.took(2, "find a task");

  await hand.press("c");
  await expect(page.getByRole("dialog", { name: "Changes" })).toContainText("a.txt");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Changes" })).toBeHidden();
  hand.took(1, "see what it changed");

  await hand.press("s");
  // Users see the field before they type.
  await expect(page.getByRole("main").getByRole("textbox").last()).toBeFocused();
  await page.keyboard.type("And what is in it?");
  await hand.press("Enter");
  await expect(page.getByText("Second answer.", { exact: true })).toBeVisible();
  hand.took(2, "ask for a follow-up");

  await hand.click("Undo these changes");
  await expect(page.getByText("1 change undone", { exact: true })).toBeVisible();
  expect(existsSync(join(world.workspace, "a.txt"))).toBe(false);
  hand.took(1, "undo what a task changed");
  await hand.click("Redo these changes");
  await expect(page.getByText("1 change redone", { exact: true })).toBeVisible();
  expect(existsSync(join(world.workspace, "a.txt"))).toBe(true);
  hand.took(1, "redo it");

  await hand.press("Control+k");
  await page.keyboard.type("Touch a file");
  await hand.press("Enter");
  await expect(page.getByLabel("What do you want done?")).toHaveValue("Touch a file");
  await hand.press("Enter");
  await expect(page.getByRole("button", { name: /Run once/ })).toBeVisible();
  hand.took(3, "start a task from anywhere");

  await hand.press("Control+k");
  await page.keyboard.type("deny");
  await hand.press("Enter");
  await expect(page.getByRole("main").getByRole("textbox").last()).toBeFocused();
  await page.keyboard.type("no files");
  await hand.press("Enter");
  await expect(page.getByText("Not done.", { exact: true })).toBeVisible();
  hand.took(3, "deny with a reason");
  await page.keyboard.press("Escape");

  await hand.press("Control+k");
  await page.keyboard.type("run again");
  await hand.press("Enter");
  await expect(page.getByText("Elsewhere.", { exact: true })).toBeVisible();
  hand.took(2, "run a task again");
});

test("a task is held and ended, and a missing model is one click away", async ({ page, world }) => {
  await world.start({ turns: [calls("", shell("tail -f /dev/null")), say("Roses are red.")] });
  const hand = new Hand(page);
  const task = world.task("Wait");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByRole("button", { name: /Run once/ })).toBeVisible();
  await hand.press("p");
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await hand.press("p");
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  hand.took(2, "pause a task and resume it");
  await hand.press("x");
  await expect(page.locator(".task-head")).toContainText("Stopped by you");
  hand.took(1, "stop a task");

  const said = world.deputy(...["--json", "run", "Write a poem", "--backend", "offline", "--detach"]);
  const poem = /"(?:id|task)":"(t\w+)"/.exec(said)?.[1] ?? "";
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/tasks/${poem}`);
  await hand.click("Use scripted for this task");
  await expect(page.getByText("Roses are red.", { exact: true })).toBeVisible();
  hand.took(1, "give a task that needs a model the connected one");
});

test("a model is connected from Settings", async ({ page, world }) => {
  await world.start({ turns: [] });
  const [, address = ""] = /base_url = "([^"]+)"/.exec(world.settings()) ?? [];
  await world.end();
  await world.startFresh();
  const hand = new Hand(page);
  await world.open(page, "#/settings");
  const backend = page.getByRole("listitem", { name: "OpenAI-compatible" });
  await hand.click("Set up", backend);
  await backend.getByLabel("Address").fill(address);
  await backend.getByLabel("Model", { exact: true }).fill("scripted");
  await hand.press("Enter");
  await expect(backend.getByText("Default", { exact: true })).toBeVisible();
  hand.took(2, "connect a model from Settings");
});

test("a folder is tidied, and put back", async ({ page, world }) => {
  const folder = join(world.root, "user", "Downloads");
  mkdirSync(folder);
  for (const name of ["song.mp3", "table.csv"]) {
    writeFileSync(join(folder, name), name);
    // The organizer skips files that have just changed.
    utimesSync(join(folder, name), 1_750_000_000, 1_750_000_000);
  }
  await world.start({ turns: [say("Hello.")] });
  const hand = new Hand(page);
  await world.open(page, "#/rules");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await hand.press("f");
  await hand.click(/Downloads$/, page.getByRole("list", { name: "Suggested folders" }));
  await hand.click("Approve plan");
  await expect(page.getByRole("heading", { name: "Tidied up" })).toBeVisible();
  expect(existsSync(join(folder, "Audio", "song.mp3"))).toBe(true);
  hand.took(3, "tidy a folder");
  await hand.click("Undo", page.locator(".run-card"));
  await expect(page.getByRole("heading", { name: "Undone" })).toBeVisible();
  expect(existsSync(join(folder, "song.mp3"))).toBe(true);
  hand.took(1, "put it back");
  await hand.click("Redo", page.locator(".run-card"));
  await expect(page.getByRole("heading", { name: "Tidied up" })).toBeVisible();
  expect(existsSync(join(folder, "Audio", "song.mp3"))).toBe(true);
  // Undo asks about a file that the user has replaced.
  writeFileSync(join(folder, "song.mp3"), "mine");
  await hand.click("Undo", page.locator(".run-card"));
  await expect(page.getByRole("dialog")).toContainText("1 conflict");
  expect(existsSync(join(folder, "Audio", "song.mp3"))).toBe(true);
  expect(existsSync(join(folder, "table.csv"))).toBe(false);
});
