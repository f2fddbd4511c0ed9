/** Benchmarks of the page: opening and scrolling a long task, two hundred events per second, a thousand tasks. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession, Page } from "@playwright/test";
import type { EventRecord, ServerMessage, TaskEvent, TaskState, TaskSummary } from "../../../src/protocol";
import { expect, test } from "../world";

/** The approximate number of events of the long task. A step has five. */
const EVENTS = Number(process.env.EVENTS ?? 10_000);
const RUNS = Number(process.env.RUNS ?? 7);
const RATE = 200;
const SECONDS = 10;

const figures: string[] = [];
const note = (name: string, figure: string) => {
  figures.push(`| ${name} | ${figure} |`);
  process.stdout.write(`  ${name}: ${figure}\n`);
};

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function spread(values: number[]): string {
  const whole = (value: number) => Math.round(value).toString();
  return `${whole(median(values))} ms (${whole(Math.min(...values))} to ${whole(Math.max(...values))})`;
}

/** Measures the milliseconds from a change of the address until a text is on the page. */
async function timeTo(page: Page, hash: string, words: string): Promise<number> {
  return page.evaluate(
    async ([hash, words]) => {
      const begun = performance.now();
      window.location.hash = hash as string;
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      while (!document.querySelector(".timeline")?.textContent?.includes(words as string)) await frame();
      // The next frame begins after this one has been drawn.
      await frame();
      return performance.now() - begun;
    },
    [hash, words],
  );
}

/**
 * Returns the CPU time of the main thread in seconds, as counted by the browser, so that other programs do not affect
 * it.
 */
async function busy(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find((metric) => metric.name === "TaskDuration")?.value ?? 0;
}

/** Measures the share of the main thread's time that is used during `what`, in percent. */
async function share(page: Page, what: () => Promise<unknown>): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const [before, begun] = [await busy(cdp), performance.now()];
  await what();
  const share = ((await busy(cdp)) - before) / ((performance.now() - begun) / 1000);
  await cdp.detach();
  return 100 * share;
}

/** Scrolls an element to its end and back, one step per frame. Returns the times between frames. */
async function scroll(page: Page, selector: string): Promise<number[]> {
  return page.evaluate(async (selector) => {
    const element = document.querySelector(selector);
    if (!element) throw new Error(`${selector} is not on the page`);
    const times: number[] = [];
    let last = performance.now();
    for (let step = 0; step <= 240; step += 1) {
      const part = step <= 120 ? step / 120 : 2 - step / 120;
      element.scrollTop = (element.scrollHeight - element.clientHeight) * (1 - part);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      times.push(performance.now() - last);
      last = performance.now();
    }
    return times.slice(1);
  }, selector);
}

function frames(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return `median ${at(0.5)} ms per frame, 95th percentile ${at(0.95)} ms, longest ${at(1)} ms`;
}

test.describe.configure({ mode: "serial" });

test("a long task", async ({ browser, world }) => {
  const command = "echo step {n}";
  // biome-ignore lint/suspicious/noThenProperty: the script calls its last words so
  const steps = { tool: "shell", arguments: { command }, count: EVENTS / 5, then: "All done." };
  await world.start({ steps }, "[limits]\nmax_iterations = 0\nmax_wall_secs = 0\n");
  const task = world.task("Count for a long time");
  await expect
    .poll(() => JSON.parse(world.deputy("--json", "status")).tasks?.length ?? 0, { timeout: 500_000 })
    .toBe(0);
  const opened: number[] = [];
  const cold: number[] = [];
  let page = await browser.newPage();
  for (let run = 0; run < RUNS; run += 1) {
    await page.close();
    page = await browser.newPage();
    await world.open(page, "#/new");
    await expect(page.locator(".task-row")).toHaveCount(1);
    opened.push(await timeTo(page, `#/tasks/${task}`, "All done."));
    await page.reload({ waitUntil: "commit" });
    await page.locator(".timeline", { hasText: "All done." }).waitFor();
    cold.push(await page.evaluate(() => performance.now()));
  }
  const events = JSON.parse(world.deputy("--json", "status")).seq ?? EVENTS;
  note(`a task of ${events} events, opened from the list`, spread(opened));
  note("the same, by loading the page with its address", spread(cold));
  note("scrolling through it", frames(await scroll(page, ".timeline")));
});

