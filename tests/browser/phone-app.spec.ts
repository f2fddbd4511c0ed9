/**
 * The app's pages over the app's own connection: its Java pairs, proves its identity, signs, and asks for the screen
 * lock.
 */
import { App } from "./app";
import { door, look, showCode } from "./handheld";
import { calls, expect, say, shell, test } from "./world";

const WORK = {
  turns: [
    calls("I keep it.", shell("printf two > two.txt")),
    calls("And clean up.", shell("rm .env")),
    calls("Once more.", shell("rm notes.txt")),
    say("Done."),
  ],
};

test("the app scans the code, pairs, answers, and asks for the screen lock before high risk", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  world.write(".env", "KEY=x");
  await world.start(WORK, door().settings);
  const link = await showCode(page, world, true);
  const app = await App.open(browser, `code ${link}`);
  await expect(app.page.getByText("then scan the code")).toBeVisible();
  await look(app.page, "phone-app-pair");
  await app.page.getByRole("button", { name: "Scan the code" }).tap();
  await expect(app.page.getByText(`It pairs with ${new URL(link).host}`)).toBeVisible();
  await look(app.page, "phone-app-pair-at");
  await app.page.getByRole("button", { name: "Pair", exact: true }).tap();
  const number = (await app.page.locator(".pairing-number").textContent()) ?? "";
  await expect(page.locator(".pair-number")).toHaveText(number);
  await app.page.getByRole("button", { name: "Yes, it matches" }).tap();
  await page.getByRole("button", { name: "They match" }).click();
  await expect(app.page.getByText("No tasks yet")).toBeVisible();

  const task = world.task("Keep the numbers and clean up");
  await app.page.locator(".waits").tap();
  await app.page.getByRole("button", { name: "Run once" }).tap();
  await expect(app.page.getByText(/Allowed on/)).toBeVisible();
  await app.page.getByRole("link", { name: /Next: 1 more/ }).tap();
  await expect(app.page.getByText("High risk")).toBeVisible();
  const run = app.page.getByRole("button", { name: /Run once/ });
  const approve = async () => {
    await app.page.getByRole("textbox", { name: /Type yes/ }).fill("yes");
    await run.tap();
  };
  // A phone that is not unlocked allows nothing, and says why.
  for (const [owner, words] of [
    ["NO", "your phone was not unlocked"],
    ["WITHOUT_LOCK", "only on a phone with a screen lock"],
  ] as const) {
    app.say(`owner ${owner}`);
    await approve();
    await expect(app.page.getByRole("alert")).toContainText(words);
    if (owner === "NO") await look(app.page, "phone-app-locked", { answer: run });
  }
  expect(world.deputy("show", task, "--json").match(/"permission_answered"/g)).toHaveLength(1);
  app.say("owner YES");
  await approve();
  await expect(app.page.getByText(/Allowed on/)).toBeVisible();
  // A denial needs no authentication.
  app.say("owner NO");
  await app.page.getByRole("link", { name: /Next: 1 more/ }).tap();
  await app.page.getByRole("button", { name: "Deny with a reason" }).tap();
  await app.page.getByRole("button", { name: "Deny", exact: true }).tap();
  await expect(app.page.getByText(/Denied on/)).toBeVisible();
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"stopped"');
  const story = world.deputy("show", task, "--json");
  expect(story.match(/"by":"device"/g)).toHaveLength(3);
  await app.close();
});

