/** A task's browser on the page: its place, its hosts, taken over in a window and given back; in both themes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { checkEverywhere } from "./screens";
import { ask, test as base, type Call, calls, expect, say } from "./world";

const browser = (action: string, more: object = {}): Call => {
  return { name: "browser", arguments: { action, ...more } };
};

interface Site {
  server: Server;
  origin: string;
}

/** A site that knows who has signed in, and a virtual display. */
const test = base.extend<{ site: Site; display: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the names of what is asked for
  site: async ({}, use) => {
    const server = createServer((request, response) => {
      const isIn = request.headers.cookie?.includes("session=ada");
      response.setHeader("content-type", "text/html");
      if (request.url === "/login") response.setHeader("set-cookie", "session=ada; Path=/");
      const button = "<button class=newest style='margin:80px 300px'>Show the newest</button>";
      response.end(`<title>Orders</title><p>${isIn ? "Signed in as Ada" : "Please sign in"}</p>${button}`);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    await use({ server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    server.closeAllConnections();
    server.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the names of what is asked for
  display: async ({}, use) => {
    const args = ["-displayfd", "1", "-screen", "0", "1300x950x24", "-nolisten", "tcp"];
    const server: ChildProcess = spawn("Xvfb", args, { stdio: ["ignore", "pipe", "ignore"] });
    const [number] = server.stdout ? await once(server.stdout, "data") : [];
    await use(`:${String(number).trim()}`);
    server.kill();
  },
});

const turns = (origin: string) => [
  calls("I look at the orders.", browser("navigate", { url: `${origin}/orders` })),
  ask("Please sign in. Are you done?"),
  calls("I look again.", browser("snapshot")),
  say("The orders are there."),
];

test("a browser is taken over in a window, and given back", { tag: "@screens" }, async ({
  page,
  world,
  site,
  display,
}) => {
  test.setTimeout(180_000);
  world.variables.DISPLAY = display;
  await world.start({ turns: turns(site.origin) });
  const task = world.task("Look at my orders");
  world.deputy("approve", await world.asked());
  await world.open(page, `#/tasks/${task}`);
  const section = page.getByRole("region", { name: "On the web" });
  await expect(section).toContainText(`${site.origin}/orders`, { timeout: 60_000 });
  await expect(section).toContainText("Connected to 1 host");
  const host = site.origin.replace("http://", "");
  // On a narrow screen, the section is in the side column, which a key or the menu opens.
  const besides = async () => {
    if (!(await section.isVisible())) await page.keyboard.press("a");
    await expect(section).toBeVisible();
  };
  await checkEverywhere(page, "browser-asks", { ready: besides });
  await section.getByRole("button", { name: "Take over" }).click();
  await expect(section).toContainText("You have the browser.", { timeout: 60_000 });
  const thread = page.getByRole("main");
  await expect(thread.getByText("You took over the browser.")).toBeVisible();
  await checkEverywhere(page, "browser-takeover", { ready: besides });
  // The task's next call waits until the browser is given back.
  world.deputy("answer", JSON.parse(world.deputy("--json", "status")).questions[0].id, "Nearly");
  await expect(page.getByText("Waits until you give the browser back.")).toBeVisible({ timeout: 60_000 });
  await section.getByRole("button", { name: "Give back" }).click();
  await expect(page.getByText("The orders are there.")).toBeVisible({ timeout: 60_000 });
  await expect(thread.getByText("Browser given back.")).toBeVisible();
  const story = world.deputy("show", task);
  expect(story).toContain(`Connected to ${host}`);
  expect(story).toContain(`You took over the browser: ${site.origin}/orders`);
  expect(story).toContain("Browser given back");
  expect(world.deputy("--json", "show", task)).toContain("gave it back");
});

test("a click shows the page right before it, with its place outlined", { tag: "@screens" }, async ({
  page,
  world,
  site,
}) => {
  test.setTimeout(120_000);
  const turns = [
    calls("I look at the orders.", browser("navigate", { url: `${site.origin}/orders` })),
    calls("I show the newest.", browser("click", { ref: "button.newest" })),
    say("The newest is shown."),
  ];
  await world.start({ turns });
  const task = world.task("Look at my newest order");
  world.deputy("approve", await world.asked());
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByText("The newest is shown.").first()).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: /Click button.newest/ }).click();
  const picture = page.getByRole("img", { name: /Right before this action, with its place outlined/ });
  await expect(picture).toBeVisible();
  // The outline is on the button, which is not at the page's edge.
  const [shown, outline] = [
    await picture.boundingBox(),
    await page.locator(".picture-outline").boundingBox(),
  ];
  expect(outline?.y).toBeGreaterThan((shown?.y ?? 0) + 20);
  expect(outline?.width).toBeLessThan((shown?.width ?? 0) / 2);
  await checkEverywhere(page, "browser-done");
});

test("a host without a display says so, and the task keeps its browser", async ({ page, world, site }) => {
  test.setTimeout(120_000);
  await world.start({ turns: turns(site.origin) });
  const task = world.task("Look at my orders");
  world.deputy("approve", await world.asked());
  await world.open(page, `#/tasks/${task}`);
  const section = page.getByRole("region", { name: "On the web" });
  await section.getByRole("button", { name: "Take over" }).click({ timeout: 60_000 });
  await expect(section.getByRole("alert")).toContainText("Deputy runs without a display here");
  expect(() => world.deputy("browser", "take", task)).toThrow(/without a display/);
  await expect(section).toContainText("The task is using this browser.");
});

test("after a crash of the host the browser is on its last page again, and an action is not done blindly", async ({
  page,
  world,
  site,
}) => {
  test.setTimeout(120_000);
  const first = [
    calls("I look.", browser("navigate", { url: `${site.origin}/orders` })),
    ask("Shall I continue?"),
    calls("I click.", browser("click", { ref: "e1" })),
    calls("I look again.", browser("snapshot")),
    say("That is all."),
  ];
  await world.start({ by_conversation: true, turns: first });
  world.deputy("config", "set", "allow_hosts", JSON.stringify([site.origin]));
  await world.end();
  await world.serve(new URL(world.address).host);
  const task = world.task("Look at my orders");
  const question = () => JSON.parse(world.deputy("--json", "status")).questions?.[0]?.id;
  await expect.poll(question, { timeout: 60_000 }).toBeTruthy();
  await world.end("SIGKILL");
  await world.serve(new URL(world.address).host);
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByRole("region", { name: "On the web" })).toContainText("The browser is closed.");
  await expect.poll(question).toBeTruthy();
  world.deputy("answer", question(), "Yes");
  await expect(page.getByText("That is all.")).toBeVisible({ timeout: 60_000 });
  const story = world.deputy("--json", "show", task);
  expect(story).toContain("Its last page was loaded again");
  expect(story).toContain("Not done, because the browser had been closed");
  expect(story).toContain("Please sign in");
});
