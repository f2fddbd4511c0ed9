/** Chooses the way to the host. */
import type { Transport } from "./transport";
import { socketAddress, webSocketTransport } from "./websocket";

export { canPickFolder, offerFolderPicker, pickFolder } from "./folders";
export { openSession } from "./session";
export type { Line, LineEvents, Transport } from "./transport";

/** The host that served this page; while developing, the one that `VITE_DEPUTY_SOCKET` names. */
export function chooseTransport(): Transport {
  const named: string | undefined = import.meta.env.VITE_DEPUTY_SOCKET;
  return webSocketTransport(named ?? socketAddress(window.location));
}
