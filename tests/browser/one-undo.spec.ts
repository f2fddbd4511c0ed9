/** A plan has one undo state in its task, in Files and on the phone, and every button says what it does. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { door, paired } from "./handheld";
import { calls, expect, say, shell, test } from "./world";

test("what is undone in one place is undone in all, and can be redone from each", async ({
  browser,
  page,
  world,
}) => {
  world.write("song.mp3", "la la");
  world.write("table.csv", "a,b\n1,2\n");
  for (const name of ["song.mp3", "table.csv"])
    utimesSync(join(world.workspace, name), 1_750_000_000, 1_750_000_000);
  await world.start({ turns: [say("Hello.")] }, door().settings);
  world.deputy("run", "tidy up this folder by kind", "--backend", "offline", "--yes", "medium");
  const task = JSON.parse(world.deputy("--json", "tasks").split("\n")[0] ?? "").id;
  const isTidy = () => !existsSync(join(world.workspace, "song.mp3"));
  expect(isTidy()).toBe(true);

  const phone = await paired(browser, page, world, true);
  await phone.page.goto(`${phone.address}#/tasks/${task}`);
  const undo = { name: "Undo changes" };
  const redo = { name: "Redo changes" };
  await expect(phone.page.getByRole("button", undo)).toBeVisible();

  // Undone in Files: the line says so, and its task offers only the redo, on the page and on the phone.
  await world.open(page, "#/files");
  const job = page.locator(".job");
  await expect(job).toHaveCount(1);
  await job.getByRole("button", { name: /^Undo:/ }).click();
  const dialog = page.getByRole("dialog", { name: "Undo this job" });
  await dialog.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(dialog.getByText(/changes undone\.$/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(job.locator(".pill")).toHaveText("Undone");
  await expect(job.getByRole("button")).toHaveText(["Redo"]);
  expect(isTidy()).toBe(false);
  await expect(phone.page.getByRole("button", redo)).toBeVisible();
  await expect(phone.page.getByRole("button", undo)).toHaveCount(0);
  await world.open(page, `#/tasks/${task}`);
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByText(/^\d+ changes undone$/)).toBeVisible();
  await expect(page.getByRole("button", redo).first()).toBeVisible();
  await expect(page.getByRole("button", undo)).toHaveCount(0);

  // Redone on the phone: the task offers the undo again.
  await phone.page.getByRole("button", redo).tap();
  await expect(page.getByRole("button", undo).first()).toBeVisible();
  await expect(page.getByRole("button", redo)).toHaveCount(0);
  expect(isTidy()).toBe(true);

  // Undone in its task: Files shows one line with its history, whose button redoes it.
  await page.getByRole("button", undo).first().click();
  await expect(page.getByRole("button", redo).first()).toBeVisible();
  await world.open(page, "#/files");
  await expect(job).toHaveCount(1);
  await expect(job.locator(".pill")).toHaveText("Undone");
  await expect(job).toContainText(/Tidied .+ · Undone .+ · Redone .+ · Undone .+/);
  await job.getByRole("button", { name: /^Redo:/ }).click();
  const again = page.getByRole("dialog", { name: "Redo this job" });
  await expect(again.getByText(/This will redo \d+ changes/)).toBeVisible();
  await again.getByRole("button", { name: "Redo", exact: true }).click();
  await expect(again.getByText(/changes redone\.$/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(job.locator(".pill")).toHaveText("Done");
  await expect(job.getByRole("button")).toHaveText(["Undo"]);
  expect(isTidy()).toBe(true);
  await expect(phone.page.getByRole("button", undo)).toBeVisible();
  await phone.page.close();
});

test("an undo below the person's own commit says so, and undoes the files alone", async ({ page, world }) => {
  const git = (...args: string[]) => {
    const known = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    return execFileSync("git", [...known, ...args], { cwd: world.workspace, encoding: "utf8" });
  };
  world.write("a.txt", "one\n");
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  git("add", "a.txt");
  git("commit", "--quiet", "--message", "one");
  const commit = calls("I commit.", shell("echo two > a.txt && git commit -qam two"));
  await world.start({ turns: [commit, say("Committed.")] });
  world.deputy("run", "commit a change", "--yes", "medium");
  const task = JSON.parse(world.deputy("--json", "tasks").split("\n")[0] ?? "").id;
  await world.open(page, `#/tasks/${task}`);
  const undo = page.getByRole("button", { name: "Undo changes" }).first();
  const redo = page.getByRole("button", { name: "Redo changes" }).first();

  // Nobody used git since: one click, and one click back.
  await undo.click();
  await expect(redo).toBeVisible();
  expect(git("log", "--format=%s")).toBe("one\n");
  await redo.click();
  await expect(undo).toBeVisible();
  expect(git("log", "--format=%s")).toBe("two\none\n");
  expect(git("status", "--porcelain")).toBe("");

  world.write("mine.txt", "mine\n");
  git("add", "mine.txt");
  git("commit", "--quiet", "--message", "mine");
  await undo.click();
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await expect(dialog).toContainText("You committed on top of main. The commit of the task stays");
  await expect(dialog).toContainText("Nothing was undone. You can undo the files alone; git stays as it is.");
  expect(git("status", "--porcelain")).toBe("");
  await dialog.getByRole("button", { name: "Undo the files only" }).click();
  await expect(dialog.getByText("1 change undone.")).toBeVisible();
  expect(git("log", "--format=%s")).toBe("mine\ntwo\none\n");
  expect(readFileSync(join(world.workspace, "a.txt"), "utf8")).toBe("one\n");
});
