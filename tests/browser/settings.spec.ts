/** Settings, rules and usage by keyboard and by text, with a real host; and what a limited client does not see. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { check } from "./screens";
import { calls, expect, say, shell, test, type World } from "./world";

const STORY = { by_conversation: true, turns: [calls("I look.", shell("ls")), say("Done.")] };

test("a backend is set up, checked and used; the file keeps its comments", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  await world.start(STORY);
  const [, model = ""] = /base_url = "([^"]+)"/.exec(world.settings()) ?? [];
  await world.end();
  world.configure("config.toml", '# mine\nprofile = "general" # why\n');
  await world.serve("127.0.0.1:0");
  await world.open(page, "#/settings");
  const backend = page.getByRole("listitem", { name: "OpenAI-compatible" });
  await backend.getByRole("button", { name: "Set up" }).focus();
  await page.keyboard.press("Enter");
  await expect(backend.getByLabel("Address")).toBeFocused();
  await check(page, "backend");
  await page.keyboard.type("http://somebody@127.0.0.1/v1");
  await page.keyboard.press("Enter");
  await expect(backend.getByText("can't contain a user name or password")).toBeVisible();
  expect(world.settings()).not.toContain("somebody");
  await backend.getByLabel("Address").fill(model);
  await page.keyboard.press("Tab");
  await page.keyboard.type("scripted");
  await page.keyboard.press("Enter");
  await expect(backend.getByText(/It responds, in .* 1 model: scripted/)).toBeVisible();
  // The first model that answers becomes the default.
  await expect(backend.getByText("Default", { exact: true })).toBeVisible();
  await expect(backend.getByLabel("Address")).toBeHidden();
  expect(world.settings()).toMatch(/^# mine\nprofile = "general" # why\n/);
  expect(world.settings()).toContain('backend = "openai_compatible"');
  // It takes effect at once: this host's next task uses it.
  world.task("Look around");
  await page.evaluate(() => (window.location.hash = "#/tasks"));
  await page.getByRole("link", { name: /Look around/ }).click();
  await expect(page.getByText("I look.")).toBeVisible();
  // The host refuses settings that the page may not change, whatever the page sends.
  const refused = await tell(page, {
    command: "change_settings",
    changes: [{ key: "notify.command", value: "sh" }],
  });
  expect(refused).toMatchObject({ type: "error", error: { code: "bad_setting" } });
});

test("a model that the server does not list is noticed", async ({ page, world }) => {
  await world.start(STORY);
  await world.open(page, "#/settings");
  const backend = page.getByRole("listitem", { name: "OpenAI-compatible" });
  await backend.getByRole("button", { name: "Edit" }).click();
  const model = backend.getByLabel("Model", { exact: true });
  await model.fill("scripte");
  await page.keyboard.press("Enter");
  await expect(backend.getByText("The configured model scripte isn't one of them.")).toBeVisible();
  await expect(backend.getByText(/1 model: scripted/)).toBeVisible();
  await backend.getByRole("button", { name: "Edit" }).click();
  await model.fill("scripted");
  await page.keyboard.press("Enter");
  await expect(backend.getByText("isn't one of them")).toBeHidden();
  await expect(backend.getByText(/1 model: scripted/)).toBeVisible();
});

test("limits and quiet hours are kept, and what is not valid is said", async ({ page, world }) => {
  await world.start(STORY);
  await world.open(page, "#/settings");
  const steps = page.getByLabel("Steps");
  await steps.fill("40");
  await page.keyboard.press("Enter");
  await expect.poll(() => world.settings()).toContain("max_iterations = 40");
  await steps.fill("");
  await page.keyboard.press("Enter");
  await expect(steps).toHaveValue("100");
  await page.getByText("More limits").click();
  // The page shows minutes, the file has seconds.
  await page.getByLabel("Maximum minutes for a command").fill("90");
  await page.keyboard.press("Enter");
  await expect.poll(() => world.settings()).toContain("command_secs = 5400");
  const beside = page.getByLabel("Calls at the same time");
  await beside.fill("70");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/70 calls at the same time/)).toBeVisible();
  expect(world.settings()).not.toContain("parallel_calls");
  await page.getByLabel("Quiet from").fill("22:00");
  await page.getByLabel("Quiet until").fill("07:00");
  await expect.poll(() => world.settings()).toContain('quiet = "22:00-07:00"');
  await expect(page.getByText("Takes effect after a restart.")).toBeVisible();
  await page.getByLabel("Relay for phones").fill("ftp://nowhere/topic");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/isn't the address of a topic/)).toBeVisible();
  expect(world.settings()).not.toContain("ftp:");
});

test("a number is kept as it was typed, or refused at its field", { tag: "@smoke" }, async ({
  page,
  world,
}) => {
  await world.start(STORY);
  await world.open(page, "#/settings");
  const hours = page.getByLabel("Hours a request waits");
  const said = (field: typeof hours) => page.locator("label").filter({ has: field }).getByRole("status");
  for (const [typed, words, kept] of [
    ["1,5", "Saved", 5_400],
    ["abc", "Not saved: this is not a number", 5_400],
    ["1,500", "Not saved: this is not a number", 5_400],
    ["-2", "Not saved: this is not a number", 5_400],
    ["0", "Not saved: at least", 5_400],
    ["2.25", "Saved", 8_100],
  ] as const) {
    await hours.fill(typed);
    await page.keyboard.press("Enter");
    await expect(said(hours)).toContainText(words);
    expect(world.settings()).toContain(`request_expiry_secs = ${kept}`);
    if (words !== "Saved") await expect(hours).toHaveValue(typed);
  }
  await expect(hours).toHaveValue("2.25");
  const tasks = page.getByLabel("Tasks at the same time");
  for (const [typed, words] of [
    ["0", "Not saved: at least 1"],
    ["1.5", "Not saved: only whole numbers"],
    ["many", "Not saved: this is not a number"],
  ] as const) {
    await tasks.fill(typed);
    await tasks.blur();
    await expect(said(tasks)).toContainText(words);
    await expect(tasks).toHaveValue(typed);
  }
  expect(world.settings()).not.toContain("max_concurrent_tasks");

  await world.open(page, "#/new");
  await page
    .getByRole("textbox", { name: /task|do/i })
    .first()
    .fill("Do it");
  await page.getByRole("button", { name: /options/i }).click();
  await page.getByLabel("Maximum steps").fill("ten");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This is not a number such as 24")).toBeVisible();
  await expect(page.getByLabel("Maximum steps")).toHaveValue("ten");
});

test("a key goes to the keyring or nowhere, and never comes back", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  const secret = "sk-page-test-7f3e9a";
  await world.start(STORY);
  const heard: string[] = [];
  page.on("websocket", (line) => line.on("framereceived", (frame) => heard.push(String(frame.payload))));
  await world.open(page, "#/settings");
  const backend = page.getByRole("listitem", { name: "OpenAI-compatible" });
  await backend.getByRole("button", { name: "Edit" }).click();
  await expect(backend.getByText(/It is sent only to .*/)).toBeVisible();
  await check(page, "key");
  await backend.getByLabel("Key").fill(secret);
  await page.keyboard.press("Enter");
  // The test environment has no keyring: the page says so, and the key is not stored elsewhere.
  await expect(backend.getByRole("alert")).toContainText("keyring");
  expect(heard.join("\n")).not.toContain(secret);
  expect(world.settings()).not.toContain(secret);
  expect(
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
  ).not.toContain(secret);
  expect(page.url()).not.toContain(secret);
});

