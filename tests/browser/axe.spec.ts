/** Tests that the accessibility check finds violations. */
import { expect, test } from "@playwright/test";
import { violations } from "./axe";

test("what breaks a rule is found, and what breaks none is not", async ({ page }) => {
  const head = '<html lang="en"><title>x</title>';
  await page.setContent(
    `${head}<main><img src="data:,"><p style="color:#ccc;background:#fff">pale</p></main>`,
  );
  expect((await violations(page)).map((each) => each.split(":")[0]).sort()).toEqual([
    "color-contrast",
    "image-alt",
  ]);
  await page.setContent(`${head}<main><img src="data:," alt="a dog"><p>plain</p></main>`);
  expect(await violations(page)).toEqual([]);
});
