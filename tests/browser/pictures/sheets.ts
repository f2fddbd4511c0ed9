/**
 * Arranges the pictures of all screens on contact sheets: one or more for each part of the page, theme and width.
 * `index.html` links to them and to the pictures, and says which screens have none.
 */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "@playwright/test";
import { PICTURES, SCREENS } from "../screens";

/** As wide as three pictures of the page, or five of a phone. */
const SHEET = { width: 2110, height: 900 };
const WIDEST = 640;

const STYLE = `
  body { margin: 24px; background: #777; color: #fff; font: 20px/1.4 sans-serif }
  h1, h2 { margin: 16px 0 8px; font-size: 26px }
  main { display: flex; flex-wrap: wrap; gap: 20px; align-items: start }
  figure { margin: 0 }
  figcaption { margin-bottom: 4px }
  img { display: block }
  a { color: inherit }`;

interface Sheet {
  name: string;
  /** The names of its pictures' files. */
  pictures: string[];
}

/** Returns how wide the window was, from the name of a picture: `inbox.dark-390.png`. */
function widthOf(file: string): number {
  return Number(/-(\d+)(?:-large)?\.png$/.exec(file)?.[1]);
}

function document(title: string, body: string): string {
  const head = `<meta charset="utf-8"><title>${title}</title><style>${STYLE}</style>`;
  return `<!doctype html><html lang="en">${head}<h1>${title}</h1>${body}</html>`;
}

function figures({ pictures }: Sheet): string {
  const figure = (file: string) => {
    // A phone's pictures have more pixels than its screen is wide.
    const width = Math.min(widthOf(file), WIDEST);
    const image = `<a href="${file}"><img src="${file}" width="${width}" alt=""></a>`;
    return `<figure><figcaption>${file.replace(".png", "")}</figcaption>${image}</figure>`;
  };
  return `<main>${pictures.map(figure).join("")}</main>`;
}

/** Returns the sheets for these pictures, in the order of the list of screens. */
function arranged(taken: string[]): Sheet[] {
  const sheets: Sheet[] = [];
  for (const [part, screens] of Object.entries(SCREENS)) {
    const own = screens.flatMap((screen) => taken.filter((file) => file.startsWith(`${screen}.`)));
    for (const look of [...new Set(own.map((file) => file.split(".")[1]))].sort()) {
      const pictures = own.filter((file) => file.endsWith(`.${look}.png`));
      // Two or three rows, so that their text can be read when a whole sheet is in view.
      const count = widthOf(pictures[0] ?? "") < 500 ? 10 : 9;
      for (let first = 0; first < pictures.length; first += count) {
        const name = `${part}-${look}-${first / count + 1}`;
        sheets.push({ name, pictures: pictures.slice(first, first + count) });
      }
    }
  }
  return sheets;
}

test("contact sheets", async ({ page }) => {
  const taken = readdirSync(PICTURES).filter((file) => file.endsWith(".png"));
  const sheets = arranged(taken);
  await page.setViewportSize(SHEET);
  for (const sheet of sheets) {
    const file = join(PICTURES, `sheet-${sheet.name}`);
    writeFileSync(`${file}.html`, document(sheet.name, figures(sheet)));
    await page.goto(`file://${file}.html`);
    await page.screenshot({ path: `${file}.png`, fullPage: true });
    rmSync(`${file}.html`);
  }
  const screens = Object.values(SCREENS).flat();
  const missing = screens.filter((screen) => !taken.some((file) => file.startsWith(`${screen}.`)));
  const listed = sheets.map((sheet) => {
    return `<h2><a href="sheet-${sheet.name}.png">${sheet.name}</a></h2>${figures(sheet)}`;
  });
  if (missing.length > 0) listed.unshift(`<p>No picture: ${missing.join(", ")}</p>`);
  writeFileSync(join(PICTURES, "index.html"), document("All screens", listed.join("")));
  console.log(`${sheets.length} sheets of ${taken.length} pictures: ${join(PICTURES, "index.html")}`);
  if (missing.length > 0) console.log(`No picture: ${missing.join(", ")}`);
});
