/**
 * Benchmarks of the phone's pages: from the journal to the card, from the tap to the tool, reconnection after a cut,
 * the first page.
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { EventRecord } from "../../../src/protocol";
import { Cable } from "../cable";
import { door, type Handheld, paired } from "../handheld";
import { calls, expect, say, shell, test, type World } from "../world";

const RUNS = Number(process.env.RUNS ?? 20);
/** The number of page loads. */
const LOADS = 7;
/** The CPU slowdown that simulates a cheap phone. */
const SLOWER = 4;

const figures: string[] = [];
const note = (name: string, figure: string, goal: string) => {
  figures.push(`| ${name} | ${figure} | ${goal} |`);
  process.stdout.write(`  ${name}: ${figure} (${goal})\n`);
};

function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return `${at(0.5)} ms (${at(0)} to ${at(1)})`;
}

/** Commands that each need approval. */
const asks = (count: number) =>
  Array.from({ length: count }, (_, n) => calls("I keep it.", shell(`printf ${n} > ${n}.txt`)));

function story(world: World, task: string): EventRecord[] {
  const said = world.deputy("show", task, "--json").trim().split("\n");
  return said.map((line) => (JSON.parse(line) as { record: EventRecord }).record);
}

/** Records when each request's card first appears in a frame of this page, by the machine's clock. */
async function watchCards(page: Page): Promise<() => Promise<Record<string, number>>> {
  await page.evaluate(() => {
    const seen: Record<string, number> = {};
    (window as unknown as { cards: object }).cards = seen;
    const frame = () => {
      const cards = document.querySelectorAll("a.waits");
      for (const card of cards) {
        const id = (card.getAttribute("href") ?? "").split("/").at(-1) ?? "";
        seen[id] ??= Date.now();
      }
      requestAnimationFrame(frame);
    };
    frame();
  });
  return () => page.evaluate(() => (window as unknown as { cards: Record<string, number> }).cards);
}

/** Returns the milliseconds from a request's event to its card. */
async function delays(
  world: World,
  tasks: readonly string[],
  seen: Record<string, number>,
): Promise<number[]> {
  return tasks
    .flatMap((task) => story(world, task))
    .flatMap(({ event, at_ms }) => (event.type === "permission_requested" ? [{ event, at_ms }] : []))
    .map(({ event, at_ms }) => (seen[event.request.id] ?? Number.POSITIVE_INFINITY) - at_ms);
}

async function onPhone(
  usual: Parameters<typeof paired>[0],
  page: Page,
  world: World,
  count: number,
): Promise<Handheld & { cable: Cable }> {
  const { settings, address } = door();
  const limits = "\n[limits]\nbrake_after = 1000\nmax_iterations = 0\n";
  await world.start({ turns: [...asks(count), say("Done.")] }, settings + limits);
  const cable = await Cable.to(address, usual);
  return { ...(await paired(cable.browser, page, world)), cable };
}

test.describe.configure({ mode: "serial" });

test("from the journal to the card, and from the tap to the tool", async ({ browser, page, world }) => {
  const { page: phone, cable } = await onPhone(browser, page, world, RUNS);
  const cards = await watchCards(phone);
  const task = world.task("Keep the numbers");
  const taps: number[] = [];
  await phone.evaluate(() =>
    document.addEventListener("click", () => ((window as unknown as { at: number }).at = Date.now()), true),
  );
  for (let run = 0; run < RUNS; run += 1) {
    await phone.locator(".waits", { hasText: `${run}.txt` }).tap();
    const allow = phone.getByRole("button", { name: "Run once" });
    await expect(allow).toBeEnabled();
    await allow.tap();
    await expect(phone.getByText(/Allowed on/)).toBeVisible();
    taps.push(await phone.evaluate(() => (window as unknown as { at: number }).at));
    await phone.evaluate(() => (window.location.hash = "#/tasks"));
  }
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"completed"');
  const records = story(world, task);
  // The page leaves the home page to answer, so only cards that appear on the home page count.
  const asked = records.filter(({ event }) => event.type === "permission_requested");
  const started = records.filter(({ event }) => event.type === "tool_started");
  expect([asked.length, started.length]).toEqual([RUNS, RUNS]);
  note(
    "tap on Run once to the tool's start",
    spread(started.map(({ at_ms }, n) => at_ms - (taps[n] ?? 0))),
    "50 ms",
  );
  expect(Object.keys(await cards()).length).toBeGreaterThan(0);
  await cable.close();
});

