/** What the user refused, as the next requests of the same task show it on the page and on a phone. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { door, paired } from "./handheld";
import { type Call, calls, expect, say, shell, test } from "./world";

const plan: Call = {
  name: "organize",
  arguments: { action: "submit_plan", operations: [{ type: "trash", path: "build" }] },
};

for (const [what, next, name, risk] of [
  ["names it", shell("mv build aside"), /mv build aside/, "High risk"],
  // Undo restores what it could remove.
  ["does not name it", shell("git clean -fdx"), /git clean/, "Medium risk"],
  ["is a plan", plan, /Organize|trash/i, "High risk"],
] as const) {
  test(`a request that ${what} says what was refused, on the page and on a phone`, async ({
    browser,
    page,
    world,
  }) => {
    await world.start(
      { turns: [calls("I free some room.", shell("rm -r build")), calls("Then so.", next), say("Done.")] },
      door().settings,
    );
    mkdirSync(join(world.workspace, "build"));
    writeFileSync(join(world.workspace, "build/o1"), "1\n");
    const phone = await paired(browser, page, world, false);
    await world.open(page, `#/tasks/${world.task("Free some room")}`);
    const first = page.getByRole("article").filter({ hasText: "rm -r build" });
    await first.getByRole("button", { name: /Deny/ }).click();
    await first.getByRole("textbox").fill("keep it");
    await first.getByRole("textbox").press("Enter");

    const card = page.getByRole("article").filter({ hasText: name });
    await expect(card.getByText(risk).first()).toBeVisible();
    await expect(card.getByText(/You refused.*build.*keep it/i).first()).toBeVisible();
    await page.screenshot({ path: test.info().outputPath("page.png") });
    await phone.page.locator(".waits").tap();
    await expect(phone.page.getByText(/You refused.*build.*keep it/i).first()).toBeVisible();
    await phone.page.screenshot({ path: test.info().outputPath("phone.png") });
  });
}
