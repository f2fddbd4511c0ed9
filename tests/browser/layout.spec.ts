/** Tests that the layout checks find what they look for, and nothing in a sound layout. */
import { expect, type Page, test } from "@playwright/test";
import { defects, outOfReach } from "./layout";

test.use({ viewport: { width: 600, height: 400 } });

const STYLE = `<style>
  * { box-sizing: border-box; margin: 0; font: 16px/1.5 sans-serif }
  body { overflow: hidden; height: 100vh }
  .list { height: 200px; overflow: auto }
  .bar { position: sticky; bottom: 0; height: 50px; background: #fff }
  .clip { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; width: 100px }
</style>`;

async function found(page: Page, html: string): Promise<string[]> {
  await page.setContent(`<html lang="en"><title>x</title>${STYLE}<main>${html}</main>`);
  return defects(page);
}

const paragraphs = Array.from({ length: 30 }, (_, index) => `<p>Line ${index}</p>`).join("");

const BROKEN: [name: string, html: string, finding: RegExp][] = [
  [
    "text over text",
    `<p>The first paragraph</p><p style="margin-top:-20px">The second one</p>`,
    /^p "The first paragraph", line 1 overlaps p "The second one", line 1$/,
  ],
  [
    "a button over another one",
    `<button class="a">Allow</button><button class="b" style="margin-left:-20px">Deny</button>`,
    /^button.a "Allow" overlaps button.b "Deny"$/,
  ],
  [
    "text over a button",
    `<button style="display:block">Allow everything</button><p style="margin-top:-20px">Low risk</p>`,
    /^button "Allow everything" overlaps p "Low risk", line 1$/,
  ],
  [
    "a box over a button",
    `<button>Allow</button><div class="veil" style="position:absolute;inset:0"></div>`,
    /^button "Allow" is covered by div.veil$/,
  ],
  [
    "a box over text",
    `<p>Low risk</p><div class="veil" style="position:absolute;inset:0"></div>`,
    /^p "Low risk", line 1 is covered by div.veil$/,
  ],
  [
    "a bar over text that cannot be scrolled out",
    `<div class="list" style="height:40px"><p>Low risk</p><div class="bar">Bar</div></div>`,
    /^p "Low risk", line 1 is covered by div.bar "Bar"$/,
  ],
  [
    "text that its box cuts off at the side",
    `<div style="overflow:hidden;white-space:nowrap;width:50px">A sentence of many words</div>`,
    /^div "A sentence of many words", line 1 is cut off \d+ pixels at the side by div "A sentence/,
  ],
  [
    "an ellipsis that a block inside of it never gets",
    `<div class="clip"><p>A sentence of many words</p></div>`,
    /^p "A sentence of many words", line 1 is cut off \d+ pixels at the side by div.clip/,
  ],
  [
    "text that its box cuts off in height",
    `<div style="overflow:hidden;height:30px;width:100px">A sentence of many words</div>`,
    /line 2 is cut off \d+ pixels in height by div "A sentence/,
  ],
  [
    "a button that is too narrow for its text",
    `<button style="width:60px;padding:0;white-space:nowrap">Allow for this task</button>`,
    /^button "Allow for this task" is \d+ pixels too narrow for its content$/,
  ],
  ["text below a window that does not scroll", paragraphs, /^p "Line 29", line 1 is outside of the window$/],
  [
    "a box that runs over the side of the window",
    `<div class="wide" style="width:700px">Wide</div>`,
    /^div.wide "Wide" runs over the side$/,
  ],
];

for (const [name, html, finding] of BROKEN)
  test(`${name} is found`, async ({ page }) => {
    expect(await found(page, html)).toContainEqual(expect.stringMatching(finding));
  });

const SOUND: [name: string, html: string][] = [
  [
    "paragraphs and buttons",
    `<p>One</p><p>Two <b>bold</b> and <a href="#x">a link</a></p><button>Allow</button>`,
  ],
  [
    "content that scrolls below a bar",
    `<div class="list">${paragraphs}<div class="bar"><button>Allow</button></div></div>`,
  ],
  ["text that ends with an ellipsis", `<div class="clip">A sentence of <span>many words</span></div>`],
  [
    "text for screen readers",
    `<p style="position:absolute;width:1px;overflow:hidden">Hidden</p><p>Shown</p>`,
  ],
  ["a field with its label around it", `<label><input type="checkbox"> Remember this</label>`],
  [
    "a menu over the page",
    `<p>Below</p><div style="position:absolute;inset:0;z-index:5;background:#fff"><button>Menu</button></div>`,
  ],
];

for (const [name, html] of SOUND)
  test(`${name} are no defect`, async ({ page }) => {
    expect(await found(page, html)).toEqual([]);
  });

test("the page behind a modal dialog is not looked at, the dialog is", async ({ page }) => {
  const behind = `<button>Allow</button><div style="position:absolute;inset:0"></div>`;
  await page.setContent(`${STYLE}${behind}<dialog><p>One</p><p style="margin-top:-20px">Two</p></dialog>`);
  await page.evaluate(() => document.querySelector("dialog")?.showModal());
  const overlap = `p "One", line 1 overlaps p "Two", line 1`;
  expect(await defects(page)).toEqual([`p "One", line 1 is covered by p "Two"`, overlap]);
});

test("a button that is out of view or covered is not in reach", async ({ page }) => {
  const reach = async (html: string) => {
    await page.setContent(`${STYLE}${html}`);
    return outOfReach(page.getByRole("button", { name: "Allow" }));
  };
  const bar = `<div class="bar"><button>Allow</button></div>`;
  expect(await reach(`<div class="list">${paragraphs}${bar}</div>`)).toEqual([]);
  const below = [`the button "Allow" is covered by DIV.veil`];
  expect(
    await reach(`<button>Allow</button><div class="veil" style="position:absolute;inset:0"></div>`),
  ).toEqual(below);
  expect(await reach(`${paragraphs}<button>Allow</button>`)).toEqual([`the button "Allow" is not in view`]);
});