test("cards, a cut, and what came meanwhile", async ({ browser, page, world }) => {
  const { page: phone, cable } = await onPhone(browser, page, world, 2 * RUNS);
  const cards = await watchCards(phone);
  const task = world.task("Keep the numbers");
  for (let run = 0; run < RUNS; run += 1) {
    await expect(phone.locator(".waits")).toContainText(`${run}.txt`);
    world.deny("next");
  }
  await expect(phone.locator(".waits")).toContainText(`${RUNS}.txt`);
  note(
    "PermissionRequested in the journal to its card",
    spread(await delays(world, [task], await cards())),
    "150 ms",
  );
  let welcomed = (_: number) => {};
  phone.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      if (String(payload).startsWith('{"type":"welcome"')) welcomed(Date.now());
    }),
  );
  const back: number[] = [];
  for (let run = RUNS; run < 2 * RUNS; run += 1) {
    await expect(phone.locator(".waits")).toContainText(`${run}.txt`);
    const came = new Promise<number>((resolve) => {
      welcomed = resolve;
    });
    cable.hold("down");
    world.deny("while it is away");
    const at = Date.now();
    cable.cut();
    back.push((await came) - at);
  }
  await expect(phone.locator(".waits")).toHaveCount(0);
  const seen = Object.keys(await cards()).length;
  expect(seen, "each request was shown, under one id").toBe(2 * RUNS);
  note("back after a cut", spread(back), "1,000 ms");
  await cable.close();
});

test("five requests at once", async ({ browser, page, world }) => {
  const { settings } = door();
  const turns = [calls("I keep it.", shell("printf one > one.txt")), say("Done.")];
  await world.start({ turns, by_conversation: true }, settings);
  const phone = await paired(browser, page, world);
  await world.open(page, "#/inbox");
  const cards = await watchCards(phone.page);
  const tasks = ["a", "b", "c", "d", "e"].map((name) => world.task(`Keep ${name}`, name));
  await expect(phone.page.locator(".waits")).toHaveCount(5);
  await expect(page.locator("article")).toHaveCount(5);
  note(
    "five requests at once, to the phone's cards",
    spread(await delays(world, tasks, await cards())),
    "150 ms",
  );
  await phone.context.close();
});

test("the first page, on a slow phone", async ({ browser, page, world }) => {
  const { settings } = door();
  await world.start({ turns: [...asks(1), say("Done.")] }, settings);
  const phone = await paired(browser, page, world);
  world.task("Keep the numbers");
  await expect(phone.page.locator(".waits")).toBeVisible();
  const painted: number[] = [];
  const usable: number[] = [];
  const sizes: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    // As after the first pairing: no earlier state and no cache.
    await phone.page.evaluate(() => localStorage.removeItem("deputy.last"));
    const fresh = await phone.context.newPage();
    const session = await phone.context.newCDPSession(fresh);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    let bytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await fresh.addInitScript(() => {
      localStorage.removeItem("deputy.last");
      const frame = () => {
        if (document.querySelector("a.waits")) (window as unknown as { at: number }).at = performance.now();
        else requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    await fresh.goto(phone.address);
    await expect(fresh.locator(".waits")).toBeVisible();
    usable.push(await fresh.evaluate(() => (window as unknown as { at: number }).at));
    painted.push(
      await fresh.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0),
    );
    await fresh.evaluate(() => document.fonts.ready);
    sizes.push(bytes);
    await fresh.close();
  }
  const kilobytes = Math.round(Math.max(...sizes) / 1000);
  note("first page, on the wire", `${kilobytes} KB`, "150 KB");
  note(`first page painted, CPU slowed ${SLOWER} times`, spread(painted), "");
  note(`first page connected, and what waits on it, CPU slowed ${SLOWER} times`, spread(usable), "1,000 ms");
  await phone.context.close();
});

test.afterAll(() => {
  const file = join(import.meta.dirname, "../../../docs/benchmarks-phone.md");
  if (process.env.WRITE)
    writeFileSync(file, `${HEAD}\n| what | measured | goal |\n|---|---|---|\n${figures.join("\n")}\n`);
});

const BUILD = process.env.DEPUTY_BINARIES?.includes("release")
  ? "a release build"
  : "a build without the optimizer";
const HEAD = `# Phone benchmarks

Written by \`make bench-ui\`: ${BUILD} of the host, the built pages in Chromium as a Pixel 7, paired, over TLS on loopback. Medians, with the range in parentheses; ${cpus().length} processors,
load ${loadavg()[0]?.toFixed(0)} at the end, other work included.

The time of a card is from its event's timestamp, before the commit, to the frame that shows it. The time of a tap is from the click, so it includes the signature, to the
time of \`tool_started\`. A cut resets every connection while an event is being sent; the page is back when it has received the host's welcome, after a partly random
pause, and has shown every request made meanwhile exactly once.
`;
