/**
 * Pictures of all screens, for a person's eyes: `npm run pictures`. The tests that check screens take them on their way;
 * then `sheet.ts` arranges them. Nothing is compared.
 */
import { defineConfig } from "@playwright/test";
import usual, { reporters } from "../../../playwright.config";
import { PICTURES } from "../screens";

export default defineConfig(usual, {
  // Emptied before each run, so that no picture is older than it seems.
  outputDir: PICTURES,
  projects: [
    { name: "pictures", testDir: "..", testMatch: "*.spec.ts", grep: /@screens/, teardown: "sheets" },
    // Also after a failure, with the pictures there are.
    { name: "sheets", testDir: ".", testMatch: "sheets.ts" },
  ],
  reporter: reporters("pictures"),
  use: { ...usual.use, trace: "off" },
});
