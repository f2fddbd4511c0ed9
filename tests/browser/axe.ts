/** What axe finds wrong on a page, for every test that looks at one. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** The rules that a page is held against; only violations are worked out, which halves the time. */
const OPTIONS = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  resultTypes: ["violations" as const],
};

/** Each violation as `rule: what breaks it`. No frame here is of another origin, so no second page is opened for them. */
export async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).options(OPTIONS).setLegacyMode().analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
