/** The transport of the desktop's window: the same messages through the shell that holds the page. */
import { invoke } from "@tauri-apps/api/core";
import type { ClientMessage, ErrorBody, ServerMessage } from "../protocol";
import type { Line, LineEvents, Transport } from "./transport";

/** The shell connects as the user itself, so there is nothing to prove. */
export function ipcTransport(): Transport {
  return { screen: "window", remote: false, proof: () => null, open: (events) => new IpcLine(events) };
}

/**
 * A line through the shell. What comes next is asked for, never pushed: a page that does not keep up is let go by the
 * host as every client is, and resumes.
 */
class IpcLine implements Line {
  private number: number | undefined;
  private over = false;
  /** One after the other, so that messages arrive in the order in which they were sent. */
  private sending: Promise<unknown> = Promise.resolve();

  constructor(private readonly events: LineEvents) {
    void this.run();
  }

  send(message: ClientMessage) {
    const line = this.number;
    if (line === undefined || this.over) return;
    const text = JSON.stringify(message);
    // `line_next` reports a line that is gone.
    this.sending = this.sending.then(() => invoke("line_send", { line, text })).catch(() => {});
  }

  close() {
    this.over = true;
    if (this.number !== undefined) void invoke("line_close", { line: this.number }).catch(() => {});
  }

  private async run() {
    try {
      this.number = await invoke<number>("line_open");
    } catch (error) {
      if (!this.over) this.events.message({ type: "error", id: null, error: bodyOf(error) });
      this.end();
      return;
    }
    if (this.over) {
      this.close();
      return;
    }
    this.events.opened();
    try {
      while (!this.over) {
        for (const message of await invoke<ServerMessage[]>("line_next", { line: this.number })) {
          if (!this.over) this.events.message(message);
        }
      }
    } catch {
      this.end();
    }
  }

  private end() {
    if (this.over) return;
    this.over = true;
    this.events.closed();
  }
}

/** What a command of the shell fails with. */
function bodyOf(error: unknown): ErrorBody {
  if (typeof error === "object" && error !== null && "code" in error && "message" in error)
    return error as ErrorBody;
  return { code: "page", message: String(error), hints: [] };
}
