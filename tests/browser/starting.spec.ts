/** Starting a task, and the quick fixes when the model is missing or fails. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { checkEverywhere } from "./screens";
import { expect, say, test } from "./world";

const specOf = (shown: string) => JSON.parse(shown.split("\n")[0] ?? "").record.event.spec;

test("the model, and what the task may touch, are chosen in the form", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  mkdirSync(join(world.root, "user", "notes"));
  world.write("a.txt", "a\n");
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/new");
  await page.getByLabel("What do you want done?").fill("Say hello");
  await page.getByRole("combobox", { name: "Folder", exact: true }).fill(world.workspace);
  const model = page.getByRole("combobox", { name: "Model", exact: true });
  await expect(model.locator("option:checked")).toHaveText("scripted");
  await model.selectOption("No model");
  await model.selectOption("scripted");
  await page.getByRole("button", { name: "Options" }).click();
  await page.getByRole("textbox", { name: "May also read" }).fill("~/notes");
  await page.getByRole("textbox", { name: "Only these files" }).fill(join(world.workspace, "a.txt"));
  await checkEverywhere(page, "new-options");
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.getByText("Hello.", { exact: true })).toBeVisible();
  const [, task = ""] = /tasks\/(\w+)/.exec(page.url()) ?? [];
  const spec = specOf(world.deputy("--json", "show", task));
  expect(spec.backend).toBe("openai_compatible");
  expect(spec.scope.read[0]).toMatch(/\/user\/notes$/);
  expect(spec.scope.only_files[0]).toMatch(/\/a\.txt$/);
});

test("the first steps stay until a model is there, the promises until one was kept", async ({
  page,
  world,
}) => {
  await world.startFresh();
  await world.open(page, "#/new");
  await expect(page.getByText("Ready to use")).toBeVisible();
  await expect(page.getByText("Asks first")).toBeVisible();
  world.write("a.txt", "a\n");
  world.deputy("run", "Which files in this folder are the largest?");
  await page.reload();
  await expect(page.getByRole("link", { name: "Add one in Settings" })).toBeVisible();
  await expect(page.getByText("Asks first")).toHaveCount(0);
});

test("what takes a model is done by the connected one with a click", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  await world.start({ turns: [say("Roses are red.")] });
  const said = world.deputy(
    ...["--json", "run", "Write me a poem about the sea", "--backend", "offline", "--detach"],
  );
  const task = /"(?:id|task)":"(t\w+)"/.exec(said)?.[1] ?? "";
  await world.open(page, `#/tasks/${task}`);
  await expect(page.locator(".task-head")).toContainText("Needs a model");
  await expect(page.getByRole("button", { name: "Undo changes" })).toHaveCount(0);
  await checkEverywhere(page, "needs-model");
  await page.getByRole("button", { name: "Use scripted for this task" }).click();
  await expect(page.getByText("Roses are red.", { exact: true })).toBeVisible();
  // It is the same conversation, with the same text.
  const story = page.getByRole("region", { name: "Timeline" });
  await expect(story.locator(".said")).toHaveText(Array(2).fill("Write me a poem about the sea"));
  await expect(page.getByRole("button", { name: /for this task/ })).toHaveCount(0);
});

test("a task that needs a model has one button that leads to one", async ({ page, world }) => {
  await world.startFresh();
  const said = world.deputy("--json", "run", "Write me a poem about the sea", "--detach");
  const task = /"(?:id|task)":"(t\w+)"/.exec(said)?.[1] ?? "";
  await world.open(page, `#/tasks/${task}`);
  const story = page.getByRole("region", { name: "Timeline" });
  await expect(story.getByRole("link", { name: "Connect a model" })).toBeVisible();
  // Regression: there were two, one below the other.
  await expect(story.getByText("Connect a model", { exact: true })).toHaveCount(1);
});

test("a model that fails is changed on its card, and asked again", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  await world.start({ turns: [], by_conversation: true });
  const task = world.task("Write a report");
  await world.open(page, `#/tasks/${task}`);
  await page.getByRole("button", { name: "Enter key" }).click();
  await expect(page.getByRole("dialog").getByLabel("Key", { exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Change model" }).click();
  const dialog = page.getByRole("dialog", { name: "Change model" });
  await dialog
    .getByRole("textbox", { name: "Model" })
    .or(dialog.getByRole("combobox", { name: "Model" }))
    .fill("other");
  await checkEverywhere(page, "change-model");
  await dialog.getByRole("button", { name: "Save and check" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/^Answered by you/)).toBeVisible();
  expect(world.settings()).toContain('model = "other"');
});
