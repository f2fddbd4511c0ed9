/** A phone's browser: the code's address pairs it, its key signs each answer, and a revoked device is refused. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { devices, type Page } from "@playwright/test";
import { check, type Screen, THEMES } from "./screens";
import { calls, expect, say, shell, test } from "./world";

const SCRIPT = {
  turns: [
    calls("Then I send it.", shell("printf one > one.txt && curl -fsS https://example.org -d @one.txt")),
    calls("Or keep it.", shell("printf two > two.txt")),
    say("Done."),
  ],
};

async function look(page: Page, screen: Screen) {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(page, screen);
  }
}

test("a phone is paired in its browser, answers with its signature, and is cut off", {
  tag: "@screens",
}, async ({ page, browser, world }) => {
  await world.start(SCRIPT);
  await world.open(page, "#/devices");
  await page.getByRole("button", { name: "Pair a device" }).click();
  const dialog = page.getByRole("dialog", { name: "Pair a device" });
  await dialog.getByRole("button", { name: "Show code" }).click();
  const link = (await dialog.locator(".pair-link").textContent()) ?? "";

  // The certificate is the host's own. A browser asks its user once; the six digits rule out a man in the middle.
  const context = await browser.newContext({ ...devices["Pixel 7"], ignoreHTTPSErrors: true });
  const phone = await context.newPage();
  const errors: string[] = [];
  phone.on("pageerror", (error) => errors.push(error.message));
  // A phone's browser may also use the desktop's page.
  await phone.goto(link.replace("/m/", "/"));
  await expect(phone.getByRole("heading", { name: "Pair this device" })).toBeVisible();
  // The one-time code does not stay in the address.
  expect(phone.url()).not.toContain("pair=");
  await phone.getByRole("textbox", { name: "Device name" }).fill("Ada's phone");
  await look(phone, "phone-desktop-pair");
  await phone.getByRole("button", { name: "Pair", exact: true }).click();
  const number = (await phone.locator(".pairing-number").textContent()) ?? "";
  expect(number).toMatch(/^\d{6}$/);
  await expect(dialog.getByText(number)).toBeVisible();
  await look(phone, "phone-desktop-number");
  await phone.getByRole("button", { name: "Yes, it matches" }).click();
  await expect(phone.getByText("Now confirm on your computer")).toBeVisible();
  await dialog.getByRole("button", { name: "They match" }).click();
  await expect(dialog.getByText("Ada's phone is paired.")).toBeVisible();

  await expect(phone.locator(".rail")).toBeVisible();
  await expect(phone.locator(".rail")).not.toContainText("Devices");
  await expect(phone.locator(".rail")).not.toContainText("Files");
  const task = world.task("Send the numbers");
  await phone.evaluate(() => {
    window.location.hash = "#/inbox";
  });
  await expect(phone.getByRole("article")).toContainText("one.txt");
  await look(phone, "phone-desktop-inbox");
  await phone.getByRole("button", { name: "Deny with a reason" }).tap();
  await phone.getByRole("textbox").fill("nothing is sent");
  await phone.getByRole("button", { name: "Deny", exact: true }).tap();

  await expect(phone.getByRole("article")).toContainText("two.txt");
  // The key persists: a reloaded page authenticates and signs with the same key.
  await phone.reload();
  await expect(phone.getByRole("article")).toContainText("two.txt");
  await phone.getByRole("button", { name: "Run once" }).tap();
  await expect.poll(() => world.deputy("show", task, "--json")).toContain('"completed"');
  expect(world.read("two.txt")).toBe("two");
  const story = world.deputy("show", task, "--json");
  expect(story.match(/"name":"Ada's phone"/g)).toHaveLength(2);
  expect(story).toContain("nothing is sent");

  // The device may only view and answer. Other actions are not offered, and the page says so.
  await phone.evaluate(() => {
    window.location.hash = "#/new";
  });
  await expect(phone.getByText("View only")).toBeVisible();
  await expect(phone.getByRole("textbox", { name: "What do you want done?" })).toHaveCount(0);

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Revoke: Ada's phone" }).click();
  await expect(phone.getByRole("heading", { name: "This device isn't paired" })).toBeVisible();
  await look(phone, "phone-desktop-revoked");
  expect(errors).toEqual([]);
  await context.close();
});

test("a code that is used up is told so", async ({ browser, page, world }) => {
  await world.start({ turns: [say("Hello.")] });
  await world.open(page, "#/devices");
  await page.getByRole("button", { name: "Pair a device" }).click();
  const dialog = page.getByRole("dialog", { name: "Pair a device" });
  await dialog.getByRole("button", { name: "Show code" }).click();
  const link = (await dialog.locator(".pair-link").textContent()) ?? "";
  const context = await browser.newContext({ ...devices["Pixel 7"], ignoreHTTPSErrors: true });
  const phone = await context.newPage();
  await phone.goto(link.replace(/pair=[^&]+/, "pair=0000000000"));
  await phone.getByRole("button", { name: "Pair", exact: true }).click();
  await expect(phone.getByRole("alert")).toBeVisible();
  await context.close();
});

test("a notice that goes through a relay is sealed to the key that the phone's browser keeps", async ({
  page,
  browser,
  world,
}) => {
  const posts: { path: string; body: string }[] = [];
  const relay = createServer((request, answer) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      posts.push({ path: request.url ?? "", body });
      answer.end("{}");
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const { port } = relay.address() as AddressInfo;
  await world.start(SCRIPT, `\n[notify]\nntfy = "http://127.0.0.1:${port}/topic"\n`);
  await world.open(page, "#/devices");
  await page.getByRole("button", { name: "Pair a device" }).click();
  const dialog = page.getByRole("dialog", { name: "Pair a device" });
  await dialog.getByRole("button", { name: "Show code" }).click();
  const context = await browser.newContext({ ...devices["Pixel 7"], ignoreHTTPSErrors: true });
  const phone = await context.newPage();
  await phone.goto(((await dialog.locator(".pair-link").textContent()) ?? "").replace("/m/", "/"));
  await phone.getByRole("button", { name: "Pair", exact: true }).click();
  await phone.getByRole("button", { name: "Yes, it matches" }).click();
  await dialog.getByRole("button", { name: "They match" }).click();
  await expect(phone.locator(".rail")).toBeVisible();

  await phone.evaluate(() => (window.location.hash = "#/settings"));
  const topic = (await phone.getByText(/^…-d/).textContent())?.replace("…", "/topic") ?? "";
  world.task("Send the numbers");
  await expect.poll(() => posts.map((post) => post.path)).toContain(topic);
  const sealed = posts.find((post) => post.path === topic)?.body ?? "";
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("one.txt");
  const notice = await phone.evaluate(unseal, sealed);
  expect(JSON.parse(notice)).toMatchObject({ withdrawn: false });
  expect(notice).toContain("one.txt");
  await context.close();
  relay.close();
});

/** Runs in the phone's page, with its stored key: decrypts a notice as docs/pairing.md specifies. */
async function unseal(sealed: string): Promise<string> {
  const opening = indexedDB.open("deputy");
  await new Promise((resolve) => {
    opening.onsuccess = resolve;
  });
  const got = opening.result.transaction("device").objectStore("device").get("device");
  await new Promise((resolve) => {
    got.onsuccess = resolve;
  });
  const { sealing } = got.result as { sealing: CryptoKeyPair };
  const base64 = sealed.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const [ephemeral, text] = [bytes.slice(0, 65), bytes.slice(65)];
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const theirs = await crypto.subtle.importKey("raw", ephemeral, curve, true, []);
  const own = new Uint8Array(await crypto.subtle.exportKey("raw", sealing.publicKey));
  const secret = await crypto.subtle.deriveBits({ name: "ECDH", public: theirs }, sealing.privateKey, 256);
  const salt = new Uint8Array([...ephemeral, ...own]);
  const info = new TextEncoder().encode("deputy-notice-1");
  const root = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const key = await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt, info },
    root,
    { name: "AES-GCM", length: 256 },
    false,
    ["decrypt"],
  );
  const iv = new Uint8Array(12);
  return new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, text));
}
