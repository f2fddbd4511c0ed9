/**
 * An approval over a connection that is cut at each step: it counts once, or the phone reports that it did not
 * arrive.
 */
import { Cable } from "./cable";
import { door, paired } from "./handheld";
import { calls, expect, say, shell, test } from "./world";

const STEPS = ["before it is given", "on its way", "before it is confirmed", "after it"] as const;
const asks = STEPS.map((_, n) => calls("I keep it.", shell(`printf ${n} > ${n}.txt`)));

test("an answer over a line that is cut at every step counts once", async ({ browser, page, world }) => {
  const { settings, address } = door();
  await world.start({ turns: [...asks, say("Done.")] }, settings);
  const cable = await Cable.to(address, browser);
  const phone = (await paired(cable.browser, page, world)).page;
  const task = world.task("Keep the numbers");
  const story = () => world.deputy("show", task, "--json");
  const answers = () => story().match(/"permission_answered"/g)?.length ?? 0;
  await phone.locator(".waits").tap();
  for (const [n, step] of STEPS.entries()) {
    await expect(phone.locator(".request-command")).toContainText(`${n}.txt`);
    const allow = phone.getByRole("button", { name: "Run once" });
    await expect(allow).toBeEnabled();
    if (step === "before it is given") cable.cut();
    if (step === "on its way") cable.hold("up");
    if (step === "before it is confirmed") cable.hold("down");
    await allow.tap();
    if (step === "before it is given") {
      // Either the page noticed the cut and dropped the answer, or the tap came after the reconnection.
      const again = phone.getByText("Deputy is back and the request was checked again");
      await expect(again.or(phone.getByText(/Allowed on/))).toBeVisible();
      if (await again.isVisible()) await allow.tap();
    }
    if (step === "on its way") {
      cable.cut();
      await expect(phone.getByText("Deputy is back and the request was checked again")).toBeVisible();
      expect(answers(), "nothing arrived, and nothing was kept for later").toBe(n);
      await allow.tap();
    }
    if (step === "before it is confirmed") {
      await expect.poll(answers).toBe(n + 1);
      cable.cut();
    }
    await expect(phone.getByText(/Allowed on/), step).toBeVisible();
    await expect(phone.getByText(/Denied on/)).toHaveCount(0);
    if (step === "after it") cable.cut();
    else await phone.getByRole("link", { name: /Next: 1 more/ }).tap();
  }
  await expect.poll(story).toContain('"completed"');
  expect(answers()).toBe(STEPS.length);
  expect(story().match(/"by":"device"/g)).toHaveLength(STEPS.length);
  for (const n of STEPS.keys()) expect(world.read(`${n}.txt`)).toBe(String(n));
  // It has reconnected, and nothing is shown twice.
  await expect(phone.getByText(/Allowed on/)).toHaveCount(1);
  await cable.close();
});

test("what happened while the line was cut is on the page once it is back, once", async ({
  browser,
  page,
  world,
}) => {
  const { settings, address } = door();
  await world.start({ turns: [...asks, say("Done.")] }, `${settings}\n[limits]\nbrake_after = 100\n`);
  const cable = await Cable.to(address, browser);
  const phone = (await paired(cable.browser, page, world)).page;
  const task = world.task("Keep the numbers");
  await expect(phone.locator(".waits")).toContainText("0.txt");
  await phone.evaluate((task) => (window.location.hash = `#/tasks/${task}`), task);
  await expect(phone.locator(".timeline")).toContainText("0.txt");
  for (const n of STEPS.keys()) {
    cable.hold("down");
    world.deny(`not the ${n}`);
    cable.cut();
    await expect(phone.locator(".timeline")).toContainText(n + 1 < STEPS.length ? `${n + 1}.txt` : "Done.");
  }
  await expect(phone.locator(".timeline").getByText("I keep it.")).toHaveCount(STEPS.length);
  await phone.evaluate(() => (window.location.hash = "#/tasks"));
  await expect(phone.locator(".phone-task")).toHaveCount(1);
  await expect(phone.locator(".waits")).toHaveCount(0);
  await cable.close();
});