test("two hundred events a second, and a thousand tasks", async ({ page, world }) => {
  await world.start({ turns: [{ type: "text", text: "Hello." }] });
  let seq = 0;
  const story: EventRecord[] = [];
  let say: (message: ServerMessage) => void = () => {};
  await page.routeWebSocket(/\/ws$/, (line) => {
    const host = line.connectToServer();
    say = (message) => line.send(JSON.stringify(message));
    host.onMessage((text) => {
      const message = JSON.parse(String(text)) as ServerMessage;
      if (message.type === "query_reply" && message.answer.answer === "tasks") message.answer.tasks = tasks;
      // The host does not know the simulated task.
      if (message.type === "query_reply" && message.answer.answer === "events") message.answer.events = story;
      line.send(JSON.stringify(message));
    });
  });
  await world.open(page, "#/new");
  await expect(page.locator(".task-row").first()).toBeVisible();
  note("scrolling through 1,000 tasks", frames(await scroll(page, ".list-rows")));
  const event = (event: TaskEvent) => {
    seq += 1;
    const record: EventRecord = { seq, task: "tbench", at_ms: Date.now(), event };
    if (seq === 1) story.push(record);
    const state: TaskState = seq === 1 ? { state: "queued" } : { state: "running", iteration: 1 };
    const update = {
      state,
      tokens: 0,
      backend: "offline",
      model: null,
      cost_micros: null,
      todo: null,
      updated_at_ms: record.at_ms,
      queue_rank: null,
      title: null,
      archived: false,
      parent: null,
    };
    say({ type: "event", record, update, shortened: false });
  };
  const [first] = tasks;
  if (!first) throw new Error("no task was made");
  event({
    type: "created",
    spec: {
      ...first,
      model: null,
      id: "tbench",
      goal: "Work fast",
      scope: { read: [], write: [], read_only: false, only_files: [], only_tags: [], names: null },
      limits: { ...LIMITS },
      standing_consent: null,
      terminal: null,
    },
    notice: null,
    named: [],
  } as TaskEvent);
  await page.evaluate(() => (window.location.hash = "#/tasks/tbench"));
  await expect(page.locator(".timeline")).toContainText("Work fast");
  const atRate = async (one: (made: number) => void) => {
    const begun = performance.now();
    for (let made = 0; made < RATE * SECONDS; ) {
      const due = Math.floor(((performance.now() - begun) / 1000) * RATE);
      for (; made < due; made += 1) one(made);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  // Messages of the same size that the page ignores: they measure the cost of the transport alone.
  const passed = (made: number) =>
    say({ type: "passed", event: stepEvent(made) } as unknown as ServerMessage);
  const way = await share(page, () => atRate(passed));
  const used = await share(page, () => atRate((made) => event(stepEvent(made))));
  const least = `${(used - way).toFixed(0)} % busy (${used.toFixed(0)} % including the test's own connection)`;
  note(`the main thread at ${RATE} events a second, 1,000 tasks beside them`, least);
});

test.afterAll(() => {
  const page = join(import.meta.dirname, "../../../docs/benchmarks-ui.md");
  if (process.env.WRITE) {
    writeFileSync(page, `${HEAD}\n| what | figure |\n|---|---|\n${figures.join("\n")}\n`);
  }
});

const HEAD = `# Page benchmarks

Written by \`make bench-ui\`: a release build of the host, the built page in Chromium, all on one machine.
The time to open a task ends with the frame that shows its last text; it is the median of ${RUNS} runs, with the range.
`;

const LIMITS = {
  max_iterations: 0,
  max_wall_secs: 0,
  max_tokens: 0,
  max_cost_cents: 0,
  day_tokens: 0,
  day_cost_cents: 0,
  inference_tokens: 500_000,
  tool_output_chars: 12_000,
  context_tokens: 32_000,
  request_expiry_secs: 86_400,
  brake_after: 3,
  parallel_calls: 5,
  command_secs: 3600,
  command_default_secs: 600,
  command_cpu_secs: 14400,
  command_memory_mib: 4096,
  command_processes: 512,
  command_file_mib: 4096,
  command_output_mib: 16,
  background_commands: 4,
  background_secs: 14400,
};

const tasks: TaskSummary[] = Array.from({ length: 1000 }, (_, n) => ({
  id: `t${n}`,
  session: `s${n}`,
  goal: `Task number ${n} tidies the folder of the ${n}th project`,
  profile: "general",
  backend: "offline",
  workspace: `/home/someone/projects/${n}`,
  state: { state: "stopped", reason: "completed", summary: "Done.", denied: 0, undone: false },
  model: null,
  cost_micros: null,
  todo: null,
  tokens: n,
  created_at_ms: Date.now() - n * 3_600_000,
  updated_at_ms: Date.now() - n * 3_600_000,
  queue_rank: null,
  title: null,
  archived: false,
  parent: null,
}));

/** Returns the next event of a step: plan, decision, start, result, next. */
function stepEvent(made: number): TaskEvent {
  const step = Math.floor(made / 5) + 1;
  const call = `tbench-${step}-1`;
  const usage = { input_tokens: 900, output_tokens: 60 };
  switch (made % 5) {
    case 0:
      return { type: "iteration_started", iteration: step } as TaskEvent;
    case 1: {
      const tool_calls = [{ id: call, tool: "shell", parameters: { command: `wc -l notes-${step}.txt` } }];
      const reasoning = `Now I count the lines of the notes of day ${step}.`;
      const plan = { reasoning, tool_calls, question: null, is_complete: false, summary: null };
      return { type: "planned", plan, usage, duration_ms: 400 } as unknown as TaskEvent;
    }
    case 2: {
      const verdict = { decision: "allow", risk: "low", confinement: "read_only", reasons: [], parts: [] };
      return { type: "call_decided", call, summary: "Run wc", verdict } as unknown as TaskEvent;
    }
    case 3:
      return { type: "tool_started", call } as unknown as TaskEvent;
    default: {
      const content = `[exit code 0]\n${step} notes-${step}.txt\n`;
      const result = {
        status: "ok",
        summary: "exit code 0",
        content,
        exit_code: 0,
        omitted_bytes: 0,
        output: null,
        changes: [],
      };
      return { type: "tool_finished", call, result, duration_ms: 12 } as unknown as TaskEvent;
    }
  }
}
