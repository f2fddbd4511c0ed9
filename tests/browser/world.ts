/** The world of a test: a home, a workspace, a scripted model and a `deputy serve`. Removed at its end. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test as base, expect, type Page } from "@playwright/test";

export { expect };

const SOURCE = join(import.meta.dirname, "../..");
const BINARIES =
  process.env.DEPUTY_BINARIES ?? join(process.env.CARGO_TARGET_DIR ?? join(SOURCE, "target"), "debug");

/** A tool call of the scripted model. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export type Turn = { type: "text"; text: string } | { type: "tool_calls"; text?: string; calls: Call[] };

export const shell = (command: string): Call => ({ name: "shell", arguments: { command } });
export const write = (path: string, content: string): Call => {
  return { name: "code", arguments: { action: "write", path, content } };
};
export const read = (path: string): Call => ({ name: "code", arguments: { action: "read", path } });
export const calls = (text: string, ...made: Call[]): Turn => ({ type: "tool_calls", text, calls: made });
export const ask = (question: string): Turn => {
  return { type: "tool_calls", calls: [{ name: "ask_user", arguments: { question } }] };
};
export const say = (text: string): Turn => ({ type: "text", text });

/**
 * Returns an address that a host can use again after a restart. It is below the kernel's range for outgoing
 * connections, which would block the port for a minute after their end.
 */
async function freeAddress(): Promise<string> {
  const range = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
  const firstOfTheirs = Number.parseInt(range, 10);
  for (;;) {
    const port = randomInt(12_000, firstOfTheirs);
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return `127.0.0.1:${port}`;
  }
}

export class World {
  readonly root = mkdtempSync(join(tmpdir(), "deputy-page-"));
  readonly workspace = join(this.root, "workspace");
  private readonly home = join(this.root, "deputy");
  private readonly children: ChildProcess[] = [];
  private host: ChildProcess | undefined;
  private link = "";
  private readonly tools: string[] = [];
  private program = join(BINARIES, "deputy");
  /** Additional environment variables of the host. Set before `start`. */
  readonly variables: Record<string, string> = {};
  /** The page's address, without the link's secret. */
  address = "";

  constructor() {
    for (const folder of ["workspace", "deputy", "user"]) mkdirSync(join(this.root, folder));
  }

