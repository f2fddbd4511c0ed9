/** Chooses the way to the host, and where this device's keys are: with the browser, or with the app that holds the page. */
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

/** The app on the phone that holds this page; absent in a browser. Its part is loaded only there. */
export const phoneApp = "deputyApp" in window ? () => import("./app") : undefined;

/** The shell of the window, or the host that served this page; while developing, the one that `VITE_DEPUTY_SOCKET` names. */
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

/** Whether this page came through the door for devices: that one speaks TLS, the desktop's own is on loopback without. */
export function isRemote(): boolean {
  return window.location.protocol === "https:";
}

/** A paired device as its own screens show it. */
export interface OwnDevice {
  id: string;
  /** What its person calls it; absent where it was paired by an earlier page. */
  name?: string;
}

/** The device that this browser or app is, if it was paired. */
export async function ownDevice(): Promise<OwnDevice | undefined> {
  if (!phoneApp) return browser.ownDevice();
  const kept = (await phoneApp()).keptInApp();
  return kept ? { id: kept.device, name: kept.name } : undefined;
}

/** Keeps what the device is called. */
export async function nameDevice(name: string): Promise<void> {
  if (phoneApp) {
    await (await phoneApp()).keepInApp({ name });
    return;
  }
  const device = await browser.ownDevice();
  if (device) await browser.keepDevice({ ...device, name });
}

/** Deletes the device's keys for good. */
export async function dropDevice(): Promise<void> {
  if (phoneApp) await (await phoneApp()).forgetInApp();
  else await browser.dropDevice();
}

/** Sends the code and fresh keys. */
export async function claim(scanned: Scanned, name: string): Promise<Begun> {
  return phoneApp ? (await phoneApp()).claimInApp(scanned, name) : claimInBrowser(scanned, name);
}
