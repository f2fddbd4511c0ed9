/** All ways to answer on the phone's own pages, plans over files, background commands, and notification settings. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { door, look, paired } from "./handheld";
import { ask, calls, expect, read, say, shell, test, write } from "./world";

test("a yes holds as long as was chosen, and what was granted is the host's word", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  const kept = ["b", "c"].map((name) => calls("I keep it.", write(`${name}.txt`, "x\n")));
  await world.start(
    { turns: [calls("I keep it.", shell("touch a.txt")), ...kept, say("Done.")] },
    door().settings,
  );
  const phone = await paired(browser, page, world, false);
  const task = world.task("Keep three files");
  await phone.page.locator(".waits").tap();
  for (const [name, radio, button] of [
    ["a", "Once", "Run once"],
    ["b", "30 min", "Allow for 30 min"],
    ["c", "Always", "Always allow"],
  ] as const) {
    await expect(phone.page.getByText(`${name}.txt`).first()).toBeVisible();
    await phone.page.getByRole("radio", { name: radio }).first().tap();
    if (name === "c")
      await look(phone.page, "phone-always", { answer: phone.page.getByRole("button", { name: button }) });
    await phone.page.getByRole("button", { name: button }).tap();
    await expect(phone.page.getByText(/Allowed on/)).toBeVisible();
    const next = phone.page.getByRole("link", { name: /Next: 1 more/ });
    if (name !== "c") await next.tap();
  }
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"completed"');
  const grants = world.deputy("--json", "policy", "grants").trim().split("\n");
  expect(grants.map((grant) => JSON.parse(grant).lifetime?.for ?? JSON.parse(grant).rule?.argv)).toHaveLength(
    2,
  );
  expect(grants.join()).toContain("b.txt");
  expect(grants.join()).toContain("c.txt");
  await phone.context.close();
});

test("one tap shows a task the names of settings without their values", { tag: "@screens" }, async ({
  browser,
  page,
  world,
}) => {
  await world.start({ turns: [calls("Which are set?", read(".env")), say("I see.")] }, door().settings);
  world.write(".env", "MAIL_HOST=mail.example.org\n");
  const phone = await paired(browser, page, world, false);
  const task = world.task("Check the mail settings");
  await phone.page.locator(".waits").tap();
  await expect(phone.page.getByText("High risk")).toBeVisible();
  const names = phone.page.getByRole("button", { name: "Names only" });
  await expect(names).toBeEnabled();
  await expect(names).toHaveAccessibleDescription(/which settings this file has, and none of their values/);
  await look(phone.page, "phone-names-only", { answer: names });
  await names.tap();
  await expect(phone.page.getByText(/Allowed on .*, names only/)).toBeVisible();
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"completed"');
  const story = world.deputy("show", task, "--json");
  expect(story).toContain('"lifetime":{"for":"names"}');
  expect(story).toContain("MAIL_HOST=<hidden>");
  expect(story).not.toContain("mail.example.org");
  await phone.context.close();
});

test("a plan over files is two trees and is approved as one", { tag: "@screens" }, async ({
  browser,
  page,
  world,
}) => {
  const folder = join(world.root, "user", "Downloads");
  mkdirSync(folder);
  for (const name of ["May.pdf", "song.mp3"]) writeFileSync(join(folder, name), name);
  const operations = [
    { type: "create_folder", path: "Invoices", reason: "" },
    { type: "move", path: "May.pdf", to: "Invoices/May.pdf", reason: "It is an invoice." },
  ];
  const plan = { action: "submit_plan", paths: [folder], reasoning: "Invoices get a folder.", operations };
  await world.start(
    { turns: [calls("", { name: "organize", arguments: plan }), say("Tidied.")], by_conversation: true },
    door().settings,
  );
  const phone = await paired(browser, page, world);
  world.deputy("--json", "run", "Tidy up", "--in", folder, "--profile", "organizer", "--detach");
  await phone.page.locator(".waits").tap();
  const trees = phone.page.getByRole("region", { name: "Folders before and after" });
  await expect(trees.getByRole("region", { name: "After" })).toContainText("Invoices");
  await expect(trees.getByRole("region", { name: "Before" })).toContainText("May.pdf");
  await look(phone.page, "phone-plan", {
    answer: phone.page.getByRole("button", { name: "Approve plan" }),
  });
  await phone.page.getByRole("button", { name: "Approve plan" }).tap();
  await expect(phone.page.getByText(/Allowed on/)).toBeVisible();
  await expect.poll(() => readdirSync(folder).sort().join()).toBe("Invoices,song.mp3");
  await phone.context.close();
});

test("what runs behind a task is seen and stopped, and notifications are a choice", {
  tag: "@screens",
}, async ({ browser, page, world }) => {
  const command = "sh -c 'echo Serving the site on port 8000; exec sleep 86407'";
  const start = { name: "background", arguments: { action: "start", command } };
  await world.start(
    { turns: [calls("I start the server.", start), ask("Does the page look right?"), say("Done.")] },
    door().settings,
  );
  const phone = await paired(browser, page, world);
  const task = world.task("Show me the site");
  await phone.page.locator(".waits").tap();
  await phone.page.getByRole("button", { name: "Run once" }).tap();
  await expect(phone.page.getByText(/Allowed on/)).toBeVisible();
  await phone.page.getByRole("link", { name: /Next: 1 more/ }).tap();
  await expect(phone.page.getByText("Does the page look right?")).toBeVisible();
  await phone.page.evaluate((task) => (window.location.hash = `#/tasks/${task}`), task);
  const section = phone.page.getByRole("region", { name: "In the background" });
  await expect(section).toContainText("Serving the site on port 8000");
  await look(phone.page, "phone-background");
  await section.getByRole("button", { name: "Stop b1" }).tap();
  await expect(section).toBeHidden();

  await phone.context.grantPermissions(["notifications"]);
  await phone.page.evaluate(() => (window.location.hash = "#/settings"));
  const notify = phone.page.getByRole("switch", { name: /Notify me/ });
  await notify.click();
  await expect(notify).toBeChecked();
  await phone.page.reload();
  await expect(phone.page.getByRole("switch", { name: /Notify me/ })).toBeChecked();
  await phone.context.close();
});
