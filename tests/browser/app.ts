/**
 * The phone app for tests of its pages: a Pixel in Chromium that shows the app's pages, connected to the app's Java.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, type BrowserContext, devices, type Page } from "@playwright/test";

const ROOT = join(import.meta.dirname, "../..");
const ANDROID = join(ROOT, "mobile/android");
/** Android's version of `org.json`, and the library that reads QR codes. */
const LIBRARIES = "/usr/share/java/com.android.json.jar:/usr/share/java/core.jar";
const SHELL = readFileSync(join(ANDROID, "shell/src/dev/deputy/phone/shell/PageFiles.java"), "utf8");
/** The app's own policy, so that the pages have the same restrictions here. */
const ORIGIN = /ORIGIN = "([^"]+)"/.exec(SHELL)?.[1] ?? "";
const POLICY = [...(/POLICY = ([^;]|; )+?";/.exec(SHELL)?.[0] ?? "").matchAll(/"([^"]*)"/g)]
  .map((part) => part[1])
  .join("");
const TYPES: Record<string, string> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

let classes: string | undefined;

function compiled(): string {
  if (classes) return classes;
  classes = mkdtempSync(join(tmpdir(), "deputy-classes-"));
  const sources = ["core/src", "core/test"].flatMap((folder) =>
    readdirSync(join(ANDROID, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".java"))
      .map((name) => join(ANDROID, folder, name)),
  );
  execFileSync("javac", ["--release", "8", "-Xlint:-options", "-cp", LIBRARIES, "-d", classes, ...sources]);
  return classes;
}

export class App {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly java: ChildProcess,
  ) {}

  /** Opens the app. `said` are commands for the Java before that. */
  static async open(browser: Browser, ...said: readonly string[]): Promise<App> {
    const context = await browser.newContext({ ...devices["Pixel 7"], reducedMotion: "reduce" });
    const page = await context.newPage();
    const strings = `-Dstrings=${join(ANDROID, "shell/res/values/strings.xml")}`;
    const java = spawn("java", [strings, "-cp", `${compiled()}:${LIBRARIES}`, "dev.deputy.phone.Drive"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const app = new App(context, page, java);
    await context.route(`${ORIGIN}/**`, (route) => {
      const name = new URL(route.request().url()).pathname.replace(/^\/m\/$/, "/m/index.html");
      const type = TYPES[name.split(".").at(-1) ?? ""];
      try {
        const body = readFileSync(join(ROOT, "dist", name));
        return route.fulfill({
          body,
          headers: { "content-type": type ?? "", "content-security-policy": POLICY },
        });
      } catch {
        return route.fulfill({ status: 404 });
      }
    });
    await page.exposeFunction("tellJava", (text: string) => app.say(`page ${text}`));
    await page.addInitScript(() => {
      const { tellJava } = window as unknown as { tellJava(text: string): void };
      (window as Window & { deputyApp?: object }).deputyApp = { tell: (text: string) => tellJava(text) };
    });
    if (java.stdout) {
      createInterface({ input: java.stdout }).on("line", (text) => {
        if (!text.startsWith('{"say"')) return;
        const hear = (text: string) =>
          (window as Window & { deputyHear?(text: string): void }).deputyHear?.(text);
        page.evaluate(hear, text).catch(() => {});
      });
    }
    for (const text of said) app.say(text);
    await page.goto(`${ORIGIN}/m/`);
    return app;
  }

  /** Sends a command to the Java. `mobile/android/core/test` lists the commands. */
  say(text: string) {
    this.java.stdin?.write(`${text}\n`);
  }

  async close() {
    await this.context.close();
    this.java.stdin?.end();
  }
}
