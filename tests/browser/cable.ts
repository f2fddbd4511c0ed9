/** The connection between a phone and its host. It can be cut, and can hold the data of one direction until the cut. */
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from "node:net";
import { type Browser, test } from "@playwright/test";

type Way = "up" | "down";

export class Cable {
  private readonly ends = new Set<Socket>();
  private held: Way | undefined;

  private constructor(
    private readonly server: Server,
    /** A browser whose connections go through this cable, under the host's own address. */
    readonly browser: Browser,
  ) {}

  static async to(address: string, usual: Browser): Promise<Cable> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { launchOptions } = test.info().project.use;
    const args = [...(launchOptions?.args ?? []), `--host-resolver-rules=MAP ${address} 127.0.0.1:${port}`];
    const cable = new Cable(server, await usual.browserType().launch({ ...launchOptions, args }));
    server.on("connection", (phone) => cable.join(phone, address));
    return cable;
  }

  private join(phone: Socket, address: string) {
    const { hostname, port } = new URL(`http://${address}`);
    const host = dial(Number(port), hostname);
    for (const [from, to, way] of [
      [phone, host, "up"],
      [host, phone, "down"],
    ] as const) {
      this.ends.add(from);
      from.setNoDelay(true);
      from.on("data", (bytes) => this.held !== way && to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => {
        this.ends.delete(from);
        to.destroy();
      });
    }
  }

  /** Holds the data of this direction from now on. The next cut drops it. */
  hold(way: Way) {
    this.held = way;
  }

  /** Cuts all connections. New connections work. */
  cut() {
    for (const end of this.ends) end.resetAndDestroy();
    this.held = undefined;
  }

  async close() {
    await this.browser.close();
    this.cut();
    this.server.close();
  }
}
