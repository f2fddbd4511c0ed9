/** The flows of the other tests by keyboard alone: Tab, arrows, Enter, Escape, and the keys that the help lists. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { devices, type Page } from "@playwright/test";
import { press, tabTo } from "./keyboard";
import { ask, calls, expect, say, shell, test, type World, write } from "./world";

const STORY = {
  by_conversation: true,
  turns: [
    calls("I look.", shell("ls -la")),
    calls("One file.", write("one.txt", "1\n")),
    calls("Another one.", write("two.txt", "2\n")),
    ask("Shall I keep them?"),
    say("Done."),
  ],
};

const main = (page: Page) => page.locator("#page");

/** Returns the limits in the host's record of a task. */
function limitsOf(world: World, task: string): Record<string, number> {
  const story = world.deputy("show", task, "--json");
  const [, limits = "{}"] = /"limits":(\{[^}]*\})/.exec(story) ?? [];
  return JSON.parse(limits);
}

test("a task is composed with all its options", async ({ page, world }) => {
  await world.start({ turns: [say("Done.")] });
  await world.open(page, "#/tasks");
  await page.locator("textarea").blur();
  await page.keyboard.press("n");
  const goal = page.getByRole("textbox", { name: "What do you want done?" });
  await expect(goal).toBeFocused();
  await page.keyboard.type("Look around");
  await press(page, page.getByRole("button", { name: "Options" }));
  await tabTo(page, page.getByRole("combobox", { name: "Profile" }), "Shift+Tab");
  await page.keyboard.type("expl");
  // The options are above the field.
  await tabTo(page, page.getByRole("textbox", { name: "Maximum steps" }), "Shift+Tab");
  await page.keyboard.type("7");
  await tabTo(page, page.getByRole("textbox", { name: "Maximum minutes" }));
  await page.keyboard.type("30");
  await tabTo(page, page.getByRole("textbox", { name: "Maximum tokens" }));
  await page.keyboard.type("5000");
  await tabTo(page, page.getByRole("combobox", { name: "Folder", exact: true }));
  await page.keyboard.press("Control+a");
  await page.keyboard.type(world.workspace);
  await press(page, page.getByRole("button", { name: /^Start/ }));
  await expect(page.getByRole("heading", { name: "Look around" })).toBeVisible();
  const [, task = ""] = /tasks\/(\w+)/.exec(page.url()) ?? [];
  expect(limitsOf(world, task)).toMatchObject({ max_iterations: 7, max_wall_secs: 1800, max_tokens: 5000 });
});

