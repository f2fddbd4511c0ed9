/** The transport of the desktop window: the same messages, through the shell that contains the page. */
import { invoke } from "@tauri-apps/api/core";
import type { ClientMessage, ErrorBody, ServerMessage } from "../protocol";
import type { Line, LineEvents, Transport } from "./transport";

/** The shell connects as the user itself, so no proof is needed. */
export function ipcTransport(): Transport {
  return { screen: "window", remote: false, proof: () => null, open: (events) => new IpcLine(events) };
}

/**
 * A connection through the shell. Messages are pulled, never pushed: the host disconnects a page that falls
 * behind, like any other client, and the page resumes.
 */
class IpcLine implements Line {
  private number: number | undefined;
  private over = false;
  /** Sends messages one at a time, so that they arrive in order. */
  private sending: Promise<unknown> = Promise.resolve();

  constructor(private readonly events: LineEvents) {
    void this.run();
  }

  send(message: ClientMessage) {
    const line = this.number;
    if (line === undefined || this.over) return;
    const text = JSON.stringify(message);
    // `line_next` reports a lost connection.
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

/** Returns the error of a shell command. */
function bodyOf(error: unknown): ErrorBody {
  if (typeof error === "object" && error !== null && "code" in error && "message" in error)
    return error as ErrorBody;
  return { code: "page", message: String(error), hints: [] };
}
