/** The shortest journey through everything, on the page and on a phone: `npm run test:smoke`. */
import { door, paired } from "./handheld";
import { ask, calls, expect, say, shell, test, write } from "./world";

test("a task starts, asks, is answered, shows its result and is undone", { tag: "@smoke" }, async ({
  page,
  world,
}) => {
  await world.start({
    turns: [
      calls("I write the report.", write("report.md", "# Report\n")),
      ask("Should I also sort the notes?"),
      say("The report is written."),
    ],
  });
  await world.open(page, "#/new");
  await page.getByLabel("What do you want done?").fill("Write a report");
  await page.getByRole("combobox", { name: "Folder", exact: true }).fill(world.workspace);
  await page.getByRole("button", { name: "Start" }).click();

  const change = page.getByRole("article", { name: /report\.md/ });
  await expect(change.getByText("Low risk")).toBeVisible();
  expect(() => world.read("report.md"), "nothing is written before the answer").toThrow();
  await change.getByRole("button", { name: /^Approve/ }).click();
  const question = page.getByRole("article", { name: "Question" });
  await question.getByRole("textbox", { name: "Your answer" }).fill("No, thank you");
  await question.getByRole("button", { name: "Answer" }).click();

  await expect(page.getByText("The report is written.", { exact: true })).toBeVisible();
  await expect(page.locator(".task-head")).toContainText("Done");
  expect(world.read("report.md")).toBe("# Report\n");
  await page.getByRole("button", { name: "Undo changes" }).click();
  await expect(page.getByText("1 change undone").first()).toBeVisible();
  await expect(page.locator(".task-head")).toContainText("Undone");
  expect(() => world.read("report.md")).toThrow();
});

test("a phone is paired, sees a request, approves it with its signature, and sees it done", {
  tag: "@smoke",
}, async ({ browser, page, world }) => {
  const turns = [calls("I keep it.", shell("printf two > two.txt")), say("The numbers are kept.")];
  await world.start({ turns }, door().settings);
  const phone = await paired(browser, page, world, false);
  const task = world.task("Keep the numbers");
  await phone.page.locator(".waits").tap();
  await expect(phone.page.locator(".request-command")).toContainText("printf two > two.txt");
  await phone.page.getByRole("button", { name: "Run once" }).tap();
  await expect(phone.page.getByText(/Allowed on/)).toBeVisible();
  await phone.page.evaluate((task) => (window.location.hash = `#/tasks/${task}`), task);
  await expect(phone.page.getByText("The numbers are kept.").first()).toBeVisible();
  expect(world.read("two.txt")).toBe("two");
  // The host accepts a device's answer only with its signature.
  const story = world.deputy("show", task, "--json");
  expect(story.match(/"permission_answered"/g)).toHaveLength(1);
  expect(story).toContain('"by":"device"');
  await phone.context.close();
});
