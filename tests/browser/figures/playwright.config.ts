/** Benchmarks of the page against a release build: `make bench-ui`. Slowness does not fail them. */
import { defineConfig } from "@playwright/test";
import usual from "../../../playwright.config";

export default defineConfig(usual, {
  testDir: ".",
  // The default projects exclude this folder.
  projects: [{ name: "figures", testMatch: ["figures.ts", "phone.ts"] }],
  outputDir: "../../../test-results/figures",
  timeout: 600_000,
  reporter: [["line"]],
  use: { ...usual.use, trace: "off" },
});
