/** Organizing in the page: a folder is picked and scanned, its plan is changed and approved, and the job is undone. */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkEverywhere } from "./screens";
import { expect, say, test, type World } from "./world";

const NAMES = [
  "Rechnung 0042.pdf",
  "Rechnung 0043.pdf",
  "IMG_2041.png",
  "setup-2.4.1.deb",
  "song.mp3",
  "<b>bold\u202etxt.csv",
];

/** Creates a folder of loose files with old modification times. */
function mess(world: World): string {
  const folder = join(world.root, "user", "Downloads");
  mkdirSync(join(folder, "atlas-main"), { recursive: true });
  writeFileSync(join(folder, "atlas-main", "package.json"), "{}");
  for (const name of [...NAMES, "Rechnung 0042 (1).pdf"]) {
    const file = join(folder, name);
    const twin = name.startsWith("Rechnung 0042");
    writeFileSync(file, `%PDF-1.4 ${twin ? "the same" : name}`);
    utimesSync(file, 1_750_000_000, 1_750_000_000);
  }
  return folder;
}

test("a folder is tidied by a changed plan and taken back, by keyboard alone", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  test.slow();
  const folder = mess(world);
  await world.start({ turns: [say("Hello.")] });
  await world.open(page);
  // The first page has the form for a new task, whose field has the focus.
  await page.locator("textarea").blur();
  await page.keyboard.press("f");
  await expect(page.getByRole("heading", { name: "Files", exact: true })).toBeVisible();
  await expect(page.getByText("Nothing yet.")).toBeVisible();

  const field = page.getByRole("combobox", { name: "Folder to tidy" });
  await field.focus();
  await page.keyboard.type("~/Dow");
  await expect(page.getByRole("option", { name: /Downloads$/ })).toBeVisible();
  await checkEverywhere(page, "files-pick");
  await page.keyboard.press("Tab");
  await expect(field).toHaveValue(`${folder}/`);
  await expect(page.getByRole("button", { name: "Add" })).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("list", { name: "Folders" })).toContainText("Downloads");
  await page.getByRole("button", { name: "Scan" }).focus();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("region", { name: "After" })).toContainText("Documents");
  await expect(page.getByRole("region", { name: "Before" })).toContainText("goes to the trash");
  await checkEverywhere(page, "files-trees");
  // A reload keeps the state.
  await page.reload();
  await expect(page.getByRole("region", { name: "After" })).toBeVisible();

  await page.keyboard.press("w");
  const table = page.getByRole("region", { name: "Changes in the plan" });
  await expect(table.getByText("<b>bold⟨U+202E⟩txt.csv").first()).toBeVisible();
  await checkEverywhere(page, "files-table");
  // Each change shows its risk, and the table can be filtered by kind.
  await expect(table.locator(".pill.high")).toContainText("High risk");
  await page.getByRole("radio", { name: "Trash 1" }).click();
  await expect(table.getByRole("checkbox")).toHaveCount(1);
  await page.getByRole("radio", { name: "All" }).click();
  // One change is left out, another gets a new target.
  await table.getByRole("checkbox", { name: /song\.mp3/ }).focus();
  await page.keyboard.press("Space");
  await table.getByRole("button", { name: /Change where setup-2\.4\.1\.deb/ }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("/elsewhere/setup.deb");
  await page.keyboard.press("Enter");
  await expect(table.getByText(/outside the folders/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve plan" })).toBeDisabled();
  await checkEverywhere(page, "files-problem");
  await table.getByRole("button", { name: /Change where setup-2\.4\.1\.deb/ }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(join(folder, "Mine", "setup.deb"));
  await page.keyboard.press("Enter");
  // A duplicate goes to the trash, which is high risk, so it takes the word. A plan approved here does not ask again.
  await expect(page.getByRole("button", { name: "Approve plan" })).toBeEnabled();
  await page.getByRole("textbox", { name: /Type yes/ }).focus();
  await page.keyboard.type("yes");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Tidied up" })).toBeVisible();
  expect(existsSync(join(folder, "Mine", "setup.deb"))).toBe(true);
  expect(existsSync(join(folder, "song.mp3"))).toBe(true);
  await checkEverywhere(page, "files-done");

  // A file was changed since, which conflicts with undoing the job.
  const mine = join(folder, "Mine", "setup.deb");
  writeFileSync(mine, "mine now");
  await page.locator(".files-run").getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("1 conflict:")).toBeVisible();
  await checkEverywhere(page, "files-undo");
  await dialog.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(/changes undone\.$/)).toBeVisible();
  await page.keyboard.press("Escape");
  expect(readFileSync(mine, "utf8")).toBe("mine now");
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(["song.mp3", "Rechnung 0042 (1).pdf"]));
  await expect(page.locator(".job")).toHaveCount(1);
});

test("a folder that cannot be scanned is reported, a tidy one is shown as tidy", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  await world.start({ turns: [say("Hello.")] });
  mkdirSync(join(world.workspace, ".git"));
  const empty = join(world.root, "user", "Empty");
  mkdirSync(empty);
  await world.open(page, "#/files");
  const pick = async (path: string) => {
    await page.getByRole("combobox", { name: "Folder to tidy" }).fill(path);
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("button", { name: "Scan" }).click();
  };
  await pick(world.workspace);
  await expect(page.getByRole("alert")).toContainText("under version control");
  await page.getByRole("button", { name: /Remove/ }).click();
  await pick(empty);
  await expect(page.getByRole("heading", { name: "Nothing to tidy" })).toBeVisible();
  await checkEverywhere(page, "files-tidy");
});
