/** Loans to a command, as the card shows them: to whom, the consequences, and that it asks each time. */
import { execFileSync } from "node:child_process";
import { checkEverywhere } from "./screens";
import { expect, say, shell, test, type World } from "./world";

const STORY = {
  by_conversation: true,
  turns: [
    {
      type: "tool_calls",
      text: "I publish it.",
      calls: [shell("git commit -q -a -m done; git push origin main")],
    },
    say("Done."),
  ],
};

/** Starts a task whose command signs in to a server. Returns its id. */
async function task(world: World): Promise<string> {
  await world.start(STORY);
  const git = (...words: string[]) => execFileSync("git", words, { cwd: world.workspace });
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", "git@git.example.com:team/project.git");
  return world.task("Publish it");
}

for (const [locale, screen, approve, said, every] of [
  ["en-US", "loan", /^Run once/, /Lends your SSH keys to this command/, /Every command in this call/],
  [
    "de-DE",
    "german-loan",
    /^Einmal ausführen/,
    /Leiht diesem Befehl deine SSH-Schlüssel/,
    /Jeder Befehl dieses Aufrufs/,
  ],
] as const) {
  test.describe(locale, () => {
    test.use({ locale });
    test("a request says what it lends and to whom", { tag: "@screens" }, async ({ page, world }) => {
      await world.open(page, `#/tasks/${await task(world)}`);
      const card = page.getByRole("article", { name: /push/ });
      await expect(card.getByText(said)).toBeVisible();
      await expect(card.getByText("git@git.example.com", { exact: true })).toBeVisible();
      await expect(card.getByText(every)).toBeVisible();
      await expect(card.getByRole("radio")).toHaveCount(0);
      await checkEverywhere(page, screen, { answer: card.getByRole("button", { name: approve }) });
    });
  });
}