test("a link into the app pairs, what is shared becomes a task, and settings are held by the app", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  await world.start({ turns: [say("Hello.")] }, door().settings);
  const link = await showCode(page, world, true);
  const { host, hash } = new URL(link);
  const app = await App.open(browser, `show go #at=${host}&${hash.slice(1)}`);
  await app.page.getByRole("textbox", { name: "Device name" }).fill("Ada's Pixel");
  await app.page.getByRole("button", { name: "Pair", exact: true }).tap();
  await app.page.getByRole("button", { name: "Yes, it matches" }).tap();
  await page.getByRole("button", { name: "They match" }).click();
  await expect(app.page.getByText("No tasks yet")).toBeVisible();

  // From the share sheet, and from a notification.
  app.say("show shared Read https://example.org/report and sum it up");
  await expect(app.page.getByRole("textbox", { name: "What do you want done?" })).toHaveValue(/sum it up/);
  await look(app.page, "phone-app-shared");
  app.say("show go #/settings");
  await expect(app.page.getByRole("heading", { name: "App", exact: true })).toBeVisible();
  await look(app.page, "phone-app-settings");
  await app.page.getByRole("switch", { name: /Connect when the phone starts/ }).click();
  // Without a push app, push stays off, and the page says what is missing.
  const push = app.page.getByRole("switch", { name: /Push/ });
  await push.click();
  await expect(app.page.getByRole("alert")).toContainText("No UnifiedPush app is installed");
  await expect(push).not.toBeChecked();
  app.say("pushapp installed");
  await push.click();
  await expect(push).toBeChecked();
  const addresses = app.page.getByRole("textbox", { name: /Addresses/ });
  await expect(addresses).toHaveValue(host);
  await addresses.fill("not an address");
  await addresses.blur();
  await expect(app.page.getByText("An address looks like")).toBeVisible();
  // The first address does not answer, but the next one does.
  await addresses.fill(`127.0.0.1:9 ${host}`);
  await addresses.blur();
  await expect(app.page.getByText("An address looks like")).toBeHidden();
  await app.page.reload();
  await expect(app.page.getByRole("switch", { name: /Push/ })).toBeChecked();
  await expect(app.page.getByRole("switch", { name: /Connect when the phone starts/ })).not.toBeChecked();
  await expect(app.page.getByRole("textbox", { name: /Addresses/ })).toHaveValue(`127.0.0.1:9\n${host}`);
  await expect(app.page.getByRole("textbox", { name: "Device name" })).toHaveValue("Ada's Pixel");
  await app.page.getByRole("button", { name: "Forget this phone" }).tap();
  await app.page.getByRole("button", { name: "Forget this phone" }).tap();
  await expect(app.page.getByRole("heading", { name: "This device isn't paired" })).toBeVisible();
  await app.page.reload();
  await expect(app.page.getByRole("button", { name: "Scan the code" })).toBeVisible();
  expect(world.deputy("--json", "devices", "list")).toContain('"revoked_at_ms":1');
  await app.close();
});

test("what is shared can be added to a task at work, which gets it when its person sends it", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  await world.start(WORK, door().settings);
  const link = await showCode(page, world, true);
  const app = await App.open(browser, `code ${link}`);
  await app.page.getByRole("button", { name: "Scan the code" }).tap();
  await app.page.getByRole("button", { name: "Pair", exact: true }).tap();
  await app.page.getByRole("button", { name: "Yes, it matches" }).tap();
  await page.getByRole("button", { name: "They match" }).click();
  const task = world.task("Keep the numbers and clean up");
  await expect(app.page.locator(".waits")).toBeVisible();
  app.say("show shared Use https://example.org/numbers");
  const adding = app.page.getByRole("region", { name: "Or add it to a running task" });
  await expect(adding).toBeVisible();
  await look(app.page, "phone-app-shared-add");
  await adding.getByRole("button", { name: "Keep the numbers and clean up" }).tap();
  const line = app.page.getByRole("textbox", { name: "Add an instruction" });
  await expect(line).toHaveValue("Use https://example.org/numbers");
  expect(world.deputy("show", task, "--json"), "nothing was sent yet").not.toContain("example.org/numbers");
  await app.page.getByRole("button", { name: "Send" }).tap();
  await expect(app.page.locator(".timeline")).toContainText("Use https://example.org/numbers");
  // The form for a new task is empty again.
  await app.page.evaluate(() => (window.location.hash = "#/new"));
  await expect(app.page.getByRole("textbox", { name: "What do you want done?" })).toHaveValue("");
  await app.close();
});
