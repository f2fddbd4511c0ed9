/** Chooses the way to the host. */
import { desktop } from "./desktop";
import { ipcTransport } from "./ipc";
import type { Transport } from "./transport";
import { socketAddress, webSocketTransport } from "./websocket";

export { type Desktop, desktop, type Told } from "./desktop";
export { openSession } from "./session";
export type { Line, LineEvents, Transport } from "./transport";

/** The shell of the window, or the host that served this page; while developing, the one that `VITE_DEPUTY_SOCKET` names. */
export function chooseTransport(): Transport {
  if (desktop) return ipcTransport();
  const named: string | undefined = import.meta.env.VITE_DEPUTY_SOCKET;
  return webSocketTransport(named ?? socketAddress(window.location));
}
