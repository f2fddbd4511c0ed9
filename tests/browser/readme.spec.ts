/**
 * The README's picture: a plan that waits for approval. `README=1 npm run pictures -- readme.spec.ts` takes it and copies it
 * into `docs/images`.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, PICTURES } from "./screens";
import { calls, expect, say, test } from "./world";

const IMAGES = join(import.meta.dirname, "../../docs/images");
const PHOTOS = ["IMG_2041.png", "IMG_2042.png", "IMG_2044.png"];
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

test("a plan waits for its approval, as the README shows it", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  const folder = join(world.root, "user", "Downloads");
  mkdirSync(folder);
  for (const name of [...PHOTOS, ...INVOICES, "Invoice 0042 (1).pdf", "notes.txt", "scan0001.pdf"]) {
    writeFileSync(join(folder, name), name.replace(" (1)", ""));
  }
  const into = (place: string) => (name: string) => {
    return { type: "move", path: name, to: `${place}/${name}`, reason: "" };
  };
  const operations = [
    { type: "create_folder", path: "Invoices", reason: "" },
    { type: "create_folder", path: "Pictures", reason: "" },
    ...INVOICES.map(into("Invoices")),
    ...PHOTOS.map(into("Pictures")),
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
  const answer = page.getByRole("button", { name: "Approve plan" });
  await expect(answer).toBeVisible();
  // Internal names must not appear in the first impression.
  await expect(page.locator(".task-head")).not.toContainText("_");
  await page.evaluate(callHome, join(world.root, "user"));
  await check(page, "plan", { answer });
  const isTaken = test.info().project.name === "pictures";
  if (isTaken && process.env.README)
    copyFileSync(join(PICTURES, "plan.light-1200.png"), join(IMAGES, "plan.png"));
});
