/** Every screen in both themes and three sizes: no axe violations, and a picture for review. */
import type { Page } from "@playwright/test";
import { check } from "./pictures";
import { ask, calls, expect, say, shell, test, World, write } from "./world";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1000, height: 700 },
  { width: 390, height: 844 },
];

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

/** Runs in the page: returns what is outside of the view and not inside a scrolling or clipping element. */
function outside(): string[] {
  const held = (element: Element): boolean => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== "visible" && at !== document.body) return true;
    }
    return false;
  };
  const over = (box: DOMRect) => box.width > 1 && (box.left < -1 || box.right > window.innerWidth + 1);
  const wide = (element: Element) => {
    const { overflowX, position } = getComputedStyle(element);
    const scrolls = overflowX === "auto" || overflowX === "scroll";
    return scrolls && position !== "fixed" && element.scrollWidth > element.clientWidth + 1;
  };
  const found = [...document.querySelectorAll("body *")]
    .filter((element) => !element.closest(".skip, .sr, .mono, .drawer-scrim, .task-list, svg"))
    .filter((element) => (over(element.getBoundingClientRect()) && !held(element)) || wide(element))
    .map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
  // Content below the window would scroll the whole page, including the rail, when something is scrolled into view.
  const below = document.documentElement.scrollHeight - window.innerHeight;
  return below > 0 ? [...found, `${below} below the window`] : found;
}

test.describe("every screen is readable by everybody", () => {
  let world: World;
  let screens: Record<string, string>;

  test.beforeAll(async () => {
    world = new World();
    const [change, command, question, ended] = await furnish(world);
    screens = {
      tasks: "#/tasks",
      new: "#/new",
      change: `#/tasks/${change}`,
      command: `#/tasks/${command}`,
      question: `#/tasks/${question}`,
      ended: `#/tasks/${ended}`,
      inbox: "#/inbox",
      files: "#/files",
      memory: "#/memory",
      forgotten: "#/memory",
      rules: "#/rules",
      devices: "#/devices",
      usage: "#/usage",
      settings: "#/settings",
      doctor: "#/settings",
      try: "#/rules",
    };
  });
  test.afterAll(async () => {
    await world.end();
    world.close();
  });

  test("nothing runs over from right to left", async ({ page }) => {
    await world.open(page);
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      for (const [name, place] of Object.entries(screens)) {
        await page.evaluate((hash) => {
          document.documentElement.dir = "rtl";
          window.location.hash = hash;
        }, place);
        await expect(
          page.locator(`[data-screen="${shown(place)}"] :is(h1, h2) >> visible=true`).first(),
        ).toBeVisible();
        await expect(page.locator(".skeleton")).toHaveCount(0);
        await FILLED[name]?.(page);
        expect.soft(await page.evaluate(outside), `${name}, ${viewport.width} wide`).toEqual([]);
        if (name === "command" || name === "settings") {
          await page.screenshot({ path: `test-results/screens/rtl-${name}-${viewport.width}.png` });
        }
        await PUT_BACK[name]?.(page);
      }
    }
  });

  for (const colorScheme of ["light", "dark"] as const) {
    for (const viewport of SIZES) {
      test(`${colorScheme}, ${viewport.width} wide`, async ({ page }) => {
        // Fifteen screens with pictures and axe take long on a busy machine.
        test.slow();
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize(viewport);
        await world.open(page);
        for (const [name, place] of Object.entries(screens)) {
          await page.evaluate((hash) => {
            window.location.hash = hash;
          }, place);
          await expect(
            page.locator(`[data-screen="${shown(place)}"] :is(h1, h2) >> visible=true`).first(),
          ).toBeVisible();
          await expect(page.locator(".skeleton")).toHaveCount(0);
          await FILLED[name]?.(page);
          await check(page, `${name}-${colorScheme}-${viewport.width}`);
          await PUT_BACK[name]?.(page);
        }
        for (const [name, key] of KEYS) {
          await page.keyboard.press(key);
          await page.getByRole("dialog").waitFor();
          await check(page, `${name}-${colorScheme}-${viewport.width}`);
          await page.keyboard.press("Escape");
          await expect(page.getByRole("dialog")).toHaveCount(0);
        }
      });
    }
  }
});

test("screens with nothing on them yet are readable too", async ({ page, world }) => {
  await world.startFresh();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await world.open(page);
    for (const screen of ["inbox", "memory", "rules", "usage", "devices", "settings"]) {
      await page.evaluate((name) => (window.location.hash = `#/${name}`), screen);
      await expect(page.locator(`[data-screen="${screen}"] h1`)).toBeVisible();
      await expect(page.locator(".skeleton")).toHaveCount(0);
      await check(page, `empty-${screen}-${colorScheme}-1440`);
    }
  }
});

test("high contrast, large text, German and no motion hold on a task that waits", async ({ page, world }) => {
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
  await check(page, "german-large-contrast");
  await page.reload();
  await expect(page.getByText("Geringes Risiko")).toBeVisible();
});
