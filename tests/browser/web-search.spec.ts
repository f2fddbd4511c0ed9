/**
 * Web search on the settings page: a provider is configured and tested on saving, and its key is stored only in the
 * keyring.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { check } from "./screens";
import { calls, expect, say, test } from "./world";

const STORY = { by_conversation: true, turns: [calls("I search.", search("ripe pears")), say("Done.")] };

function search(query: string) {
  return { name: "web_search", arguments: { query } };
}

test("a provider is tried on saving, and tasks search with it", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  // Answers as SearXNG does. At first, refuses the JSON format.
  let isReady = false;
  const asked: (string | undefined)[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url);
    answer.statusCode = isReady ? 200 : 403;
    const found = { title: "Pears", url: "https://fruit.example/pears", content: "Ripe in autumn" };
    answer.end(isReady ? JSON.stringify({ results: [found] }) : "<h1>403</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await world.start(STORY);
    await world.open(page, "#/settings");
    const section = page.getByRole("region", { name: "Web search" });
    await expect(section.getByText("Tasks can't search the web until you set up a provider.")).toBeVisible();
    const provider = section.getByRole("listitem", { name: "SearXNG" });
    await provider.getByRole("button", { name: "Set up" }).focus();
    await page.keyboard.press("Enter");
    await expect(provider.getByLabel("Address")).toBeFocused();
    await page.keyboard.type(address.replace("127.0.0.1", "me@127.0.0.1"));
    await page.keyboard.press("Enter");
    await expect(provider.getByText("can't contain a user name or password")).toBeVisible();
    await provider.getByLabel("Address").fill(address);
    await page.keyboard.press("Enter");
    // If the test fails, the form stays open and shows the error.
    await expect(provider.getByRole("alert")).toContainText("answered with status 403");
    await check(page, "web-search");
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 390, height: 844 });
    await provider.evaluate((row) => row.scrollIntoView({ block: "center" }));
    await check(page, "web-search");
    isReady = true;
    await provider.getByRole("button", { name: "Save and check" }).click();
    await expect(provider.getByText(/It responds, in .* 1 result came back\./)).toBeVisible();
    await expect(provider.getByLabel("Address")).toBeHidden();
    await expect(provider.getByText("In use")).toBeVisible();
    expect(world.settings()).toContain(`address = "${address}"`);
    // The address is this test's own server.
    const before = asked.length;
    await world.later("web-search", "check");
    expect(asked.length).toBe(before + 1);
    expect(world.deputy("web-search", "list")).toContain("* searxng");
    const task = world.task("Look for pears");
    world.deputy("approve", await world.asked());
    await expect.poll(() => world.deputy("--json", "show", task)).toContain("Ripe in autumn");
    expect(asked.at(-1)).toContain("q=ripe+pears");
    await provider.getByRole("button", { name: "Stop using" }).click();
    await expect(section.getByText("Tasks can't search the web until you set up a provider.")).toBeVisible();
    expect(world.settings()).not.toContain(address);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a search key goes to the keyring or nowhere, and never comes back", async ({ page, world }) => {
  const secret = "made-up-search-key-7f3e9a";
  await world.start(STORY);
  const heard: string[] = [];
  page.on("websocket", (line) => line.on("framereceived", (frame) => heard.push(String(frame.payload))));
  await world.open(page, "#/settings");
  const provider = page.getByRole("region", { name: "Web search" }).getByRole("listitem", { name: "Brave" });
  await provider.getByRole("button", { name: "Set up" }).click();
  await expect(provider.getByText("It is sent only to https://api.search.brave.com.")).toBeVisible();
  await provider.getByLabel("Key").fill(secret);
  await page.keyboard.press("Enter");
  // The test environment has no keyring: the page says so, and the key is not stored elsewhere.
  await expect(provider.getByRole("alert")).toContainText("keyring");
  expect(heard.join("\n")).not.toContain(secret);
  expect(world.settings()).not.toContain(secret);
  await expect(provider.getByText("BRAVE_API_KEY").first()).toBeVisible();
});
