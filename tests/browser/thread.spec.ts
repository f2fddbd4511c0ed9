/**
 * A conversation is a single thread: earlier tasks are shown above, and can be undone, exported and repeated from
 * there.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkEverywhere } from "./screens";
import { calls, expect, say, shell, test, write } from "./world";

test("follow-ups stand beneath what came before, in one row of the list", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  await world.start({
    turns: [calls("", write("a.txt", "one\n")), say("First answer."), say("Second answer.")],
  });
  const task = world.task("Write a file");
  await world.open(page, `#/tasks/${task}`);
  await page.getByRole("button", { name: /Approve/ }).click();
  await expect(page.getByText("First answer.", { exact: true })).toBeVisible();
  await page.getByRole("textbox", { name: "Ask for a follow-up" }).fill("And what is in it?");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Second answer.", { exact: true })).toBeVisible();
  // The timeline contains all tasks in order.
  const story = page.getByRole("region", { name: "Timeline" });
  await expect(story.getByText("First answer.", { exact: true })).toBeVisible();
  const said = await story.locator(".said").allTextContents();
  expect(said).toEqual(["Write a file", "And what is in it?"]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Write a file");
  const list = page.getByRole("region", { name: "Tasks" });
  await expect(list.locator(".task-row")).toHaveCount(1);
  await expect(list.locator(".task-row")).toContainText("1 follow-up");
  await checkEverywhere(page, "thread");
  // The first task's link shows the same conversation.
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/tasks/${task}`);
  await expect(story.getByText("Second answer.", { exact: true })).toBeVisible();
  // The first task's changes are undone from its own end.
  expect(existsSync(join(world.workspace, "a.txt"))).toBe(true);
  await story.getByRole("button", { name: "Undo these changes" }).click();
  await expect(story.getByText("1 change undone")).toBeVisible();
  expect(existsSync(join(world.workspace, "a.txt"))).toBe(false);
  await expect(story.getByRole("button", { name: "Undo these changes" })).toHaveCount(0);
  // The search finds the conversation by a later message.
  await page.getByRole("searchbox", { name: "Search tasks" }).fill("what is in it");
  await expect(list.locator(".task-row")).toHaveCount(1);
});

test("a conversation is kept as Markdown, and its task run again", async ({ page, world }) => {
  await world.start({
    turns: [calls("I write it.", write("a.txt", "```\n")), say("Written."), say("Again.")],
  });
  const task = world.task("Write a file");
  await world.open(page, `#/tasks/${task}`);
  await page.getByRole("button", { name: /Approve/ }).click();
  await expect(page.getByText("Written.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "More" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download as Markdown" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe("Write-a-file.md");
  const text = readFileSync((await download.path()) ?? "", "utf8");
  expect(text).toContain("# Write a file\n");
  expect(text).toContain("I write it.");
  // A fence in a diff does not end its code block.
  expect(text).toMatch(/````diff\n[\s\S]*\+```\n````/);
  expect(text).toContain("**Done**\n\nWritten.");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Run again" }).click();
  await expect(page.getByText("Again.", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Tasks" }).locator(".task-row")).toHaveCount(2);
});

test("what only a model can do is handed to the connected one by a key", async ({ page, world }) => {
  await world.start({ turns: [say("Zuerst die Eier.")] });
  const begun = world.deputy(
    "--json",
    "run",
    "--backend",
    "offline",
    "--detach",
    "translate recipes.txt into German",
  );
  const task = JSON.parse(begun).id;
  await world.open(page, `#/tasks/${task}`);
  const story = page.getByRole("region", { name: "Timeline" });
  await expect(story.getByRole("button", { name: "Use scripted for this task" })).toBeVisible();
  await page.keyboard.press("m");
  await expect(story.getByText("Zuerst die Eier.", { exact: true })).toBeVisible();
  await expect(story.getByRole("button", { name: "Use scripted for this task" })).toHaveCount(0);
});

test("the search finds a task by what only a result contains", async ({ page, world }) => {
  world.write("drawer.txt", "a stamp from Heligoland\n");
  await world.start({
    by_conversation: true,
    turns: [calls("I look.", shell("cat drawer.txt")), say("It is there.")],
  });
  for (const place of [".", "attic"]) world.deputy("follow", world.task("Look into the drawer", place));
  await world.open(page);
  const rows = page.getByRole("region", { name: "Tasks" }).locator(".task-row");
  await expect(rows).toHaveCount(2);
  await page.getByRole("searchbox", { name: "Search tasks" }).fill("heligoland");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(/A result: .*a stamp from Heligoland/);
});
