/** The transport of a browser: one WebSocket to the host that served the page, one JSON message a frame. */
import type { ServerMessage } from "../protocol";
import { sessionProof } from "./session";
import type { Line, LineEvents, Transport } from "./transport";

/** Where the host listens, seen from the page that it served. */
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

/** A frame that is not a message, say of a newer host, is passed over. */
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
