/**
 * Pairing a device in the page: a simulated phone scans the link, both sides compare the number, and the device is
 * revoked.
 */
import { createHash, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import type { Locator, Page } from "@playwright/test";
import { look, pocket, showCode } from "./handheld";
import { checkEverywhere } from "./screens";
import { expect, say, test } from "./world";

/** A phone with its key. */
class Phone {
  private constructor(
    private readonly link: URL,
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly point: string,
  ) {}

  /** Scans the link and generates a key. */
  static async scans(link: string): Promise<Phone> {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const point = await webcrypto.subtle.exportKey("raw", keys.publicKey);
    return new Phone(new URL(link), keys, Buffer.from(point).toString("base64url"));
  }

  private get part(): URLSearchParams {
    return new URLSearchParams(this.link.hash.slice(1));
  }

  /** The number that this phone shows, computed from what it has seen. */
  get number(): string {
    const text = `deputy-number-1\n${this.part.get("pin")}\n${this.part.get("pair")}\n${this.point}\n`;
    const first = createHash("sha256").update(text).digest().readUInt32BE(0);
    return String(first % 1_000_000).padStart(6, "0");
  }

  claim(name: string): Promise<number> {
    return this.post("/api/v1/pairing", { code: this.part.get("pair"), name, sign_key: this.point });
  }

  async finish(): Promise<number> {
    const text = `deputy-pair-1\n${this.part.get("pin")}\n${this.part.get("pair")}\n${this.number}`;
    const how = { name: "ECDSA", hash: "SHA-256" };
    const signature = await webcrypto.subtle.sign(how, this.keys.privateKey, Buffer.from(text));
    const signed = Buffer.from(signature).toString("base64url");
    return this.post("/api/v1/pairing/finish", { code: this.part.get("pair"), signature: signed });
  }

  private post(path: string, body: object): Promise<number> {
    const { hostname, port, origin } = this.link;
    // The certificate is the host's own. A phone pins it, which the host's tests cover.
    const options = { hostname, port, path, method: "POST", rejectUnauthorized: false };
    const headers = { "content-type": "application/json", origin };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on("error", reject);
      sent.end(JSON.stringify(body));
    });
  }
}

test("a phone is paired, named and revoked", { tag: "@screens" }, async ({ page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/devices");
  await page.getByRole("button", { name: "Pair a device" }).click();
  const dialog = page.getByRole("dialog", { name: "Pair a device" });
  await dialog.getByRole("checkbox", { name: /Control/ }).check();
  await dialog.getByRole("button", { name: "Show code" }).click();
  await expect(dialog.getByRole("img", { name: /Pairing code/ })).toBeVisible();
  await checkEverywhere(page, "pairing-code");

  const phone = await Phone.scans((await dialog.locator(".pair-link").textContent()) ?? "");
  expect(await phone.claim("Ada's phone")).toBeLessThan(300);
  await expect(dialog.getByText(phone.number)).toBeVisible();
  await checkEverywhere(page, "pairing-number");
  await dialog.getByRole("button", { name: "They match" }).click();
  await expect(dialog.getByText(/Confirmed/)).toBeVisible();
  expect(await phone.finish()).toBeLessThan(300);
  await expect(dialog.getByText("Ada's phone is paired.")).toBeVisible();
  await page.keyboard.press("Escape");

  const name = page.getByRole("textbox", { name: "Device name" });
  await expect(name).toHaveValue("Ada's phone");
  await expect(page.getByText(/View, Answer, Control/)).toBeVisible();
  await name.fill("Pixel");
  await name.press("Enter");
  await page.reload();
  await expect(name).toHaveValue("Pixel");
  await page.getByRole("button", { name: "Revoke: Pixel" }).click();
  await expect(page.getByText("No devices paired")).toBeVisible();
});

test("the app for Android is offered where it was built, and downloaded as it is", {
  tag: "@screens",
}, async ({ page, browser, world }) => {
  const app = "PK, as a signed package begins";
  const sha256 = createHash("sha256").update(app).digest("hex");
  const described = JSON.stringify({ version: "1.2.3", bytes: app.length, sha256 });
  world.install({ "m/deputy.apk": app, "m/deputy.json": described });
  await world.start({ turns: [say("Hello.")] });
  const link = await showCode(page, world, false);
  await page.keyboard.press("Escape");
  const section = page.locator(".android");
  await expect(section).toContainText("1.2.3");
  await expect(section).toContainText(sha256);
  await checkEverywhere(page, "android");
  expect(await downloaded(page, section.getByRole("link"))).toBe(app);

  // A phone that opens the code is offered the app before pairing, and the link to the app contains the code.
  const phone = await pocket(browser);
  const opened = await phone.newPage();
  await opened.goto(link);
  const offer = opened.locator(".pairing-app");
  await expect(offer).toBeVisible();
  await look(opened, "phone-get-app");
  const scanned = new URLSearchParams(new URL(link).hash.slice(1));
  const into = new URL((await offer.getByRole("link").nth(1).getAttribute("href")) ?? "");
  const carried = new URLSearchParams(into.hash.slice(1));
  for (const name of ["pair", "pin"]) expect(carried.get(name)).toBe(scanned.get(name));
  expect(carried.get("at")).toBe(new URL(link).host);
  // Playwright cancels downloads over a certificate that only its override accepted.
  const address = await offer.getByRole("link").first().getAttribute("href");
  expect(await opened.evaluate(async (href) => (await fetch(href ?? "")).text(), address)).toBe(app);
  await phone.close();
});

/** Returns the content of the file that a link downloads. */
async function downloaded(page: Page, link: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(file.suggestedFilename()).toBe("deputy.apk");
  return readFileSync(await file.path(), "utf8");
}
