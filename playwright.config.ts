/** Browser tests: the built page in Debian's Chromium, against a real host with a scripted model. */
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results",
  // Each test has a host of its own. The pictures take longest, so they are begun first, alongside all others.
  workers: 2,
  projects: [
    { name: "pictures", testMatch: "screens.spec.ts" },
    { name: "pages", testIgnore: ["screens.spec.ts", "figures/**"] },
  ],
  // Whatever is waited for comes as soon as it can; these end a test where it never does, also on a busy machine.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
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