  /** Runs Deputy from a separate folder whose built page also contains these files. Called before `start`. */
  install(files: Record<string, string>) {
    const folder = join(this.root, "installed");
    cpSync(join(SOURCE, "dist"), join(folder, "dist"), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "dist", name), text);
    for (const name of ["sidecar", ".venv"]) symlinkSync(join(SOURCE, name), join(folder, name));
    const program = join(folder, "deputy");
    copyFileSync(this.program, program);
    this.program = program;
  }

  /** Starts the model and the host. `more` is appended to the default settings. */
  async start(script: object, more = ""): Promise<void> {
    const file = join(this.root, "script.json");
    writeFileSync(file, JSON.stringify(script));
    const model = spawn(join(BINARIES, "scripted-model"), ["--script", file], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.children.push(model);
    const [url] = await lines(model, 1);
    const settings = `local_servers = []\n[backends.openai_compatible]\nbase_url = "${url}"\nmodel = "scripted"\n`;
    writeFileSync(join(this.home, "config.toml"), `backend = "openai_compatible"\n${settings}${more}`);
    await this.serve(await freeAddress());
  }

  /** Starts a host without a model, as after the installation. It looks for Ollama at the test's own port. */
  async startFresh(ollama?: number): Promise<void> {
    const servers = ollama === undefined ? "" : `{ name = "Ollama", port = ${ollama} }`;
    this.configure("config.toml", `local_servers = [${servers}]\n`);
    await this.serve(await freeAddress());
  }

  /** Returns the content of the settings file. */
  settings(): string {
    return readFileSync(join(this.home, "config.toml"), "utf8");
  }

  /** Writes a file into Deputy's home. */
  configure(name: string, text: string) {
    writeFileSync(join(this.home, name), text);
  }

  /** Starts a host at an address. */
  async serve(listen: string): Promise<void> {
    const host = this.spawn(["--json", "serve", "--listen", listen]);
    this.host = host;
    await lines(host, 1);
    this.link = JSON.parse(this.deputy("--json", "open")).url;
    this.address = new URL(this.link).origin;
  }

  /** Ends the host. Tasks stay in the journal. With `SIGKILL`, the host crashes. */
  async end(how: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const { host } = this;
    if (!host || host.exitCode !== null || host.signalCode !== null) return;
    const gone = new Promise((resolve) => host.once("exit", resolve));
    host.kill(how);
    await gone;
  }

  /** Opens the page with a new link, at a place in it. */
  async open(page: Page, place = ""): Promise<void> {
    const link = JSON.parse(this.deputy("--json", "open")).url ?? this.link;
    await page.goto(link);
    await page.locator(".rail").waitFor();
    if (place) await page.evaluate((hash) => (window.location.hash = hash), place);
  }

  /** Runs `deputy ARGS` to its end and returns its output. */
  deputy(...args: string[]): string {
    return execFileSync(this.program, args, {
      env: this.env(),
      cwd: this.workspace,
      encoding: "utf8",
    });
  }

  /** Returns the id of the first open request, once there is one. */
  async asked(): Promise<string> {
    let id = "";
    await expect
      .poll(() => {
        id = JSON.parse(this.deputy("--json", "status")).requests?.[0]?.id ?? "";
        return id;
      })
      .not.toBe("");
    return id;
  }

  /** Runs `deputy ARGS`, which may fail, without the capabilities that let root ignore file modes. */
  deputyHeedingModes(...args: string[]): string {
    const caps = ["--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all", "--"];
    const deputy = [join(BINARIES, "deputy"), ...args];
    const [program = "", ...rest] = process.getuid?.() === 0 ? ["setpriv", ...caps, ...deputy] : deputy;
    return spawnSync(program, rest, { env: this.env(), cwd: this.workspace, encoding: "utf8" }).stdout;
  }

  /** Runs `deputy ARGS` without blocking the test. */
  async later(...args: string[]): Promise<void> {
    const child = this.spawn(args);
    child.stdout?.resume();
    await new Promise((resolve) => child.once("exit", resolve));
  }

  /** Starts a task in a subfolder of the workspace from the command line. Returns its id once it has begun. */
  task(goal: string, folder = ""): string {
    const place = join(this.workspace, folder);
    mkdirSync(place, { recursive: true });
    const said = this.deputy("--json", "run", goal, "--in", place, "--detach");
    const id = /"id":"(t\w+)"|"task":"(t\w+)"/.exec(said);
    return id?.[1] ?? id?.[2] ?? "";
  }

  /** Denies the open request from a terminal. */
  deny(reason: string) {
    const [request] = JSON.parse(this.deputy("--json", "status")).requests;
    this.deputy("deny", request.id, "--reason", reason);
  }

  /** Puts a program at the front of the host's `PATH`. Called before `start`. */
  tool(name: string, script: string) {
    mkdirSync(join(this.root, "bin"), { recursive: true });
    writeFileSync(join(this.root, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    this.tools.push(name);
  }

  read(path: string): string {
    return readFileSync(join(this.workspace, path), "utf8");
  }

  write(path: string, content: string | Buffer) {
    writeFileSync(join(this.workspace, path), content);
  }

  close() {
    for (const child of this.children) child.kill();
    rmSync(this.root, { recursive: true, force: true });
  }

  private env(): NodeJS.ProcessEnv {
    const own = this.tools.length > 0 ? `${join(this.root, "bin")}:` : "";
    const path = `${own}/usr/local/bin:/usr/bin:/bin`;
    return {
      PATH: path,
      HOME: join(this.root, "user"),
      LANG: "C.UTF-8",
      DEPUTY_HOME: this.home,
      ...this.variables,
    };
  }

  private spawn(args: string[]): ChildProcess {
    const stdio: ["ignore", "pipe", "inherit"] = ["ignore", "pipe", "inherit"];
    const child = spawn(this.program, args, { env: this.env(), cwd: this.workspace, stdio });
    this.children.push(child);
    return child;
  }
}

/** Returns the first lines of a program's output. */
async function lines(child: ChildProcess, count: number): Promise<string[]> {
  const found: string[] = [];
  if (!child.stdout) throw new Error("the program's output is not read");
  for await (const line of createInterface({ input: child.stdout })) {
    found.push(line);
    if (found.length === count) return found;
  }
  throw new Error(`the program ended after ${found.length} lines`);
}

/** A test with a world. It fails if the page logs an error. */
export const test = base.extend<{ world: World; quiet: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the names of what is asked for
  world: async ({}, use) => {
    const world = new World();
    await use(world);
    await world.end();
    world.close();
  },
  quiet: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        // The browser also reports a host that was ended on purpose, including while it loads code for later screens.
        if (
          message.type() === "error" &&
          !/WebSocket|ERR_(?:CONNECTION_(?:REFUSED|RESET)|EMPTY_RESPONSE)/.test(message.text())
        )
          errors.push(message.text());
      });
      await use(undefined);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});
