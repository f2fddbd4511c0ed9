/** Chooses the way to the host. */
import { desktop } from "./desktop";
import { deviceTransport } from "./device";
import { ipcTransport } from "./ipc";
import { ownDevice } from "./keys";
import type { Transport } from "./transport";
import { socketAddress, webSocketTransport } from "./websocket";

export { type Desktop, desktop, type Told } from "./desktop";
export { dropDevice, keepDevice, type OwnDevice, ownDevice } from "./keys";
export { type Begun, claim, type Scanned, scannedIn } from "./pairing";
export { openSession } from "./session";
export type { Line, LineEvents, Transport } from "./transport";

/** The shell of the window, or the host that served this page; while developing, the one that `VITE_DEPUTY_SOCKET` names. */
export async function chooseTransport(): Promise<Transport> {
  if (desktop) return ipcTransport();
  const named: string | undefined = import.meta.env.VITE_DEPUTY_SOCKET;
  const address = named ?? socketAddress(window.location);
  if (!isRemote()) return webSocketTransport(address);
  const device = await ownDevice();
  return device ? deviceTransport(address, device) : { ...webSocketTransport(address), remote: true };
}

/** Whether this page came through the door for devices: that one speaks TLS, the desktop's own is on loopback without. */
export function isRemote(): boolean {
  return window.location.protocol === "https:";
}