test("a command is tried, and rules and their mistakes are shown", async ({ page, world }) => {
  world.configure("rules.toml", '[[rule]]\neffect = "deny"\ntool = "shell"\nargv = ["make", "*"]\n');
  await world.start(STORY);
  await world.open(page, "#/rules");
  await expect(page.getByText("Line 1 of the file; edit it there.")).toBeVisible();
  await page.getByRole("textbox", { name: "Command" }).focus();
  await page.keyboard.type("ls | wc -l && make all");
  await page.keyboard.press("Tab");
  await page.keyboard.type(world.workspace);
  await page.keyboard.press("Enter");
  const parts = page.locator(".verdict-parts > li");
  await expect(parts.filter({ hasText: "make all" }).getByText("Denied")).toBeVisible();
  await expect(parts.filter({ hasText: "wc -l" }).getByText("Allowed").first()).toBeVisible();
  world.configure("rules.toml", "[[rule]]\neffect = 7\n");
  await page.reload();
  await expect(page.getByText("Every action will ask until the file is fixed.")).toBeVisible();
  await page.getByRole("textbox", { name: "Folder" }).fill("/no/such/folder");
  await page.getByRole("button", { name: "Try" }).click();
  await expect(page.getByText(/cannot be opened/)).toBeVisible();
});

test("rules are made of what was tried, changed and taken out, and what they say is tried at once", {
  tag: "@screens",
}, async ({ page, world }) => {
  world.configure("rules.toml", "# mine\n");
  const rules = () => world.deputy("policy", "rules");
  await world.start(STORY);
  await world.open(page, "#/rules");
  await page.getByRole("textbox", { name: "Command" }).fill("npm test");
  await page.getByRole("textbox", { name: "Folder" }).fill(world.workspace);
  await page.getByRole("button", { name: "Try" }).click();
  const verdict = page.locator(".verdict > p");
  await expect(verdict).toContainText("Asks first");
  await page.getByRole("button", { name: "Make a rule for this" }).click();
  const form = page.getByRole("form", { name: "New rule" });
  await expect(form.getByRole("textbox", { name: "Command" })).toHaveValue("npm test");
  await form.getByRole("radio", { name: "Deny" }).click();
  await check(page, "rule");
  await form.getByRole("button", { name: "Save rule" }).click();
  await expect(verdict).toContainText("Denied");
  expect(rules()).toContain("npm test");
  // Programs that can run anything are not allowed permanently.
  await page.getByRole("button", { name: "Edit rule: npm test" }).click();
  const edit = page.getByRole("form", { name: "Edit rule" });
  await edit.getByRole("radio", { name: "Allow" }).click();
  await edit.getByRole("textbox", { name: "Command" }).fill("bash -c id");
  await page.keyboard.press("Enter");
  await expect(edit.getByRole("alert")).toContainText("Deputy asks each time");
  await edit.getByRole("textbox", { name: "Command" }).fill("npm run lint");
  await page.keyboard.press("Enter");
  await expect(edit).toBeHidden();
  await expect(verdict).toContainText("Asks first");
  await page.getByRole("button", { name: "Remove rule: npm run lint" }).click();
  await expect(page.getByText("None yet.")).toBeVisible();
  expect(rules()).not.toContain("npm");
});

