/** The page's main screens in both themes at all sizes: the layout holds, and axe finds no violations. */
import type { Page } from "@playwright/test";
import { defects } from "./layout";
import { check, checkEverywhere, SCREENS, type Screen, SIZES, THEMES } from "./screens";
import { ask, calls, expect, say, shell, test, World, write } from "./world";

const KEYS = [
  ["help", "?"],
  ["palette", "Control+k"],
] as const;

const STORY = {
  by_conversation: true,
  turns: [
    calls(
      "Most of these are notes. I look for **duplicates** first.",
      shell("ls -la"),
      shell("cat missing.txt"),
    ),
    calls("I write down what I found.", write("REPORT.md", "# Report\n\n- two notes\n- one duplicate\n")),
    calls(
      "Then I send it.",
      shell("wc -w REPORT.md > count.txt && curl -fsS https://example.org -d @count.txt"),
    ),
    ask("Where should the duplicate go?"),
    say("Done. **REPORT.md** lists everything.\n\n| kind | files |\n|---|---|\n| notes | 2 |\n"),
  ],
};

/** Actions on a screen before its picture is taken. */
const FILLED: Record<string, (page: Page) => Promise<void>> = {
  new: async (page) => {
    await page.getByRole("button", { name: "Options" }).click();
    // The choices come from the host.
    await expect(page.getByRole("combobox", { name: "Model" })).toBeVisible();
  },
  doctor: async (page) => {
    await page.getByRole("button", { name: "Run checks" }).click();
    const findings = page.locator(".findings li");
    await expect(findings.first()).toBeVisible();
    await findings.last().scrollIntoViewIfNeeded();
  },
  forgotten: async (page) => {
    const said = page.locator("[data-memory]:not([data-gone])").first();
    await said.getByRole("button", { name: /^Edit/ }).click();
    await expect(page.getByRole("textbox", { name: "Memory text" })).toBeVisible();
    const other = page.locator("[data-memory]:not([data-gone])").nth(1);
    await other.getByRole("button", { name: /^Forget/ }).click();
    await expect(page.locator("[data-gone]")).toBeVisible();
  },
  try: async (page) => {
    await page
      .getByRole("textbox", { name: "Command" })
      .fill("ls -la | sort && curl -fsS https://example.org -o page.html");
    await page.getByRole("button", { name: "Try" }).click();
    await expect(page.locator(".verdict-parts li").first()).toBeVisible();
  },
};

/** Reverts these actions, so that the screen is the same in the next picture. */
const PUT_BACK: Record<string, (page: Page) => Promise<void>> = {
  forgotten: async (page) => {
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator("[data-gone]").getByRole("button", { name: "Undo" }).click();
    await expect(page.locator("[data-gone]")).toHaveCount(0);
  },
};

interface Waiting {
  request: string | undefined;
  question: string | undefined;
}

/** Returns what a task waits for, once it waits or has ended. */
async function waiting(world: World, task: string): Promise<Waiting> {
  let found: Waiting = { request: undefined, question: undefined };
  await expect
    .poll(() => {
      const status = JSON.parse(world.deputy("--json", "status"));
      const of = (list?: { id: string; task: string }[]) => list?.find((each) => each.task === task)?.id;
      found = { request: of(status.requests), question: of(status.questions) };
      const runs = status.tasks?.some((each: { id: string }) => each.id === task);
      return found.request !== undefined || found.question !== undefined || !runs;
    })
    .toBe(true);
  return found;
}

/**
 * Creates tasks in all states that a screen can show: waiting with a change, with a command, with a question, and
 * ended.
 */
async function furnish(world: World): Promise<string[]> {
  await world.start(STORY);
  // Each has its own folder: if two tasks ask exactly the same, one waits for the other's answer.
  const goals = {
    letters: "Find the duplicates",
    reports: "Send the report",
    notes: "Sort the notes",
    inbox: "Tidy the folder",
  };
  const tasks: string[] = [];
  for (const [answers, [folder, goal]] of Object.entries(goals).entries()) {
    const task = world.task(goal, folder);
    tasks.push(task);
    for (let step = 0; step < answers; step += 1) {
      const { request = "", question = "" } = await waiting(world, task);
      const last = answers === Object.keys(goals).length - 1;
      if (step === 0) world.deputy("approve", request, "--for", last ? "always" : "once");
      if (step === 1) world.deputy("deny", request, "--reason", "nothing is sent");
      if (step === 2) world.deputy("answer", question, "keep it");
    }
    await waiting(world, task);
  }
  return tasks;
}

/** Returns the name of the screen at a place. */
function shown(place: string): string {
  const [, screen = "", id] = place.split("/");
  return screen === "tasks" && id ? "task" : screen;
}

