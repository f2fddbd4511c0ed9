import { invoke } from "@tauri-apps/api/core";
import { describe, expect, it, vi } from "vitest";
import type { ServerMessage } from "../protocol";
import { ipcTransport } from "./ipc";

vi.mock("@tauri-apps/api/core", () => ({ invoke: vi.fn() }));

/** Returns what the page receives if the connection cannot be opened. */
function heardWhen(error: unknown): Promise<ServerMessage> {
  vi.mocked(invoke).mockRejectedValueOnce(error);
  return new Promise((resolve) => {
    ipcTransport().open({ opened: () => {}, message: resolve, closed: () => {} });
  });
}

describe("a line through the shell that cannot be opened", () => {
  it("keeps the host's error, whose message is a phrase with arguments", async () => {
    const error = { code: "store", message: { id: "store-newer", args: {}, text: "Too new." }, hints: [] };
    expect(await heardWhen(error)).toEqual({ type: "error", id: null, error });
  });

  it("says what went wrong where the shell itself fails", async () => {
    const error = { code: "page", message: "no such command", hints: [] };
    expect(await heardWhen("no such command")).toEqual({ type: "error", id: null, error });
  });
});
