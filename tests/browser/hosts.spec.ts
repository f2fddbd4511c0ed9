/**
 * Hosts that are missing, crash, come back, or have another version than the page; and objects that disappear while
 * they are viewed.
 */
import type { Page } from "@playwright/test";
import { door, paired } from "./handheld";
import { calls, expect, say, shell, test, write } from "./world";

const WRITES = {
  by_conversation: true,
  turns: [
    calls("One file.", write("one.txt", "1\n")),
    calls("Another one.", write("two.txt", "2\n")),
    say("Both are there."),
  ],
};

type Message = Record<string, unknown> & { type: string };

/** Changes the host's messages to the page. `undefined` drops a message; a list replaces it by several. */
async function hostSays(page: Page, change: (message: Message) => Message | Message[] | undefined) {
  await page.routeWebSocket(/\/ws$/, (line) => {
    const host = line.connectToServer();
    host.onMessage((text) => {
      const said = change(JSON.parse(String(text)) as Message) ?? [];
      for (const message of Array.isArray(said) ? said : [said]) line.send(JSON.stringify(message));
    });
  });
}

test("a host that crashes in the middle of a task comes back, and so does the page, by itself", async ({
  page,
  world,
}) => {
  await world.start(WRITES);
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  const first = page.getByRole("article", { name: /one\.txt/ });
  await expect(first).toBeVisible();
  await world.end("SIGKILL");
  await expect(page.getByText(/Deputy isn't responding/)).toBeVisible();
  // The timeline stays visible while the host is gone.
  await expect(first).toBeVisible();
  await world.serve(new URL(world.address).host);
  await expect(page.getByText(/Deputy isn't responding/)).toBeHidden();
  await first.getByRole("button", { name: /Approve/ }).click();
  await expect(page.getByRole("article", { name: /two\.txt/ })).toBeVisible();
  expect(world.read("one.txt")).toBe("1\n");
});

/** The second answer takes minutes. The host asks again after a crash, and gets the third one. */
const SLOW = {
  turns: [
    calls("I look.", shell("ls")),
    { type: "slow", ms_per_chunk: 500, text: "There are no letters. ".repeat(400) },
    say("Done."),
  ],
};

test("after a crash in the middle of an answer, both pages come back and the task ends by itself", async ({
  browser,
  page,
  world,
}) => {
  await world.start(SLOW, door().settings);
  const phone = await paired(browser, page, world);
  const task = world.task("Look for letters");
  await world.open(page, `#/tasks/${task}`);
  await phone.page.evaluate((task) => (window.location.hash = `#/tasks/${task}`), task);
  const pages = [page, phone.page];
  for (const each of pages) await expect(each.getByText("There").first()).toBeVisible();
  await world.end("SIGKILL");
  await expect(page.getByText("Deputy isn't responding.")).toBeVisible();
  await expect(phone.page.getByText("Can't reach Deputy.")).toBeVisible();
  await world.serve(new URL(world.address).host);
  for (const each of pages) {
    await expect(each.getByText("Deputy restarted here")).toBeVisible();
    await expect(each.getByText("Done.", { exact: true })).toBeVisible();
    await expect(each.getByText(/Deputy isn't responding|Can't reach Deputy/)).toBeHidden();
  }
  await phone.context.close();
});

test("a screen whose code could not be loaded comes back with the host", async ({ context, world }) => {
  await world.start({ turns: [] });
  // The browser reports what could not be loaded, so it is no page that must be quiet.
  const page = await context.newPage();
  await world.open(page);
  const code = "**/assets/Usage-*.js";
  await page.route(code, (route) => route.abort());
  await page.evaluate(() => (window.location.hash = "#/usage"));
  await expect(page.getByText("Something went wrong on this screen")).toBeVisible();
  await page.unroute(code);
  await world.end("SIGKILL");
  await expect(page.getByText("Deputy isn't responding.")).toBeVisible();
  await world.serve(new URL(world.address).host);
  await expect(page.getByRole("heading", { name: "Usage", level: 1 })).toBeVisible();
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("after a crash in the middle of an answer, the task ends by itself", async ({ page, world }) => {
    await world.start(SLOW);
    const task = world.task("Such Briefe");
    await world.open(page, `#/tasks/${task}`);
    await expect(page.getByText("There").first()).toBeVisible();
    await world.end("SIGKILL");
    await expect(page.getByText("Deputy antwortet nicht.")).toBeVisible();
    await world.serve(new URL(world.address).host);
    await expect(page.getByText("Hier wurde Deputy neu gestartet")).toBeVisible();
    await expect(page.getByText("Done.", { exact: true })).toBeVisible();
    await expect(page.getByText("Deputy antwortet nicht.")).toBeHidden();
  });
});

test("a host of another protocol says so, and the page offers to load itself anew", async ({
  page,
  world,
}) => {
  await world.start(WRITES);
  const error = {
    code: "protocol",
    message: "This host uses version 9 of the protocol, and this client version 1.",
    hints: ["Reload."],
  };
  await hostSays(page, (message) => {
    return message.type === "welcome" ? { type: "error", id: null, error } : undefined;
  });
  await world.open(page);
  await expect(page.getByRole("alert")).toContainText("This host uses version 9");
  await expect(page.getByRole("alert").getByRole("button", { name: "Reload" })).toBeVisible();
});

test("what a newer host says beyond what the page knows is passed over", async ({ page, world }) => {
  await world.start(WRITES);
  await hostSays(page, (message) => {
    const text = JSON.stringify(message)
      .replaceAll('"kind":"write"', '"kind":"teleport"')
      .replaceAll('"type":"iteration_started"', '"type":"iteration_dreamt"');
    const news = JSON.parse(text) as Message;
    if (news.type === "welcome")
      return [
        { ...news, mood: "fine" },
        { type: "weather", sun: true },
      ];
    if (news.type === "query_reply" && text.includes('"answer":"tasks"')) {
      const answer = news.answer as { tasks: object[] };
      const at = { created_at_ms: 0, updated_at_ms: 0, session: "s", profile: "p", backend: "b", tokens: 0 };
      const state = { state: "hibernating", until: "spring" };
      answer.tasks.push({ ...at, id: "tnew", goal: "Sleep a while", workspace: "/home/ada", state });
    }
    return news;
  });
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByRole("link", { name: /Sleep a while/ })).toContainText("hibernating");
  const first = page.getByRole("article", { name: /one\.txt/ });
  await first.getByRole("button", { name: /Approve/ }).click();
  await expect.poll(() => world.deputy("show", task, "--json")).toContain("two.txt");
  expect(world.read("one.txt")).toBe("1\n");
  await expect(page.getByText("Something went wrong on this screen")).toHaveCount(0);
});

test("what an older host does not say yet is done without", async ({ page, world }) => {
  await world.start(WRITES);
  const asked = new Map<string, string>();
  await page.routeWebSocket(/\/ws$/, (line) => {
    const host = line.connectToServer();
    line.onMessage((text) => {
      const message = JSON.parse(String(text));
      if (message.type === "query") asked.set(message.id, message.query.query);
      host.send(text);
    });
    host.onMessage((text) => {
      const message = JSON.parse(String(text));
      if (message.type === "welcome") for (const name of ["scopes", "local", "version"]) delete message[name];
      if (message.type === "event") for (const name of ["shortened", "update"]) delete message[name];
      const known = ["task", "tasks", "events", "grants", "devices", "preview_grant"];
      const query = asked.get(message.id);
      if (query && !known.includes(query)) {
        const error = { code: "bad_message", message: `There is no query ${query}.`, hints: [] };
        line.send(JSON.stringify({ type: "error", id: message.id, error }));
        return;
      }
      if (message.answer?.answer === "events") delete message.answer.shortened;
      line.send(JSON.stringify(message));
    });
  });
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  const first = page.getByRole("article", { name: /one\.txt/ });
  await first.getByRole("button", { name: /Approve/ }).click();
  await expect(page.getByRole("article", { name: /two\.txt/ })).toBeVisible();
  for (const screen of ["new", "inbox", "files", "rules", "devices", "usage", "settings"]) {
    await page.evaluate((name) => (window.location.hash = `#/${name}`), screen);
    await expect(page.locator(`[data-screen="${screen}"] :is(h1, h2) >> visible=true`).first()).toBeVisible();
    await expect(page.getByText("Something went wrong on this screen")).toHaveCount(0);
  }
  await expect(page.getByText("There is no query settings.")).toBeVisible();
});

test("a request that goes while its refusal is written takes nothing along", async ({ page, world }) => {
  await world.start(WRITES);
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  const first = page.getByRole("article", { name: /one\.txt/ });
  await first.getByRole("button", { name: /Deny/ }).click();
  const field = first.getByPlaceholder(/Reason/);
  await expect(field).toBeFocused();
  await page.keyboard.type("it shall not e");
  const { requests } = JSON.parse(world.deputy("--json", "status"));
  const elsewhere = world.later("deny", requests[0].id, "--reason", "answered elsewhere");
  // A user who is typing has not noticed yet, so the rest of the sentence must not trigger shortcuts. It is kept.
  const kept = first.getByRole("textbox", { name: "Your text" });
  while (!(await kept.isVisible())) await page.keyboard.press("e");
  await page.keyboard.type("xpz and not go on");
  await elsewhere;
  await expect(kept).toHaveValue(/^it shall not e.*xpz and not go on$/);
  await expect(page.getByRole("article", { name: /two\.txt/ })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await expect(page.getByPlaceholder(/Reason/)).toHaveCount(0);
  const story = world.deputy("show", task, "--json");
  expect(story).toContain("answered elsewhere");
  expect(story).not.toContain("it shall not");
  expect(story).not.toContain("stop_requested");
});

test("a dialog about a task that ends meanwhile says what stands, and closes", async ({ page, world }) => {
  await world.start(WRITES);
  const task = world.task("Write two files");
  await world.open(page, `#/tasks/${task}`);
  const first = page.getByRole("article", { name: /one\.txt/ });
  await first.getByRole("button", { name: /Approve/ }).click();
  await expect(page.getByRole("article", { name: /two\.txt/ })).toBeVisible();
  await page.locator(".task-head").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: /Undo/ }).click();
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await expect(dialog.getByText("This will undo 1 change:")).toBeVisible();
  world.deputy("stop", task);
  world.deputy("undo", task);
  await dialog.getByRole("button", { name: "Undo" }).click();
  await expect(dialog.locator(".undo-files, .error-note, .muted").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Stopped by you").first()).toBeVisible();
});

test("a browser that lets no notification be made stays quiet about it", async ({ page, world }) => {
  await page.addInitScript(() => {
    const broken = class {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor() {
        throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.");
      }
    };
    Object.defineProperty(window, "Notification", { value: broken });
    Object.defineProperty(document, "hidden", { get: () => true });
    localStorage.setItem("deputy.preferences", JSON.stringify({ notify: true }));
  });
  await world.start({ by_conversation: true, turns: [calls("", shell("touch it")), say("Done.")] });
  await world.open(page, "#/inbox");
  await expect(page.getByRole("heading", { name: "Nothing needs your attention" })).toBeVisible();
  world.task("Touch it");
  await expect(page.getByRole("article")).toBeVisible();
  await expect(page).toHaveTitle("(1) Deputy");
});

test("a browser without notifications offers none", async ({ page, world }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "Notification");
  });
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/settings");
  await expect(page.getByRole("heading", { name: "Notifications" })).toBeVisible();
  await expect(page.getByRole("switch", { name: /browser/ })).toHaveCount(0);
});

test("a folder that cannot be worked in is said, and what was written stays", async ({ page, world }) => {
  world.write("file.txt", "no folder\n");
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/new");
  const goal = page.getByRole("textbox", { name: "What do you want done?" });
  await goal.fill("Tidy up");
  for (const folder of ["/no/such/folder", `${world.workspace}/file.txt`, "relative"]) {
    await page.getByRole("combobox", { name: "Folder", exact: true }).fill(folder);
    await page.getByRole("button", { name: /^Start/ }).click();
    await expect(page.getByRole("alert")).toContainText(folder);
    await expect(goal).toHaveValue("Tidy up");
    await page.getByRole("button", { name: "Dismiss" }).click();
  }
});
