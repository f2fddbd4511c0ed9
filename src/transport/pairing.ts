/** The device's side of pairing: the scanned code, the number to compare, and the host's confirmation. */
import type { ErrorBody, PairingClaim, PairingStage } from "../protocol";
import { HttpError } from "./http";
import { keepDevice, makeKeys, makeSealingKeys, numberOf, publicPoint, sign } from "./keys";

/** The contents of the address of the QR code after `#`. */
export interface Scanned {
  code: string;
  pin: string;
  /** The host's address, `HOST:PORT`. Absent in a page that the host itself served. */
  at?: string;
}

export function scannedIn(hash: string): Scanned | undefined {
  const part = new URLSearchParams(hash.replace(/^#/, ""));
  const [code, pin] = [part.get("pair"), part.get("pin")];
  const at = part.get("at");
  return code && pin ? { code, pin, ...(at && { at }) } : undefined;
}

/** Parses a link that was scanned or typed: the whole link, or only the part after `#`. */
export function scannedLink(link: string): Scanned | undefined {
  const scanned = scannedIn(link.trim().replace(/^[^#]*#/, ""));
  const at = /^\s*https:\/\/([^/#\s]+)/.exec(link)?.[1];
  return scanned && at ? { ...scanned, at } : scanned;
}

/** A pairing that was started here. */
export interface Begun {
  /** The six digits. */
  number: string;
  /**
   * Reports that the user compared the number, and returns whether the desktop has confirmed it. Called repeatedly
   * until it has.
   */
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