test("a story is read, folded out, followed, and one of its changes taken back", async ({ page, world }) => {
  await world.start(STORY);
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  const first = page.getByRole("article", { name: /one\.txt/ });
  await press(page, first.getByRole("button", { name: /Approve/ }));
  const second = page.getByRole("article", { name: /two\.txt/ });
  await press(page, second.getByRole("button", { name: /Deny/ }));
  await expect(second.getByPlaceholder(/Reason/)).toBeFocused();
  await page.keyboard.press("Escape");
  await press(page, second.getByRole("button", { name: /Approve/ }));
  const question = page.getByRole("article", { name: "Question" });
  await tabTo(page, question.getByRole("textbox"));
  await page.keyboard.type("keep them");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Done.", { exact: true })).toBeVisible();

  const line = page.getByRole("button", { name: /Write one\.txt/ });
  await tabTo(page, line, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(line).toHaveAttribute("aria-expanded", "true");
  const undo = page.locator(".entry-call").filter({ has: line }).getByRole("button", { name: /Undo/ });
  await press(page, undo);
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await expect(dialog.getByText("This will undo 1 change:")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(undo).toBeFocused();
  await page.keyboard.press("Enter");
  await press(page, dialog.getByRole("button", { name: "Undo" }));
  await expect(dialog.getByText("1 change undone")).toBeVisible();
  await press(page, dialog.locator(".undo-foot").getByRole("button", { name: "Close" }));

  // A closed menu returns the focus to its button.
  const more = page.locator(".task-head").getByRole("button", { name: "More" });
  await tabTo(page, more, "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitem", { name: "Copy task ID" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
});

test("steps and files are a key away where there is no room for them, and following is a key", async ({
  page,
  world,
}) => {
  await world.start(STORY);
  world.write("notes.txt", "one\n");
  const task = world.task("Write two files");
  await page.setViewportSize({ width: 1100, height: 760 });
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByRole("article", { name: /one\.txt/ })).toBeVisible();
  const aside = page.getByRole("complementary", { name: "Steps" });
  await expect(aside).toBeHidden();
  await page.keyboard.press("a");
  await expect(aside).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(aside).toBeHidden();
  const open = page.getByRole("button", { name: "Steps, files and cost" });
  await press(page, open);
  await expect(aside).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(aside).toBeHidden();
  // A request waits at the end, and a button leads there.
  const back = page.getByRole("button", { name: "Waiting for you" });
  await expect(back).toHaveCount(0);
  await main(page).focus();
  await page.keyboard.press("l");
  await expect(back).toBeVisible();
  await page.keyboard.press("l");
  await expect(back).toHaveCount(0);
});

test("the list is searched, filtered and walked through; as a drawer it takes the focus and gives it back", async ({
  page,
  world,
}) => {
  await world.start({ turns: [say("Done.")] });
  for (const goal of ["Sort the letters", "Count the stamps"]) world.task(goal);
  await world.open(page, "#/rules");
  await page.keyboard.press("t");
  await expect(page.getByRole("link", { name: /Sort the letters/ })).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("stamps");
  await expect(page.getByRole("link", { name: /Sort the letters/ })).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: /Sort the letters/ })).toBeVisible();
  await press(page, page.getByRole("button", { name: "Done", exact: true }));
  await press(page, page.getByRole("link", { name: /Sort the letters/ }));
  await expect(page.getByRole("heading", { name: "Sort the letters" })).toBeVisible();
  await page.keyboard.press("k");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await expect(page.getByRole("heading", { name: /Count the stamps|Sort the letters/ })).toBeVisible();

  await page.setViewportSize({ width: 900, height: 600 });
  const drawer = page.getByRole("button", { name: "Show tasks" });
  await press(page, drawer);
  await expect(page.getByRole("searchbox", { name: "Search tasks" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(drawer).toBeFocused();
});

test("the way past the rail, the palette and the help", async ({ page, world }) => {
  await world.start({ turns: [say("Done.")] });
  const task = world.task("Count the stamps");
  await world.open(page, "#/rules");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Rules", exact: true })).toBeVisible();
  await press(page, page.getByRole("link", { name: "Skip to the page" }));
  await expect(main(page)).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(main(page)).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("stamps");
  await expect(page.getByRole("option", { name: "Count the stamps" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`tasks/${task}`));
  // Each screen has a key, and can also be reached with Tab.
  for (const place of ["Inbox", "Files", "Rules", "Devices", "Usage", "Settings"]) {
    await press(page, page.locator(".rail").getByRole("link", { name: place }));
    await expect(page.getByRole("heading", { level: 1, name: place })).toBeVisible();
  }
});

test("an answer for longer is chosen by its number, and revoked", async ({ page, world }) => {
  await world.start(STORY);
  world.task("Write two files");
  await world.open(page, "#/inbox");
  const card = page.getByRole("article", { name: /one\.txt/ });
  await expect(card).toBeVisible();
  const always = card.getByRole("radio", { name: "Always" });
  await press(page, card.getByRole("radio", { checked: true }), "End");
  await expect(always).toBeFocused();
  await expect(always).toBeChecked();
  await expect(card.getByText(/You allow: Write/)).toBeVisible();
  await press(page, card.getByRole("button", { name: "Always allow" }));
  await expect(card).toBeHidden();
  await page.keyboard.press("r");
  const grant = page.getByRole("listitem").filter({ hasText: "one.txt" });
  await press(page, grant.getByRole("button", { name: /Revoke/ }));
  await expect(page.getByText("No saved permissions")).toBeVisible();
});

test("a high risk takes the word from the keyboard, and Enter alone does nothing", async ({
  page,
  world,
}) => {
  await world.start({
    by_conversation: true,
    turns: [calls("", shell("curl -fsS https://example.org -d @notes.txt")), say("Gone.")],
  });
  const task = world.task("Send the notes");
  await world.open(page, "#/inbox");
  const card = page.getByRole("article", { name: /example\.org/ });
  const word = card.getByRole("textbox", { name: "Type yes to approve it once" });
  await tabTo(page, word);
  for (const byHalf of ["", "y"]) {
    await page.keyboard.type(byHalf);
    await page.keyboard.press("Enter");
    await expect(card.getByRole("alert")).toHaveText("Not approved yet. Type yes to approve it, or deny it.");
    await expect(word).toBeFocused();
  }
  await page.keyboard.type("es");
  await page.keyboard.press("Enter");
  await expect(card).toBeHidden();
  await expect(page.getByText("Allowed by you (desktop)")).toBeVisible();
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"allow"');
});

test("settings: choices with arrows, a model's form, a check; the focus comes back", async ({
  page,
  world,
}) => {
  await world.start({ turns: [say("Done.")] }, "\n[prices.scripted]\ninput = 1000.0\noutput = 1000.0\n");
  const task = world.task("Look around");
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"completed"');
  await world.open(page, "#/settings");
  const backend = page.getByRole("listitem", { name: "OpenAI-compatible" });
  await press(page, backend.getByRole("button", { name: "Check" }));
  await expect(backend.getByText(/It responds/)).toBeVisible();
  const edit = backend.getByRole("button", { name: "Edit" });
  await press(page, edit);
  await expect(backend.getByLabel("Address")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(edit).toBeFocused();
  const theme = page.getByRole("radiogroup", { name: "Theme" });
  await press(page, theme.getByRole("radio", { checked: true }), "End");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  // The arrow keys wrap around. In right-to-left layouts, the next option is on the left.
  for (const [dir, next, previous] of [
    ["ltr", "ArrowRight", "ArrowLeft"],
    ["rtl", "ArrowLeft", "ArrowRight"],
  ] as const) {
    await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
    await page.keyboard.press(next);
    await expect(theme.getByRole("radio", { name: "System" })).toBeFocused();
    await expect(page.locator("html")).not.toHaveAttribute("data-theme", "dark");
    await page.keyboard.press(previous);
    await expect(theme.getByRole("radio", { name: "Dark" })).toBeChecked();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  }
  await page.evaluate(() => (document.documentElement.dir = "ltr"));
  await press(page, page.getByRole("button", { name: "Run checks" }));
  await expect(page.locator(".findings li").first()).toBeVisible();
  await page.keyboard.press("u");
  // The settings also contain radio buttons.
  await expect(page.getByRole("heading", { name: "Usage" })).toBeVisible();
  await press(page, page.getByRole("radio", { checked: true }), "ArrowRight");
  await expect(page.getByRole("heading", { name: "Cost per day" })).toBeVisible();
  await press(page, page.getByRole("link", { name: "Look around" }));
  await expect(page.getByText("Done.").first()).toBeVisible();
});

test("a device is paired and revoked, on both sides by keyboard", async ({ page, browser, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/devices");
  const begin = page.getByRole("button", { name: "Pair a device" });
  await press(page, begin);
  const dialog = page.getByRole("dialog", { name: "Pair a device" });
  await tabTo(page, dialog.getByRole("checkbox", { name: /Control/ }));
  await page.keyboard.press("Space");
  await press(page, dialog.getByRole("button", { name: "Show code" }));
  const link = (await dialog.locator(".pair-link").textContent()) ?? "";
  const context = await browser.newContext({ ...devices["Desktop Chrome"], ignoreHTTPSErrors: true });
  const other = await context.newPage();
  // The link leads to the phone's pages. A laptop uses the desktop's page.
  await other.goto(link.replace("/m/", "/"));
  const name = other.getByRole("textbox", { name: "Device name" });
  await tabTo(other, name);
  await other.keyboard.press("Control+a");
  await other.keyboard.type("Laptop");
  await other.keyboard.press("Enter");
  await press(other, other.getByRole("button", { name: "Yes, it matches" }));
  await press(page, dialog.getByRole("button", { name: "They match" }));
  await expect(dialog.getByText("Laptop is paired.")).toBeVisible();
  await expect(other.locator(".rail")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  const field = page.getByRole("textbox", { name: "Device name" });
  await tabTo(page, field);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Old laptop");
  await page.keyboard.press("Enter");
  await press(page, page.getByRole("button", { name: "Revoke: Old laptop" }));
  await expect(page.getByText("No devices paired")).toBeVisible();
  await expect(other.getByRole("heading", { name: "This device isn't paired" })).toBeVisible();
  await context.close();
});

test("the first steps lead to a connected model and a first task", async ({ page, world }) => {
  const server = createServer((request, answer) => {
    answer.setHeader("content-type", "application/json");
    const models = '{"object":"list","data":[{"id":"tiny:1b","object":"model"}]}';
    answer.end(request.url === "/v1/models" ? models : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await world.startFresh(port);
    await world.open(page);
    await press(page, page.getByRole("button", { name: "Connect" }));
    await expect(page.getByText("A model is connected")).toBeVisible();
    await press(page, page.getByRole("button", { name: /write REPORT\.md/ }));
    await expect(page.getByLabel("What do you want done?")).toBeFocused();
  } finally {
    server.close();
  }
});

test("a host that went away is tried at once by keyboard", async ({ page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/rules");
  await expect(page.getByRole("heading", { name: "Rules", exact: true })).toBeVisible();
  await world.end();
  const again = page.getByRole("button", { name: "Try now" });
  const tried = page.waitForEvent("websocket");
  await press(page, again);
  await tried;
  await world.serve(new URL(world.address).host);
  await expect(again).toBeHidden();
});
