/** Drafts of instructions and answers: every tab shows them, and they survive a browser that is killed. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { ask, expect, say, test } from "./world";

const SCRIPT = { turns: [ask("Which color?"), say("Done.")] };

test("another tab shows what is being typed, also after the first was closed", {
  tag: "@smoke",
}, async ({ page, world, context }) => {
  await world.start(SCRIPT);
  const task = world.task("Paint it");
  await world.open(page, `#/tasks/${task}`);
  await page.getByPlaceholder("Your answer").fill("Blue");
  const other = await context.newPage();
  await world.open(other, `#/tasks/${task}`);
  await expect(other.getByPlaceholder("Your answer")).toHaveValue("Blue");
  await other.getByPlaceholder("Your answer").fill("Blue or green");
  await expect(page.getByPlaceholder("Your answer")).toHaveValue("Blue or green");
  await page.close();
  await other.close();
  const third = await context.newPage();
  await world.open(third, `#/tasks/${task}`);
  await expect(third.getByPlaceholder("Your answer")).toHaveValue("Blue or green");
  // What was sent is no draft any more.
  await third.getByPlaceholder("Your answer").press("Enter");
  await expect(third.getByText("Done.").first()).toBeVisible();
  expect(
    await third.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft"))),
  ).toEqual([]);
});

test("a killed browser loses no instruction and no answer", async ({ world }) => {
  await world.start(SCRIPT);
  const task = world.task("Paint it");
  const profile = mkdtempSync(join(tmpdir(), "deputy-profile-"));
  try {
    const first = await chromium.launchPersistentContext(profile);
    const page = await first.newPage();
    await world.open(page, `#/tasks/${task}`);
    await page.getByPlaceholder("Your answer").fill("Blue or green");
    // Chromium writes it to disk some seconds later.
    const stored = join(profile, "Default/Local Storage/leveldb");
    const isStored = () =>
      readdirSync(stored).some((name) =>
        readFileSync(join(stored, name), "latin1").includes("Blue or green"),
      );
    await expect.poll(isStored, { timeout: 60_000 }).toBe(true);
    const closed = new Promise((resolve) => first.once("close", resolve));
    execFileSync("pkill", ["-KILL", "-f", profile]);
    await closed;

    const second = await chromium.launchPersistentContext(profile);
    const again = await second.newPage();
    await world.open(again, `#/tasks/${task}`);
    await expect(again.getByPlaceholder("Your answer")).toHaveValue("Blue or green");
    await second.close();
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});
