/** The page in German, including the host's texts. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { checkEverywhere, type Screen } from "./screens";
import { calls, expect, say, shell, test, write } from "./world";

test.use({ locale: "de-DE" });

const STORY = {
  by_conversation: true,
  turns: [
    calls("I write down what I found.", write("notes/REPORT.md", "# Report\n\n- two notes\n")),
    calls(
      "I count and send it.",
      shell("wc -w notes/REPORT.md > count.txt && curl -fsS https://example.org -d @count.txt"),
    ),
    say("Done."),
  ],
};

/** Returns the host's sentences without a German translation, which the page marks. */
async function english(page: Page): Promise<string[]> {
  return page.locator('body [lang="en"]:not(option)').allTextContents();
}

/** Checks that a screen contains no English, and its layout in both themes at all sizes. */
async function look(page: Page, screen: Screen) {
  expect.soft(await english(page), screen).toEqual([]);
  // A control that the button bar half covers would count as too small a target.
  const ready = () =>
    page.evaluate(() => document.querySelector(".decision-end")?.scrollIntoView({ block: "end" }));
  await checkEverywhere(page, screen, { ready });
}

test("a request is decided on, and a task ends, in German", { tag: "@screens" }, async ({ page, world }) => {
  await world.start(STORY);
  const task = world.task("Schreib einen Bericht", "letters");
  await world.open(page, `#/tasks/${task}`);
  const change = page.getByRole("article", { name: /REPORT\.md schreiben \(22 Bytes, neue Datei\)/ });
  await expect(change.getByText("legt im Arbeitsordner etwas Neues an")).toBeVisible();
  await look(page, "german-change");
  await change.getByRole("radio", { name: "Immer" }).first().click();
  await expect(change.getByText(/^Du erlaubst: .*REPORT\.md schreiben in .*letters, immer$/)).toBeVisible();
  await look(page, "german-always");
  await change.getByRole("button", { name: "Immer erlauben" }).click();

  const command = page.getByRole("article", { name: /^Daten an example\.org senden/ });
  await expect(command.getByText("Sendet Daten an einen anderen Rechner.")).toBeVisible();
  await look(page, "german-command");
  await page.keyboard.press("d");
  await page.keyboard.type("noch nicht");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Fertig · 1 Anfrage abgelehnt").last()).toBeVisible();
  // The result's text for the model is not shown to users.
  await page.locator(".call-outcome", { hasText: "Abgelehnt: noch nicht" }).click();
  await expect(page.getByText(/Abgelehnt von dir \(Desktop\)/)).toBeVisible();
  await look(page, "german-ended");

  await page.getByRole("button", { name: "Mehr", exact: true }).click();
  await page.getByRole("menuitem", { name: /Änderungen zurücknehmen/ }).click();
  await expect(page.getByText(/\d+ Änderung(en)? zurückgenommen/).first()).toBeVisible();
  await look(page, "german-undo");
});

test("commands are taken apart, and the doctor speaks, in German", { tag: "@screens" }, async ({
  page,
  world,
}) => {
  await world.start(STORY);
  world.task("Schreib einen Bericht", "letters");
  await world.open(page, "#/rules");
  for (const command of [
    "ls -la | sort && curl -fsS https://example.org -o page.html",
    "sudo rm -rf / ; cat ~/.ssh/id_rsa",
    'for f in *; do eval "$f"; done; echo $(whoami) <<EOF\nx\nEOF',
    "git push --force; npm install x; docker run y; frob --all 'it is a link'",
    "cat /etc/passwd ../../x; python3 -c 'print(1)'; find / -exec rm {} +",
    "echo 'nicht zu Ende",
  ]) {
    await page.getByRole("textbox", { name: "Befehl" }).fill(command);
    await page.getByRole("button", { name: "Ausprobieren" }).click();
    await expect(page.locator(".verdict")).toBeVisible();
    await expect(page.locator(".verdict-parts li, .verdict > p.muted").first()).toBeVisible();
    expect.soft(await english(page), command).toEqual([]);
  }
  await look(page, "german-try");
  await page.evaluate(() => {
    window.location.hash = "#/settings";
  });
  await page.getByRole("button", { name: "Prüfungen starten" }).click();
  await expect(page.locator(".findings li").first()).toBeVisible();
  await look(page, "german-doctor");
});

test("a folder is tidied in German", { tag: "@screens" }, async ({ page, world }) => {
  await world.start(STORY);
  const folder = join(world.root, "user", "Downloads");
  mkdirSync(folder);
  for (const name of [
    "song.mp3",
    "song (1).mp3",
    "Rechnung 0042.pdf",
    "notes.txt",
    "IMG_20240102_101010.jpg",
  ]) {
    writeFileSync(join(folder, name), name.startsWith("song") ? "la la" : `of ${name}`);
    // The organizer skips files that have just changed.
    utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
  }
  await world.open(page, "#/files");
  await page.getByRole("combobox", { name: "Ordner zum Aufräumen" }).fill(folder);
  await page.getByRole("button", { name: "Hinzufügen" }).click();
  await page.getByRole("button", { name: "Scannen" }).click();
  await expect(page.getByRole("region", { name: "Nachher" })).toBeVisible();
  await page.keyboard.press("w");
  const table = page.getByRole("region", { name: "Änderungen im Plan" });
  await expect(table.getByText(/derselbe Inhalt wie/)).toBeVisible();
  await look(page, "german-files");
  await expect(page.getByRole("button", { name: "Plan freigeben" })).toBeEnabled();
});
