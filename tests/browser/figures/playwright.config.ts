/** The page's figures, measured against a release build: `make bench-ui`. Nothing here fails for being slow. */
import { defineConfig } from "@playwright/test";
import usual from "../../../playwright.config";

export default defineConfig(usual, {
  testDir: ".",
  // The usual projects leave this folder out.
  projects: [{ name: "figures", testMatch: ["figures.ts", "phone.ts"] }],
  outputDir: "../../../test-results/figures",
  timeout: 600_000,
  reporter: [["line"]],
  use: { ...usual.use, trace: "off" },
});
