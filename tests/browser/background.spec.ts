/** Background commands of a task: live output, stopping. */
import { checkEverywhere } from "./screens";
import { ask, calls, expect, say, test } from "./world";

test("a background command is seen with its live output, and stopped", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  const command = "sh -c 'echo Serving the site on port 8000; exec sleep 86407'";
  const start = { name: "background", arguments: { action: "start", command } };
  await world.start({
    turns: [calls("I start the server.", start), ask("Does the page look right?"), say("Done.")],
  });
  const task = world.task("Show me the site");
  world.deputy("approve", await world.asked());
  await world.open(page, `#/tasks/${task}`);
  const section = page.getByRole("region", { name: "In the background" });
  await expect(section).toContainText("Serving the site on port 8000");
  const ready = async () => {
    // On a narrow screen, the section is in the side column, which a key or the menu opens.
    if (!(await section.isVisible())) await page.keyboard.press("a");
    await section.scrollIntoViewIfNeeded();
    await expect(section.getByRole("button", { name: "Stop b1" })).toBeVisible();
  };
  await checkEverywhere(page, "background", { ready });
  await section.getByRole("button", { name: "Stop b1" }).click();
  await expect(section).toBeHidden();
  await expect(page.getByText("because you stopped it.")).toBeVisible();
  const again = ["stop", task, "--background", "b1"];
  expect(() => world.deputy(...again)).toThrow(/No background command `b1`/);
});
