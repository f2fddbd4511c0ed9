/** Takes the README's picture, so that it shows the current page. `APPROVE=1` copies it into `docs/images`. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./pictures";
import { calls, expect, say, test } from "./world";

const IMAGES = join(import.meta.dirname, "../../docs/images");
const SCREENS = join(import.meta.dirname, "../../test-results/screens");
const PICTURES = ["IMG_2041.png", "IMG_2042.png", "IMG_2044.png"];
const INVOICES = ["Invoice 0042.pdf", "Invoice 0043.pdf", "Invoice 0051.pdf"];

const MODEL = "qwen3:8b";

/** Replaces the test's home with `~`. The page does not recognize it because it is not below `/home`. */
function callHome(home: string) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    text.nodeValue = text.nodeValue?.replace(home, "~") ?? null;
  }
}

test("a plan waits for its approval, as the README shows it", async ({ page, world }) => {
  const folder = join(world.root, "user", "Downloads");
  mkdirSync(folder);
  for (const name of [...PICTURES, ...INVOICES, "Invoice 0042 (1).pdf", "notes.txt", "scan0001.pdf"]) {
    writeFileSync(join(folder, name), name.replace(" (1)", ""));
  }
  const into = (place: string) => (name: string) => {
    return { type: "move", path: name, to: `${place}/${name}`, reason: "" };
  };
  const operations = [
    { type: "create_folder", path: "Invoices", reason: "" },
    { type: "create_folder", path: "Pictures", reason: "" },
    ...INVOICES.map(into("Invoices")),
    ...PICTURES.map(into("Pictures")),
    { type: "rename", path: "scan0001.pdf", to: "Rental contract.pdf", reason: "It is the contract." },
    { type: "trash", path: "Invoice 0042 (1).pdf", reason: "The same as Invoice 0042.pdf." },
  ];
  const submit = { action: "submit_plan", paths: [folder], reasoning: "", operations };
  const thought =
    "Most of these are invoices and pictures. I propose two folders, and the duplicate goes to the trash.";
  const turns = [calls(thought, { name: "organize", arguments: submit }), say("Tidied.")];
  await world.start({ turns, model: MODEL });
  const run = ["run", "Tidy Downloads", "--in", folder, "--profile", "organizer", "--model", MODEL];
  const said = world.deputy("--json", ...run, "--detach");
  const task = /"(?:id|task)":"(t\w+)"/.exec(said)?.[1] ?? "";
  await page.setViewportSize({ width: 1200, height: 760 });
  await world.open(page, `#/tasks/${task}`);
  await expect(page.getByRole("button", { name: "Hold to approve" })).toBeVisible();
  // Internal names must not appear in the first impression.
  await expect(page.locator(".task-head")).not.toContainText("_");
  await page.evaluate(callHome, join(world.root, "user"));
  await check(page, "readme");
  if (process.env.APPROVE) copyFileSync(join(SCREENS, "readme.png"), join(IMAGES, "plan.png"));
});
