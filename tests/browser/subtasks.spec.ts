/** A task that delegates parts to sub-tasks: the tree in its timeline and in the list. */
import { check, checkEverywhere } from "./screens";
import { ask, calls, expect, say, test, write } from "./world";

test("sub-tasks are a tree below the task that handed them over, and are answered there", {
  tag: "@screens",
}, async ({ page, world }) => {
  const goal = "Prepare the summer party";
  const parts = ["Draft the invitation", "Compare caterers"].map((goal) => ({ goal }));
  await world.start({
    by_conversation: true,
    turns_of: {
      [goal]: [
        calls("I split this in two.", { name: "delegate", arguments: { tasks: parts } }),
        say("Both are done."),
      ],
      "Draft the invitation": [
        calls("", write("invitation.md", "Dear all\n")),
        say("The draft is in invitation.md."),
      ],
      "Compare caterers": [ask("For how many guests?"), say("Two caterers fit.")],
    },
  });
  const task = world.task(goal);
  const request = await world.asked();
  await world.open(page, `#/tasks/${task}`);
  const list = page.getByRole("list", { name: "Sub-tasks" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(page.locator(".task-title")).toContainText("Waiting for sub-tasks");
  await expect(list).toContainText("Needs approval");
  await checkEverywhere(page, "subtasks", { ready: () => expect(list).toBeVisible() });
  await list.getByRole("link", { name: "Draft the invitation" }).click();
  await expect(page.getByRole("link", { name: `Part of: ${goal}` })).toBeVisible();
  world.deputy("approve", request);
  await expect(page.locator(".task-title")).toContainText("Done");
  // The list and the side column update shortly after.
  await expect(page.locator(".task-row", { hasText: "Draft the invitation" })).not.toContainText("Step");
  await expect(page.locator(".aside")).toContainText("1 file");
  await check(page, "subtasks-part");
  await page.getByRole("link", { name: `Part of: ${goal}` }).click();
  await list.getByRole("link", { name: "Compare caterers" }).click();
  await page.getByRole("textbox", { name: /answer/i }).fill("40");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: `Part of: ${goal}` }).click();
  await expect(page.getByText("Both are done.")).toBeVisible();
});
