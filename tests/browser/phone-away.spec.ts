/** The phone while its host is unreachable: what it shows, that it sends nothing unseen, and how it reconnects. */

import { door, look, paired } from "./handheld";
import { calls, expect, say, shell, test } from "./world";

const KEEP = { turns: [calls("I keep it.", shell("printf two > two.txt")), say("Done.")] };

test("an answer that is given while the host is gone is not sent, and given again it counts once", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  const { settings } = door();
  await world.start(KEEP, settings);
  const phone = await paired(browser, page, world);
  const task = world.task("Keep the numbers");
  await phone.page.locator(".waits").tap();
  await expect(phone.page.getByRole("button", { name: "Run once" })).toBeEnabled();
  // The desktop's page would log connection errors.
  await page.goto("about:blank");
  const listen = new URL(world.address).host;
  await world.end("SIGKILL");
  await expect(phone.page.getByText("Can't reach Deputy.")).toBeVisible();
  await phone.page.getByRole("button", { name: "Run once" }).tap();
  await expect(phone.page.getByText("Not sent:")).toBeVisible();
  await look(phone.page, "phone-undelivered");

  await world.serve(listen);
  await phone.page.getByRole("button", { name: "Try now" }).tap();
  await expect(phone.page.getByText("Deputy is back and the request was checked again")).toBeVisible();
  // No answer was queued for later.
  expect(() => world.read("two.txt")).toThrow();
  await phone.page.getByRole("button", { name: "Run once" }).tap();
  await expect(phone.page.getByText(/Allowed on/)).toBeVisible();
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"completed"');
  expect(world.deputy("show", task, "--json").match(/"permission_answered"/g)).toHaveLength(1);
  await phone.context.close();
});

test("a page that is opened while the host is gone shows the last state and its age", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  const { settings } = door();
  await world.start(KEEP, settings);
  const phone = await paired(browser, page, world);
  world.task("Keep the numbers");
  await expect(phone.page.locator(".waits")).toBeVisible();
  await expect
    .poll(() => phone.page.evaluate(() => localStorage.getItem("deputy.last") ?? ""))
    .toContain("two.txt");
  await page.goto("about:blank");
  const listen = new URL(world.address).host;
  // The page is loaded from the phone's cache. Only the connection to the host is missing.
  await phone.page.routeWebSocket(/\/ws$/, (socket) => socket.close());
  await phone.page.reload();
  await expect(phone.page.getByText("Last updated")).toBeVisible();
  await expect(phone.page.locator(".waits")).toContainText("two.txt");
  await look(phone.page, "phone-away");
  await world.end();
  // Answered elsewhere meanwhile: the cached state must not be used for decisions.
  await world.serve(listen);
  world.deny("not now");
  const again = await phone.context.newPage();
  await again.goto(phone.address);
  await expect(again.getByText("Nothing needs your attention")).toBeVisible();
  await phone.context.close();
});

test("the first page is small on the wire, and a request that comes is on the screen at once", async ({
  browser,
  page,
  world,
}) => {
  const { settings } = door();
  await world.start(KEEP, settings);
  const phone = await paired(browser, page, world);
  const fresh = await phone.context.newPage();
  const session = await phone.context.newCDPSession(fresh);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await fresh.goto(phone.address);
  await expect(fresh.getByText("Nothing needs your attention")).toBeVisible();
  await fresh.evaluate(() => document.fonts.ready);
  const usable = await fresh.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  );
  console.log(
    `first page: ${bytes} bytes, painted after ${Math.round(usable)} ms with the CPU slowed 4 times`,
  );
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(150_000);
  await phone.context.close();
});
