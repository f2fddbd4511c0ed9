/**
 * Jobs in the page, by mouse and by keyboard: naming conventions, a stopped scan, a stopped job that continues, and
 * an undo with a conflict.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, say, test, type World } from "./world";

const HOWS = ["mouse", "keyboard"] as const;
type How = (typeof HOWS)[number];

/** More Tab stops than a page has. */
const MOST_TABS = 80;

/** Moves the focus to an element with Tab. */
async function reach(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let step = 0; step < MOST_TABS; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${target} cannot be reached by the Tab key`);
}

/** Presses a button, by mouse or by keyboard. */
async function press(page: Page, target: Locator, how: How) {
  if (how === "mouse") return target.click();
  await reach(page, target);
  await page.keyboard.press("Enter");
}

/** Creates a folder of the user's files with old modification times. */
function folderOf(world: World, files: Record<string, string>): string {
  const folder = join(world.root, "user", "Downloads");
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, 1_750_000_000, 1_750_000_000);
  }
  return folder;
}

/** Picks the folder and scans it. */
async function scan(page: Page, folder: string, how: How) {
  const field = page.getByRole("combobox", { name: "Folder to tidy" });
  if (how === "mouse") await field.fill(folder);
  else {
    await reach(page, field);
    await page.keyboard.type(folder);
  }
  await expect(page.getByRole("button", { name: "Add" })).toBeEnabled();
  if (how === "mouse") await page.getByRole("button", { name: "Add" }).click();
  else await page.keyboard.press("Enter");
  await expect(page.getByRole("list", { name: "Folders" })).toBeVisible();
  await press(page, page.getByRole("button", { name: "Scan" }), how);
}

for (const how of HOWS) {
  test(`names follow the convention that is chosen, by ${how}`, async ({ page, world }) => {
    const names = ["Invoice May.pdf", "Invoice June.pdf", "trip-report.pdf", "tax-form.pdf", "my-notes.pdf"];
    const folder = folderOf(world, Object.fromEntries(names.map((name) => [name, `%PDF-1.4 ${name}`])));
    await world.start({ turns: [say("Hello.")] });
    await world.open(page, "#/files");
    await scan(page, folder, how);

    const group = page.getByRole("group", { name: "Names" });
    const card = (name: RegExp) => group.getByRole("radio", { name });
    await expect(card(/Keep names/)).toBeChecked();
    const wanted = card(/^lower-case/);
    if (how === "mouse") await wanted.click();
    else {
      await reach(page, card(/Keep names/));
      // The arrow keys move between the cards, and no scan starts on the way.
      for (let step = 0; step < 4 && !(await wanted.isChecked()); step += 1)
        await page.keyboard.press("ArrowDown");
    }
    await expect(wanted).toBeChecked();
    await expect(page.getByRole("region", { name: "After" })).toContainText("Invoice May.pdf");
    if (how === "mouse") await page.getByRole("button", { name: "Use these names" }).click();
    else await page.keyboard.press("Enter");
    await expect(wanted).toBeChecked();
    await expect(page.getByRole("region", { name: "After" })).toContainText("invoice-may.pdf");
    // After a choice by keyboard, the focus stays on it.
    if (how === "keyboard") await expect(wanted).toBeFocused();

    // A plan approved in the review does not ask again.
    await press(page, page.getByRole("button", { name: "Approve plan" }), how);
    await expect(page.getByRole("heading", { name: "Tidied up" })).toBeVisible();
    const sorted = readdirSync(join(folder, "Documents"), { recursive: true }).map(String);
    expect(sorted.some((name) => name.endsWith("invoice-may.pdf"))).toBe(true);
    expect(sorted.some((name) => name.includes("Invoice"))).toBe(false);
  });

  test(`a scan is stopped, by ${how}`, async ({ page, world }) => {
    const folder = folderOf(world, { "song.mp3": "la", "letter.txt": "Dear you" });
    await world.start({ turns: [say("Hello.")] });
    // However fast the scan is, the page does not learn of its end before it was stopped.
    let stopped = false;
    await page.routeWebSocket(/\/ws/, (line) => {
      const host = line.connectToServer();
      line.onMessage((text) => {
        stopped ||= String(text).includes('"stop_scan"');
        host.send(text);
      });
      host.onMessage((text) => {
        if (stopped || !String(text).includes('"stage":"drafted"')) line.send(text);
      });
    });
    await world.open(page, "#/files");
    await scan(page, folder, how);
    await expect(page.getByRole("heading", { name: "Scanning" })).toBeVisible();
    await press(page, page.getByRole("button", { name: "Stop", exact: true }), how);
    // The folder is still chosen, there is no error, and it can be scanned again.
    await expect(page.getByRole("list", { name: "Folders" })).toContainText("Downloads");
    await expect(page.getByRole("alert")).toHaveCount(0);
    expect(stopped).toBe(true);
    await press(page, page.getByRole("button", { name: "Scan" }), how);
    await expect(page.getByRole("region", { name: "After" })).toContainText("Audio");
  });

  test(`a job that was stopped goes on, by ${how}`, async ({ page, world }) => {
    const folder = folderOf(world, { "a.mp3": "a", "shut/b.mp3": "b", "c.mp3": "c" });
    const to = (from: string, name: string) => {
      const action = { kind: "move", path: join(folder, from), destination: join(folder, "Music", name) };
      return { id: name, action, risk: "medium", reason: "" };
    };
    const operations = [to("a.mp3", "a.mp3"), to("shut/b.mp3", "b.mp3"), to("c.mp3", "c.mp3")];
    const plan = join(world.root, "plan.json");
    writeFileSync(plan, JSON.stringify({ scope: [folder], operations }));
    chmodSync(join(folder, "shut"), 0o555);
    world.deputyHeedingModes("organize", "--apply", plan, "--yes", "medium");
    await world.start({ turns: [say("Hello.")] });
    await world.open(page, "#/files");
    // The interrupted job comes first, and the inbox links to it.
    await page.evaluate(() => {
      window.location.hash = "#/inbox";
    });
    await expect(page.locator(".page")).toContainText(/Tidying .*Downloads was interrupted/);
    await press(page, page.getByRole("link", { name: "Open Files" }), how);
    const job = page.locator(".jobs-interrupted .job");
    await expect(job).toContainText("Interrupted");
    await expect(job).toContainText("Permission denied");
    expect(existsSync(join(folder, "Music", "a.mp3"))).toBe(true);
    expect(existsSync(join(folder, "shut", "b.mp3"))).toBe(true);

    chmodSync(join(folder, "shut"), 0o755);
    await press(page, job.getByRole("button", { name: /^Resume:/ }), how);
    await expect(job).toContainText("Done");
    await expect(job).not.toContainText("Permission denied");
    for (const name of ["a.mp3", "b.mp3", "c.mp3"])
      expect(existsSync(join(folder, "Music", name))).toBe(true);
    // The button disappears, but the focus is not lost.
    await expect(job).toBeFocused();
  });

  test(`a job is taken back, and what stands against it comes back beside it, by ${how}`, async ({
    page,
    world,
  }) => {
    const folder = folderOf(world, { "song.mp3": "la la", "table.csv": "a,b" });
    await world.start({ turns: [say("Hello.")] });
    world.deputy("organize", folder, "--by", "kind", "--yes", "medium", "--backend", "offline");
    expect(existsSync(join(folder, "Audio", "song.mp3"))).toBe(true);
    writeFileSync(join(folder, "song.mp3"), "another song");
    await world.open(page, "#/files");
    const job = page.locator(".job").last();
    await press(page, job.getByRole("button", { name: /^Undo:/ }), how);

    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("1 conflict:")).toBeVisible();
    await expect(dialog.getByText("something else is at its old path")).toBeVisible();
    const both = dialog.getByRole("radio", { name: "Keep both" });
    if (how === "mouse") await both.click();
    else {
      await reach(page, dialog.getByRole("radio", { name: "Leave them" }));
      await page.keyboard.press("ArrowRight");
      await expect(both).toBeFocused();
    }
    await expect(both).toBeChecked();
    await expect(dialog.getByText(/come back under a new name/)).toBeVisible();
    await press(page, dialog.getByRole("button", { name: "Undo", exact: true }), how);
    await expect(dialog.getByText(/changes undone\.$/)).toBeVisible();
    expect(readFileSync(join(folder, "song.mp3"), "utf8")).toBe("another song");
    expect(readFileSync(join(folder, "song (2).mp3"), "utf8")).toBe("la la");
    expect(existsSync(join(folder, "table.csv"))).toBe(true);
    expect(existsSync(join(folder, "Audio"))).toBe(false);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(job).toContainText("Undone");
    await expect(job).toBeFocused();
    // The undo is a part of the plan's history and has no line of its own.
    await expect(page.locator(".job")).toHaveCount(1);
  });
}
