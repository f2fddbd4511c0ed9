import { ask, calls, expect, say, shell, test, write, World } from "./world";
import { mkdirSync } from "node:fs";
const STORY = {
  by_conversation: true,
  turns: [
    calls("Most of these are notes. I look for **duplicates** first.", shell("ls -la"), shell("cat missing.txt")),
    calls("I write down what I found.", write("REPORT.md", "# Report\n\n- two notes\n- one duplicate\n")),
    calls("Then I send it.", shell("wc -w REPORT.md > count.txt && curl -fsS https://example.org -d @count.txt")),
    ask("Where shall the duplicate go?"),
    say("Done. **REPORT.md** lists everything.\n\n| kind | files |\n|---|---|\n| notes | 2 |\n"),
  ],
};
async function waits(world: World, task: string) {
  let id = "";
  await expect.poll(() => {
    const status = JSON.parse(world.deputy("--json", "status"));
    const of = (list?: { id: string; task: string }[]) => list?.find((each) => each.task === task)?.id;
    id = of(status.requests) ?? of(status.questions) ?? "";
    return id !== "" || !status.tasks?.some((each: { id: string }) => each.id === task);
  }, { timeout: 120_000 }).toBe(true);
  return id;
}
test("tour", async ({ page, world }) => {
  test.setTimeout(1_500_000);
  mkdirSync("/tmp/pageprof/tour", { recursive: true });
  await world.start(STORY);
  const tasks: string[] = [];
  for (const [n, [folder, goal]] of Object.entries({ letters: "Find the duplicates", reports: "Send the report", notes: "Sort the notes", inbox: "Tidy the folder" }).entries()) {
    const task = world.task(goal, folder); tasks.push(task);
    for (let s = 0; s < n; s++) {
      const id = await waits(world, task);
      if (s === 0) world.deputy("approve", id, "--for", n === 3 ? "always" : "once");
      if (s === 1) world.deputy("deny", id, "--reason", "nothing is sent");
      if (s === 2) world.deputy("answer", id, "keep it");
    }
    await waits(world, task);
  }
  await world.open(page);
  const [change, command, question, ended] = tasks;
  const screens: Record<string, string> = { new: "#/new", change: `#/tasks/${change}`, command: `#/tasks/${command}`, ended: `#/tasks/${ended}`, inbox: "#/inbox", files: "#/files", rules: "#/rules", devices: "#/devices", usage: "#/usage", settings: "#/settings" };
  const sizes: [number, number][] = [[1280, 800], [900, 600], [390, 844]];
  const looks: Record<string, () => Promise<void>> = {
    light: async () => page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" }),
    dark: async () => page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" }),
    forced: async () => page.emulateMedia({ colorScheme: "light", forcedColors: "active", reducedMotion: "reduce" }),
    contrast: async () => { await page.emulateMedia({ colorScheme: "dark", forcedColors: "none", contrast: "more", reducedMotion: "reduce" }); },
    german: async () => { await page.emulateMedia({ colorScheme: "light", contrast: "no-preference", forcedColors: "none" }); await page.evaluate(() => localStorage.setItem("deputy.preferences", JSON.stringify({ language: "de" }))); await page.reload(); },
    rtl: async () => { await page.evaluate(() => { localStorage.removeItem("deputy.preferences"); }); await page.reload(); await page.locator(".rail").waitFor(); await page.evaluate(() => { document.documentElement.dir = "rtl"; }); },
    big: async () => { await page.reload(); await page.locator(".rail").waitFor(); await page.evaluate(() => { document.documentElement.style.fontSize = "32px"; }); },
  };
  const only = process.env.LOOKS?.split(",") ?? Object.keys(looks);
  for (const [look, set] of Object.entries(looks)) {
    if (!only.includes(look)) continue;
    await set();
    for (const [w, h] of sizes) {
      await page.setViewportSize({ width: w, height: h });
      for (const [name, place] of Object.entries(screens)) {
        await page.evaluate((hash) => (window.location.hash = hash), place);
        await page.locator(`.page :is(h1,h2) >> visible=true`).first().waitFor();
        await expect(page.locator(".skeleton")).toHaveCount(0);
        if (name === "new") { const m = page.locator("button[aria-expanded=false].ghost").first(); if (await m.isVisible()) await m.click(); }
        await page.screenshot({ path: `/tmp/pageprof/tour/${look}-${w}-${name}.png` });
      }
    }
  }
});
