/**
 * The phone app that contains this page. It holds the keys and the connection. The page talks to it in
 * JSON: calls with replies, and a connection whose messages it forwards. The other end is
 * `mobile/android/core/…/Bridge.java`.
 */
import type { ClientMessage, ErrorBody, PairingStage, ServerMessage } from "../protocol";
import { HttpError } from "./http";
import type { Begun, Scanned } from "./pairing";
import type { Line, LineEvents, Transport } from "./transport";

/** The app's stored state. */
export interface Kept {
  device: string;
  name: string;
  /** The addresses of the host, in the order in which they are tried. */
  addresses: readonly string[];
  /** Whether the app stays connected while it is closed. */
  watch: boolean;
  /** Whether the app connects when the phone starts. */
  boot: boolean;
  /** The topic of a relay. May be empty. */
  relay: string;
  /** Whether a UnifiedPush app delivers notices. Absent if it was never set. */
  push?: boolean;
}

/** Events from outside the app: a link or notification that leads to a place, or a text shared with the app. */
export type Told = { told: "go"; hash: string } | { told: "shared"; text: string };

type Heard =
  | { say: "reply"; call: number; result?: unknown; error?: ErrorBody }
  | { say: "opened" | "closed"; line: number }
  | { say: "message"; line: number; message: ServerMessage }
  | { say: "go"; go: string }
  | { say: "shared"; shared: string };

interface Native {
  tell(text: string): void;
}

declare global {
  interface Window {
    deputyApp?: Native;
    deputyHear?: (text: string) => void;
  }
}

const calls = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
const lines = new Map<number, LineEvents>();
let lastCall = 0;
let listener: (told: Told) => void = () => {};

window.deputyHear = (text) => {
  const heard = JSON.parse(text) as Heard;
  switch (heard.say) {
    case "reply": {
      const call = calls.get(heard.call);
      calls.delete(heard.call);
      if (heard.error) call?.reject(new HttpError(heard.error));
      else call?.resolve(heard.result);
      return;
    }
    case "opened":
      lines.get(heard.line)?.opened();
      return;
    case "message":
      lines.get(heard.line)?.message(heard.message);
      return;
    case "closed": {
      const events = lines.get(heard.line);
      lines.delete(heard.line);
      events?.closed();
      return;
    }
    case "go":
      listener({ told: "go", hash: heard.go });
      return;
    case "shared":
      listener({ told: "shared", text: heard.shared });
  }
};

function tell(message: object) {
  window.deputyApp?.tell(JSON.stringify(message));
}

function call<T>(verb: string, more: object = {}): Promise<T> {
  lastCall += 1;
  const number = lastCall;
  return new Promise((resolve, reject) => {
    calls.set(number, { resolve: resolve as (result: unknown) => void, reject });
    tell({ do: verb, call: number, ...more });
  });
}

let kept: Kept | null = null;

/** Returns the place to start at, and reports later events to `heard`. Earlier events come first. */
export async function begin(heard: (told: Told) => void): Promise<void> {
  listener = heard;
  const begun = await call<{ kept: Kept | null; go?: string; shared?: string }>("begin");
  kept = begun.kept;
  if (begun.go) heard({ told: "go", hash: begun.go });
  if (begun.shared) heard({ told: "shared", text: begun.shared });
}

export function keptInApp(): Kept | null {
  return kept;
}

/** Changes the user's preferences. If a change is not possible, the call fails and nothing changes. */
export async function keepInApp(change: Partial<Kept>): Promise<Kept | null> {
  kept = await call<Kept | null>("keep", { change });
  return kept;
}

/** Deletes the keys, addresses and preferences. */
export async function forgetInApp(): Promise<void> {
  kept = await call<Kept | null>("forget");
}

/** Scans a code with the camera. Returns `null` if the user went back. */
export function scan(): Promise<string | null> {
  return call("scan");
}

export async function claimInApp({ code, pin, at }: Scanned, name: string): Promise<Begun> {
  const link = `deputy://pair#at=${at}&pair=${code}&pin=${pin}`;
  const number = await call<string>("claim", { link, name });
  return { number, finish: () => call<PairingStage>("finish") };
}

export function appTransport(device: string): Transport {
  return { screen: "phone", remote: true, device, proof: () => null, open: (events) => openLine(events) };
}

/** Opens a connection through the app, which adds the proof and the signatures. */
function openLine(events: LineEvents): Line {
  // Random, so that it differs from the connections of an earlier page.
  const line = Math.floor(Math.random() * 2 ** 31);
  lines.set(line, events);
  tell({ do: "open", line });
  return {
    send: (message: ClientMessage) => tell({ do: "send", line, message }),
    close: () => {
      lines.delete(line);
      tell({ do: "close", line });
    },
  };
}
