/** Screenshots that are compared with approved ones. Both are scaled down first, because only the layout matters. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./axe";

const APPROVED = join(import.meta.dirname, "approved");
const TAKEN = join(import.meta.dirname, "../../test-results/screens");
/** A quarter in each direction, which keeps files small and ignores the edges of letters. */
const SCALE = 0.25;
/** A pixel of the small picture differs if one of its color components differs by more than this, of 255. */
const POINT = 40;
/** The fraction of pixels that may differ. Clocks, paths and the chart's days always do. */
const TOLERANCE = 0.02;

let desk: Page | undefined;

/** Returns a separate page for comparing pictures, because the tested page's policy forbids it. */
async function deskOf(page: Page): Promise<Page> {
  if (!desk || desk.isClosed()) {
    const browser = page.context().browser();
    if (!browser) throw new Error("the page belongs to no browser");
    desk = await (await browser.newContext()).newPage();
  }
  return desk;
}

/** Takes a screenshot and compares it with the approved one. `APPROVE=1` approves the current one. */
async function picture(page: Page, name: string) {
  const taken = await page.screenshot({
    path: join(TAKEN, `${name}.png`),
    animations: "disabled",
    caret: "hide",
  });
  const file = join(APPROVED, `${name}.webp`);
  const before = existsSync(file) ? readFileSync(file).toString("base64") : undefined;
  const found = await (await deskOf(page)).evaluate(look, {
    taken: taken.toString("base64"),
    before,
    scale: SCALE,
    point: POINT,
  });
  if (process.env.APPROVE) {
    mkdirSync(APPROVED, { recursive: true });
    if (found.differs > TOLERANCE) writeFileSync(file, Buffer.from(found.small, "base64"));
    return;
  }
  const advice = `${name} looks different; if that is meant, run the browser tests with APPROVE=1`;
  expect.soft(found.differs, advice).toBeLessThanOrEqual(TOLERANCE);
}

/** Takes a screenshot, and checks the page with axe. */
export async function check(page: Page, name: string) {
  await picture(page, name);
  expect.soft(await violations(page), name).toEqual([]);
}

interface Pictures {
  taken: string;
  before: string | undefined;
  scale: number;
  point: number;
}

/**
 * Runs in the browser: returns the small picture, and the fraction that differs from the approved one (1 if there is
 * none).
 */
async function look({ taken, before, scale, point }: Pictures): Promise<{ small: string; differs: number }> {
  const load = async (data: string, type: string) => {
    return createImageBitmap(await (await fetch(`data:image/${type};base64,${data}`)).blob());
  };
  const draw = (image: ImageBitmap, width: number, height: number) => {
    const canvas = new OffscreenCanvas(width, height);
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    if (!pen) throw new Error("nothing can be drawn here");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(image, 0, 0, width, height);
    return { canvas, points: pen.getImageData(0, 0, width, height).data };
  };
  const image = await load(taken, "png");
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
  const { canvas, points } = draw(image, width, height);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const small = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  if (before === undefined) return { small, differs: 1 };
  const approved = await load(before, "webp");
  if (approved.width !== width || approved.height !== height) return { small, differs: 1 };
  const old = draw(approved, width, height).points;
  let count = 0;
  for (let at = 0; at < points.length; at += 4) {
    const off = [0, 1, 2].some((c) => Math.abs((points[at + c] ?? 0) - (old[at + c] ?? 0)) > point);
    if (off) count += 1;
  }
  return { small, differs: count / (width * height) };
}
