/** Whole conversations: the title, the archive, and opening changed files on the desktop. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { violations } from "./axe";
import { check } from "./screens";
import { calls, expect, say, test, write } from "./world";

test("a conversation is renamed and archived, and a follow-up brings it back", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  await world.start({ turns: [say("First answer."), say("Second answer.")] });
  const task = world.task("Look around in here");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("First answer.", { exact: true })).toBeVisible();
  const list = page.getByRole("region", { name: "Tasks" });
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  await expect(title).toBeFocused();
  await expect(title).toHaveValue("Look around in here");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type("Quarterly report");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Quarterly report" })).toBeVisible();
  await expect(list.getByRole("link", { name: /Quarterly report/ })).toBeVisible();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("archive");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Archived. A follow-up brings it back.")).toBeVisible();
  await expect(list.getByRole("link", { name: /Quarterly report/ })).toBeHidden();
  await check(page, "archived");
  await list.getByRole("button", { name: "Archived" }).click();
  await expect(list.getByRole("link", { name: /Quarterly report/ })).toBeVisible();
  await list.getByRole("button", { name: "All" }).click();
  // The search finds archived conversations.
  await list.getByRole("searchbox").fill("quarterly");
  await expect(list.getByRole("link", { name: /Quarterly report/ })).toBeVisible();
  await list.getByRole("searchbox").fill("");

  await page.getByLabel("Ask for a follow-up").first().fill("And now?");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Second answer.", { exact: true })).toBeVisible();
  await expect(page.getByText("Archived. A follow-up brings it back.")).toBeHidden();
  await expect(list.getByRole("link", { name: /Quarterly report.*1 follow-up/ })).toBeVisible();

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByRole("button", { name: "Use the first request" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Look around in here" })).toBeVisible();
});

test("a conversation is forked with other words, and goes along as JSON", async ({ page, world }) => {
  await world.start({ turns: [say("First answer."), say("Forked answer.")] });
  const task = world.task("Look around in here");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("First answer.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Fork…" }).click();
  const words = page.getByRole("textbox", { name: "What to do from there" });
  await expect(words).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await words.fill("Look once more");
  await page.getByRole("button", { name: "Fork", exact: true }).click();
  await expect(page.getByText("Forked answer.", { exact: true })).toBeVisible();
  // The copied beginning is part of the new conversation's timeline.
  await expect(page.getByText("First answer.", { exact: true })).toBeVisible();
  await expect(page.getByText("Look once more", { exact: true }).first()).toBeVisible();
  expect(page.url()).not.toContain(task);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("fork");
  await page.keyboard.press("Enter");
  await expect(words).toBeFocused();
  await page.keyboard.type("And again");
  await page.keyboard.press("Tab");
  await page.keyboard.type("9");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/Step 9 of task .* has not ended/)).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "More" }).click();
  const begun = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download as JSON" }).click();
  const lines = readFileSync(await (await begun).path(), "utf8")
    .trimEnd()
    .split("\n");
  expect(JSON.parse(lines[0] ?? "")).toEqual({ format: "deputy-conversation", version: 1 });
  expect(lines.some((line) => line.includes("Forked answer."))).toBe(true);
});

test("an exported conversation is imported, read and continued; what is no export is refused", {
  tag: "@screens",
}, async ({ page, world }) => {
  await world.start({ turns: [say("First answer."), say("Second answer.")] });
  const task = world.task("Look around in here");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("First answer.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "More" }).click();
  const begun = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download as JSON" }).click();
  const exported = readFileSync(await (await begun).path());

  await page.keyboard.press("Control+k");
  await page.keyboard.type("import");
  await page.keyboard.press("Enter");
  const file = page.getByLabel("A file made with");
  await expect(file).toBeFocused();
  const take = page.getByRole("button", { name: "Import", exact: true });
  await expect(take).toBeDisabled();
  expect(await violations(page)).toEqual([]);
  await check(page, "import");
  await file.setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await take.click();
  await expect(page.getByText("This file isn't an exported conversation")).toBeVisible();
  await file.setInputFiles({ name: "talk.jsonl", mimeType: "application/x-ndjson", buffer: exported });
  await expect(page.getByText("This file isn't an exported conversation")).toBeHidden();
  await page.getByLabel("Folder for its tasks").fill("/nowhere/at/all");
  await take.click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("/nowhere/at/all");
  await page.getByLabel("Folder for its tasks").fill(world.workspace);
  await take.click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText("First answer.", { exact: true })).toBeVisible();
  expect(page.url()).not.toContain(task);
  await expect(
    page.getByRole("region", { name: "Tasks" }).getByRole("link", { name: /Look around/ }),
  ).toHaveCount(2);
  await page.getByLabel("Ask for a follow-up").first().fill("And now?");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Second answer.", { exact: true })).toBeVisible();
});

test("a changed file is opened, shown in its folder and named; what could be run is not opened", {
  tag: "@screens",
}, async ({ page, world }) => {
  const opened = join(world.root, "opened");
  world.tool("xdg-open", `echo "$1" >> "${opened}"; env | cut -d= -f1 >> "${opened}.env"`);
  await world.start({
    turns: [calls("", write("report.md", "# Report\n"), write("run.sh", "rm -r ~\n")), say("Done.")],
  });
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  await page.getByRole("button", { name: /^Allow all 2/ }).click();
  await expect(page.getByText("Done.", { exact: true })).toBeVisible();
  const aside = page.getByRole("complementary", { name: "Steps" });
  await aside.getByRole("button", { name: "report.md" }).click();
  await page.getByRole("menuitem", { name: "Open", exact: true }).click();
  await expect.poll(() => existsSync(opened) && readFileSync(opened, "utf8")).toMatch(/report\.md\n$/);
  await aside.getByRole("button", { name: "report.md" }).click();
  await page.getByRole("menuitem", { name: "Show in folder" }).click();
  await expect
    .poll(() => readFileSync(opened, "utf8"))
    .toBe(`${join(world.workspace, "report.md")}\n${world.workspace}\n`);
  await aside.getByRole("button", { name: "run.sh" }).click();
  await page.getByRole("menuitem", { name: "Open", exact: true }).click();
  await expect(page.getByText(/run\.sh might be run by opening it/)).toBeVisible();
  expect(readFileSync(opened, "utf8").split("\n")).toHaveLength(3);
  // Only the variables that a desktop needs are passed on from the host's environment.
  expect(readFileSync(`${opened}.env`, "utf8")).not.toContain("DEPUTY");

  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Changes" });
  await expect(dialog.getByRole("button", { name: "Open report.md" })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Show run.sh in its folder" })).toBeVisible();
  await check(page, "changes");
});
