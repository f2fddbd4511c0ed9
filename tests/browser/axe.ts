/** Runs axe on a page, for all tests that check accessibility. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** The rules to check. Only violations are computed, which halves the time. */
const OPTIONS = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  resultTypes: ["violations" as const],
};

/** Returns each violation as `rule: HTML`. No frame here has another origin, so no second page is opened for them. */
export async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).options(OPTIONS).setLegacyMode().analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
