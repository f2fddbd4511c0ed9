/** Browser tests: the built page in Debian's Chromium, against a real host with a scripted model. */
import { join } from "node:path";
import { defineConfig, type ReporterDescription } from "@playwright/test";

/** Where continuous integration collects reports. */
const { JUNIT_DIR } = process.env;
const RUN = process.argv.some((word) => word.includes("@smoke")) ? "smoke" : "browser";

/** Returns the reporters of a run, which is named in the file for continuous integration. */
export function reporters(run: string): ReporterDescription[] {
  const list: ReporterDescription = ["list"];
  if (!JUNIT_DIR) return [list];
  return [list, ["junit", { outputFile: join(JUNIT_DIR, `playwright-${run}.xml`) }]];
}

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results/browser",
  // Each test has a host of its own. All screens at all sizes take longest, so they are begun first.
  workers: 2,
  projects: [
    { name: "screens", testMatch: "screens.spec.ts" },
    { name: "pages", testIgnore: ["screens.spec.ts", "figures/**", "pictures/**"] },
  ],
  // Whatever is waited for comes as soon as it can; these end a test where it never does, also on a busy machine.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: reporters(RUN),
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--no-first-run",
      ],
    },
  },
});
