/** Typical user flows: a plan as two trees, later changes, a model that fails, a folder typed with `~`. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { calls, expect, say, shell, test, write } from "./world";

test("a plan is two trees and words on its card, never a hash, and is undone", async ({ page, world }) => {
  const folder = join(world.root, "user", "Downloads");
  mkdirSync(folder);
  for (const name of ["May.pdf", "song.mp3"]) writeFileSync(join(folder, name), name);
  const move = { type: "move", path: "May.pdf", to: "Invoices/May.pdf", reason: "It is an invoice." };
  const rename = { type: "rename", path: "song.mp3", to: "Song.mp3", reason: "" };
  const operations = [{ type: "create_folder", path: "Invoices", reason: "" }, move, rename];
  const submit = { action: "submit_plan", paths: [folder], reasoning: "Invoices get a folder.", operations };
  const plan = { name: "organize", arguments: submit };
  await world.start({ turns: [calls("", plan), say("Tidied.")], by_conversation: true });
  const said = world.deputy("--json", "run", "Tidy up", "--in", folder, "--profile", "organizer", "--detach");
  const task = /"(?:id|task)":"(t\w+)"/.exec(said)?.[1] ?? "";
  await world.open(page, `#/tasks/${task}`);
  const card = page.getByRole("article", { name: "Move 1 file, rename 1, and create 1 folder" });
  await expect(card.getByRole("region", { name: "After" })).toContainText("Invoices");
  await expect(card.getByRole("region", { name: "Before" })).toContainText("May.pdf");
  await expect(card).not.toContainText(/[0-9a-f]{12}/);
  await card.getByRole("button", { name: "Review 3 changes" }).click();
  await expect(card.getByRole("region", { name: "Changes in the plan" })).toContainText("It is an invoice.");
  // The buttons are in view at any window height.
  for (const height of [700, 450]) {
    await page.setViewportSize({ width: 1000, height });
    await expect(card.getByRole("button", { name: "Approve plan" })).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await card.getByRole("button", { name: "Approve plan" }).click();
  await expect(page.getByText("Tidied.", { exact: true })).toBeVisible();
  const row = page.getByRole("button", {
    name: /Apply the plan.*Move 1 file, rename 1, and create 1 folder/,
  });
  await expect(row).toBeVisible();
  expect(readdirSync(folder).sort()).toEqual(["Invoices", "Song.mp3"]);
  await page.getByRole("button", { name: "Undo changes" }).click();
  await expect(page.getByText(/^\d+ changes undone$/).first()).toBeVisible();
  expect(readdirSync(folder).sort()).toEqual(["May.pdf", "song.mp3"]);
  // Regression: the task stayed "Done", with an undo that had nothing to undo.
  await expect(page.locator(".task-head")).toContainText("Undone");
  await expect(page.getByRole("link", { name: /Tidy up/ })).toContainText("Undone");
  await expect(page.getByRole("button", { name: "Undo changes" })).toHaveCount(0);
});

test("a folder is tidied by a person's own words, which a model plans", async ({ page, world }) => {
  const folder = join(world.root, "user", "Downloads");
  mkdirSync(folder);
  writeFileSync(join(folder, "May.pdf"), "May");
  const plan = (name: string) => {
    const operations = [{ type: "move", path: "May.pdf", to: `Invoices/${name}`, reason: "" }];
    const submit = { action: "submit_plan", paths: [folder], reasoning: "As you said.", operations };
    return calls("Invoices get a folder.", { name: "organize", arguments: submit });
  };
  // The first plan contains a name that does not follow the chosen convention, so it is returned to the model.
  const turns = [plan("May.pdf"), plan("may.pdf"), say("Tidied.")];
  await world.start({ turns, by_conversation: true });
  await world.open(page, "#/files");
  const words = page.getByRole("textbox", { name: "Or describe how, in your own words" });
  await words.fill("Invoices into a folder");
  // If there is a description, choosing a suggested folder adds it without a scan.
  await page.getByRole("list", { name: "Suggested folders" }).getByRole("button").click();
  await expect(page.getByRole("list", { name: "Folders", exact: true })).toContainText("Downloads");
  await page.getByRole("combobox", { name: "Names" }).selectOption("lower-case");
  await page.getByRole("button", { name: "Ask for a plan" }).click();
  // The timeline shows the model's steps, and the plan is approved once.
  const story = page.getByRole("region", { name: "Timeline" });
  await expect(story.getByText("Invoices get a folder.").first()).toBeVisible();
  await page.getByRole("button", { name: "Approve plan" }).click();
  await expect(page.getByText("Tidied.", { exact: true })).toBeVisible();
  expect(readdirSync(join(folder, "Invoices"))).toEqual(["may.pdf"]);
});

test("a model that tidies and makes no plan is said to have made none", async ({ page, world }) => {
  const folder = join(world.root, "user", "Downloads");
  mkdirSync(folder);
  await world.start({ turns: [say("It looks tidy to me.")] });
  const said = world.deputy("--json", "run", "Tidy up", "--in", folder, "--profile", "organizer", "--detach");
  const task = /"(?:id|task)":"(t\w+)"/.exec(said)?.[1] ?? "";
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("It looks tidy to me.", { exact: true })).toBeVisible();
  await expect(page.getByText("No plan was made, and nothing was changed.")).toBeVisible();
});

test("the diff stays with its call, and all changes are listed with an undo each", async ({
  page,
  world,
}) => {
  await world.start({
    turns: [calls("", write("site/index.html", "<h1>one</h1>\n"), shell("ls")), say("Done.")],
    by_conversation: true,
  });
  const task = world.task("Write a page");
  await world.open(page, `#/tasks/${task}`);
  await page.getByRole("button", { name: /Approve/ }).click();
  await expect(page.getByText("Done.", { exact: true })).toBeVisible();
  // A folder that was created along the way does not count as a file.
  await expect(page.getByRole("complementary", { name: "Steps" })).toContainText("1 file");
  await page.getByRole("button", { name: /^Write site\/index\.html/ }).click();
  await expect(page.getByRole("region", { name: "Change", exact: true })).toContainText("<h1>one</h1>");
  await page.getByRole("button", { name: "Show changes" }).click();
  const changes = page.getByRole("dialog", { name: "Changes" });
  await expect(changes).toContainText("site/index.html");
  await expect(changes.getByRole("region", { name: /Edit of/ })).toContainText("<h1>one</h1>");
  await changes.getByRole("button", { name: /Undo the change to site\/index\.html/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText(/undone/);
  await page.keyboard.press("Escape");
  await expect(page.locator(".task-head")).toContainText("Undone");
});

test("a model that fails is one card: what happened, again, or another model", async ({ page, world }) => {
  await world.start({ turns: [], by_conversation: true });
  const task = world.task("Write a report");
  await world.open(page, `#/tasks/${task}`);
  const card = page.getByRole("article", { name: "Question" });
  await expect(card.getByRole("heading", { name: "The model didn't respond" })).toBeVisible();
  await expect(card.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(card.getByRole("textbox")).toHaveCount(0);
  await expect(card.getByRole("button", { name: "Change model" })).toBeVisible();
  await expect(card.getByRole("button", { name: "Enter key" })).toBeVisible();
  await expect(page.locator(".page")).not.toContainText("go on");
  await card.getByRole("button", { name: "Stop" }).click();
  await expect(page.locator(".task-head")).toContainText("Failed");
  // Nothing was changed, so there is nothing to undo.
  await expect(page.getByRole("button", { name: "Undo changes" })).toHaveCount(0);
});

test("a new task takes a folder with ~, and says what is wrong with one", async ({ page, world }) => {
  mkdirSync(join(world.root, "user", "atlas"));
  await world.start({ turns: [say("Hello.")], by_conversation: true });
  await world.open(page, "#/new");
  await page.getByLabel("What do you want done?").fill("Say hello");
  const folder = page.getByRole("combobox", { name: "Folder" });
  await folder.fill("~/nowhere");
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose another folder.");
  await expect(page.getByRole("alert")).not.toContainText("--in");
  await expect(folder).toHaveAttribute("aria-invalid", "true");
  await folder.fill("~/atlas");
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.getByText("Hello.", { exact: true })).toBeVisible();
  await expect(page.locator(".task-head")).toContainText("atlas");
});

test("at 200 % of a small window everything is in reach", async ({ page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await page.setViewportSize({ width: 720, height: 450 });
  await world.open(page, "#/new");
  await expect(page.getByRole("button", { name: "Start" })).toBeInViewport({ ratio: 1 });
  await expect(
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }),
  ).toBeInViewport({ ratio: 1 });
  // Ending the host while lazy screens still load would log an error on the page.
  await page.waitForLoadState("networkidle");
});

test("the first load is packed, and small", async ({ page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  const sizes = new Map<string, number>();
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const urls = new Map<string, string>();
  session.on("Network.responseReceived", ({ requestId, response }) => urls.set(requestId, response.url));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    sizes.set(urls.get(requestId) ?? "", encodedDataLength),
  );
  const coded = page.waitForResponse((response) => /index-.*\.js$/.test(response.url()));
  await world.open(page, "#/new");
  expect((await coded).headers()["content-encoding"]).toMatch(/^(?:br|gzip)$/);
  await expect(page.getByRole("button", { name: "Start" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  // Code for later screens is loaded when the browser is idle. The page's HTML lists everything that is loaded at once.
  const html = await page.evaluate(async () => (await fetch(location.pathname)).text());
  const isLate = (url: string) =>
    /\.(?:js|css)$/.test(url) && !html.includes(url.slice(url.lastIndexOf("/") + 1));
  const first = [...sizes].filter(([url]) => !isLate(url));
  expect(first.filter(([url]) => url.endsWith(".js")).length).toBeGreaterThan(3);
  expect(first.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(200_000);
  expect(first.map(([url]) => new URL(url).pathname).join(" ")).toContain("woff2");
});