test("usage has money where prices are configured, and says where none is known", async ({ page, world }) => {
  await world.start(STORY, "\n[prices.scripted]\ninput = 1000.0\noutput = 1000.0\n");
  const task = world.task("Look around");
  await ended(world, task);
  await world.open(page, "#/usage");
  await expect(page.getByText("scripted").first()).toBeVisible();
  await page.getByRole("radio", { name: "Cost" }).click();
  await expect(page.getByRole("heading", { name: "Cost per day" })).toBeVisible();
  await expect(page.getByText(/\$\d/).first()).toBeVisible();
  await expect(page.getByText(/No price set/)).toHaveCount(0);
  await page.getByRole("link", { name: "Look around" }).click();
  await expect(page.getByText("Done.").first()).toBeVisible();
});

test("the first minutes: it works at once, a server of this machine is connected", {
  tag: "@screens",
}, async ({ page, world }) => {
  // A server at Ollama's place.
  const server = createServer((request, answer) => {
    answer.setHeader("content-type", "application/json");
    answer.end(
      request.url === "/v1/models" ? '{"object":"list","data":[{"id":"tiny:1b","object":"model"}]}' : "{}",
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await world.startFresh(port);
    await world.open(page);
    await expect(page.getByText("Ready to use")).toBeVisible();
    await expect(page.getByRole("button", { name: "Connect" })).toBeVisible();
    await check(page, "guide");
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => (window.location.hash = "#/new"));
    await expect(page.getByRole("button", { name: "Connect" })).toBeVisible();
    await check(page, "guide");
    await page.getByRole("button", { name: "Connect" }).click();
    await expect(page.getByText("A model is connected")).toBeVisible();
    expect(world.settings()).toContain(`base_url = "http://127.0.0.1:${port}/v1"`);
    await page.getByRole("button", { name: /write REPORT\.md/ }).click();
    await expect(page.getByLabel("What do you want done?")).toBeFocused();
    await expect(page.getByLabel("What do you want done?")).toHaveValue(/REPORT\.md/);
  } finally {
    server.close();
  }
});

test("what a session may not do is not offered", async ({ page, world }) => {
  await world.start(STORY);
  await page.routeWebSocket(/\/ws$/, (line) => {
    const host = line.connectToServer();
    host.onMessage((text) => {
      const message = JSON.parse(String(text));
      if (message.type === "welcome") Object.assign(message, { scopes: ["monitor"], local: false });
      line.send(JSON.stringify(message));
    });
  });
  const task = world.task("Look around");
  await ended(world, task);
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("Done.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo changes" })).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Ask for a follow-up" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: /^New/ })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Devices" })).toHaveCount(0);
  await page.evaluate(() => (window.location.hash = "#/new"));
  await expect(page.getByText("View only")).toBeVisible();
  await page.evaluate(() => (window.location.hash = "#/settings"));
  await expect(page.getByRole("heading", { name: "Appearance" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Backends" })).toHaveCount(0);
  await page.evaluate(() => (window.location.hash = "#/rules"));
  await expect(page.getByRole("heading", { name: "Saved permissions" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Try a command" })).toHaveCount(0);
});

/** Waits until a task has ended. */
async function ended(world: World, task: string) {
  const running = () =>
    JSON.parse(world.deputy("--json", "status")).tasks?.map((each: { id: string }) => each.id);
  await expect.poll(() => running() ?? []).not.toContain(task);
}

/** Sends a command to the host over a separate connection, like a page that ignores its own restrictions. */
function tell(page: import("@playwright/test").Page, command: object): Promise<unknown> {
  return page.evaluate((command) => {
    const { session } = JSON.parse(localStorage.getItem("deputy.session") ?? "{}");
    const line = new WebSocket(`ws://${window.location.host}/ws`);
    return new Promise((resolve) => {
      line.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === "challenge") {
          line.send(JSON.stringify({ type: "hello", protocol: 1, proof: { proof: "session", session } }));
          line.send(JSON.stringify({ type: "command", envelope: { id: "c1", command } }));
        }
        if (message.id === "c1") resolve(message);
      };
    });
  }, command);
}
