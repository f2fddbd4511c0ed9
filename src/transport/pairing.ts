/** A device's side of pairing: the code that was scanned, the number to compare, and the host's word on it. */
import type { ErrorBody, PairingClaim, PairingStage } from "../protocol";
import { HttpError } from "./http";
import { keepDevice, makeKeys, makeSealingKeys, numberOf, publicPoint, sign } from "./keys";

/** What is behind `#` in the address of the QR code. */
export interface Scanned {
  code: string;
  pin: string;
  /** Where the host is, `HOST:PORT`; absent in the page that the host itself served. */
  at?: string;
}

export function scannedIn(hash: string): Scanned | undefined {
  const part = new URLSearchParams(hash.replace(/^#/, ""));
  const [code, pin] = [part.get("pair"), part.get("pin")];
  const at = part.get("at");
  return code && pin ? { code, pin, ...(at && { at }) } : undefined;
}

/** What is in a link that was scanned or typed: the code's own, or what follows `#` in it. */
export function scannedLink(link: string): Scanned | undefined {
  const scanned = scannedIn(link.trim().replace(/^[^#]*#/, ""));
  const at = /^\s*https:\/\/([^/#\s]+)/.exec(link)?.[1];
  return scanned && at ? { ...scanned, at } : scanned;
}

/** A pairing that was begun here. */
export interface Begun {
  /** The six digits. */
  number: string;
  /** The person compared them: says so, and gives whether the desktop has, too. To be asked again until it has. */
  finish(): Promise<PairingStage>;
}

async function post(path: string, body: object): Promise<PairingStage> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const said: unknown = await answer.json();
  if (!answer.ok) throw new HttpError(said as ErrorBody);
  return said as PairingStage;
}

export async function claim({ code, pin }: Scanned, name: string): Promise<Begun> {
  const keys = await makeKeys();
  const sealing = await makeSealingKeys();
  const [sign_key, seal_key] = [await publicPoint(keys), await publicPoint(sealing)];
  await post("/api/v1/pairing", { code, name, sign_key, seal_key } satisfies PairingClaim);
  const number = await numberOf(pin, code, sign_key, seal_key);
  const signature = await sign(keys, "deputy-pair-1", pin, code, number);
  const finish = async () => {
    const stage = await post("/api/v1/pairing/finish", { code, signature });
    if (stage.stage === "paired") {
      await keepDevice({ id: stage.device.id, name: stage.device.name, pin, keys, sealing });
    }
    return stage;
  };
  return { number, finish };
}
