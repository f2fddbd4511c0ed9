/** Chooses the transport, and where this device's keys are: in the browser, or in the app that contains the page. */
import { desktop } from "./desktop";
import { deviceTransport } from "./device";
import { ipcTransport } from "./ipc";
import * as browser from "./keys";
import { type Begun, claim as claimInBrowser, type Scanned } from "./pairing";
import type { Transport } from "./transport";
import { socketAddress, webSocketTransport } from "./websocket";

export type { Kept } from "./app";
export { type Desktop, desktop, type Told } from "./desktop";
export { type Begun, type Scanned, scannedIn, scannedLink } from "./pairing";
export { openSession } from "./session";
export type { Line, LineEvents, Transport } from "./transport";

/** The phone app that contains this page. `undefined` in a browser. Its module is only loaded in the app. */
export const phoneApp = "deputyApp" in window ? () => import("./app") : undefined;

/**
 * Chooses the transport: the desktop shell, or the host that served this page. In development, the host that
 * `VITE_DEPUTY_SOCKET` names.
 */
export async function chooseTransport(): Promise<Transport> {
  if (desktop) return ipcTransport();
  const named: string | undefined = import.meta.env.VITE_DEPUTY_SOCKET;
  const address = named ?? socketAddress(window.location);
  if (!isRemote()) return webSocketTransport(address);
  const unpaired = { ...webSocketTransport(address), remote: true };
  if (phoneApp) {
    const { appTransport, keptInApp } = await phoneApp();
    const kept = keptInApp();
    return kept ? appTransport(kept.device) : unpaired;
  }
  const device = await browser.ownDevice();
  return device ? deviceTransport(address, device) : unpaired;
}

/**
 * Returns whether this page came from the listener for devices, which uses TLS. The desktop's own is on loopback
 * without TLS.
 */
export function isRemote(): boolean {
  return window.location.protocol === "https:";
}

/** A paired device, as its own screens show it. */
export interface OwnDevice {
  id: string;
  /** The user's name for it. Absent if it was paired by an older version of the page. */
  name?: string;
}

/** Returns the device that this browser or app is, if it is paired. */
export async function ownDevice(): Promise<OwnDevice | undefined> {
  if (!phoneApp) return browser.ownDevice();
  const kept = (await phoneApp()).keptInApp();
  return kept ? { id: kept.device, name: kept.name } : undefined;
}

/** Stores the name of the device. */
export async function nameDevice(name: string): Promise<void> {
  if (phoneApp) {
    await (await phoneApp()).keepInApp({ name });
    return;
  }
  const device = await browser.ownDevice();
  if (device) await browser.keepDevice({ ...device, name });
}

/** Deletes the device's keys permanently. */
export async function dropDevice(): Promise<void> {
  if (phoneApp) await (await phoneApp()).forgetInApp();
  else await browser.dropDevice();
}

/** Starts pairing: sends the code and new keys. */
export async function claim(scanned: Scanned, name: string): Promise<Begun> {
  return phoneApp ? (await phoneApp()).claimInApp(scanned, name) : claimInBrowser(scanned, name);
}