/** Opens a screen, waits until it shows its content, and does on it what its picture shows. */
async function visit(page: Page, { screen, place }: Place): Promise<void> {
  await page.evaluate((hash) => (window.location.hash = hash), place);
  const title = page.locator(`[data-screen="${shown(place)}"] :is(h1, h2) >> visible=true`);
  await expect(title.first()).toBeVisible();
  await expect(page.locator(".skeleton")).toHaveCount(0);
  await FILLED[screen]?.(page);
}

interface Place {
  screen: Screen;
  place: string;
  /** The name of the button that answers. */
  answer?: RegExp;
}

test.describe("every screen is readable by everybody", () => {
  let world: World;
  let places: Place[];

  test.beforeAll(async () => {
    world = new World();
    const [change, command, question, ended] = await furnish(world);
    places = [
      { screen: "tasks", place: "#/tasks" },
      { screen: "new", place: "#/new", answer: /^Start/ },
      { screen: "change", place: `#/tasks/${change}`, answer: /^Approve/ },
      { screen: "command", place: `#/tasks/${command}`, answer: /^Run once/ },
      { screen: "question", place: `#/tasks/${question}`, answer: /^Answer/ },
      { screen: "ended", place: `#/tasks/${ended}` },
      { screen: "inbox", place: "#/inbox", answer: /^(Approve|Run once|Answer)/ },
      { screen: "files", place: "#/files" },
      { screen: "memory", place: "#/memory" },
      { screen: "forgotten", place: "#/memory" },
      { screen: "rules", place: "#/rules" },
      { screen: "devices", place: "#/devices" },
      { screen: "usage", place: "#/usage" },
      { screen: "settings", place: "#/settings" },
      { screen: "doctor", place: "#/settings" },
      { screen: "try", place: "#/rules" },
    ];
  });
  test.afterAll(async () => {
    await world.end();
    world.close();
  });

  test("the layout holds from right to left", async ({ page }) => {
    test.slow();
    await world.open(page);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.evaluate(() => (document.documentElement.dir = "rtl"));
      for (const place of places) {
        await visit(page, place);
        expect.soft(await defects(page), `${place.screen}, ${size.width} wide`).toEqual([]);
        await PUT_BACK[place.screen]?.(page);
      }
    }
  });

  for (const colorScheme of THEMES) {
    for (const size of SIZES) {
      test(`${colorScheme}, ${size.width} wide`, { tag: "@screens" }, async ({ page }) => {
        // Eighteen screens take long on a busy machine.
        test.slow();
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize(size);
        await world.open(page);
        for (const { answer, ...place } of places) {
          await visit(page, place);
          const button = answer && page.getByRole("button", { name: answer }).first();
          await check(page, place.screen, button && { answer: button });
          await PUT_BACK[place.screen]?.(page);
        }
        for (const [screen, key] of KEYS) {
          await page.keyboard.press(key);
          await page.getByRole("dialog").waitFor();
          await check(page, screen);
          await page.keyboard.press("Escape");
          await expect(page.getByRole("dialog")).toHaveCount(0);
        }
      });
    }
  }
});

test("screens with nothing on them yet are readable too", { tag: "@screens" }, async ({ page, world }) => {
  test.slow();
  await world.startFresh();
  await world.open(page);
  for (const screen of SCREENS.empty) {
    await visit(page, { screen, place: screen.replace("empty-", "#/") });
    await checkEverywhere(page, screen);
  }
});

test("high contrast, large text, German and no motion hold on a task that waits", {
  tag: "@screens",
}, async ({ page, world }) => {
  await world.start(STORY);
  const task = world.task("Find the duplicates");
  await waiting(world, task);
  await world.open(page, "#/settings");
  await page.getByRole("radio", { name: "High" }).click();
  await page.getByRole("radio", { name: "Largest" }).click();
  await page.getByRole("radio", { name: "Reduced" }).click();
  await page.getByRole("combobox", { name: "Language" }).selectOption("de");
  await expect(page.getByRole("heading", { name: "Einstellungen" })).toBeVisible();
  // Larger text moves the content by an amount that depends on when it is drawn.
  await page
    .getByRole("combobox", { name: "Sprache" })
    .evaluate((field) => field.scrollIntoView({ block: "center" }));
  await check(page, "german-settings");
  await page.evaluate((hash) => (window.location.hash = hash), `#/tasks/${task}`);
  await expect(page.getByText("Geringes Risiko")).toBeVisible();
  await check(page, "german-large");
  await page.reload();
  await expect(page.getByText("Geringes Risiko")).toBeVisible();
});
