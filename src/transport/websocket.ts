/** The transport of a browser: a WebSocket to the host that served the page, with one JSON message per frame. */
import type { ServerMessage } from "../protocol";
import { sessionProof } from "./session";
import type { Line, LineEvents, Transport } from "./transport";

/** Returns the address of the host's WebSocket, for a page that the host served. */
export function socketAddress(page: { protocol: string; host: string }): string {
  return `${page.protocol === "https:" ? "wss:" : "ws:"}//${page.host}/ws`;
}

export function webSocketTransport(address: string): Transport {
  return {
    screen: "browser",
    remote: false,
    proof: sessionProof,
    open: (events) => openLine(address, events),
  };
}

export function openLine(address: string, events: LineEvents): Line {
  const socket = new WebSocket(address);
  let over = false;
  const end = () => {
    if (over) return;
    over = true;
    events.closed();
  };
  socket.onopen = () => events.opened();
  socket.onclose = end;
  socket.onerror = end;
  socket.onmessage = (frame) => {
    if (over || typeof frame.data !== "string") return;
    const message = parse(frame.data);
    if (message) events.message(message);
  };
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close: () => {
      over = true;
      socket.close();
    },
  };
}

/** Parses a frame. Frames that are not messages, e.g. from a newer host, are ignored. */
function parse(text: string): ServerMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "type" in value
      ? (value as ServerMessage)
      : undefined;
  } catch {
    return undefined;
  }
}
