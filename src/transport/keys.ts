/** A device's keys: made by the browser, never to be read out of it, kept in IndexedDB. */

/** What pairing leaves behind. */
export interface OwnDevice {
  id: string;
  /** What its person calls it; absent where it was paired by an earlier page. */
  name?: string;
  /** The fingerprint of the server's key, out of the code that was scanned. */
  pin: string;
  keys: CryptoKeyPair;
  /** What notices are sealed to; absent where it was paired before there was one. */
  sealing?: CryptoKeyPair;
}

const DATABASE = "deputy";
const PLACE = "device";
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };

function encode(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}

/** The pair that notices are sealed to, on their way through a relay. */
export function makeSealingKeys(): Promise<CryptoKeyPair> {
  const algorithm = { name: "ECDH", namedCurve: "P-256" };
  return crypto.subtle.generateKey(algorithm, false, ["deriveBits"]) as Promise<CryptoKeyPair>;
}

/** The uncompressed point in base64url. */
export async function publicPoint(keys: CryptoKeyPair): Promise<string> {
  return encode(await crypto.subtle.exportKey("raw", keys.publicKey));
}

/** `r` and `s` over the lines, joined by line feeds, in base64url. */
export async function sign(keys: CryptoKeyPair, ...lines: readonly (string | number)[]): Promise<string> {
  const text = new TextEncoder().encode(lines.join("\n"));
  return encode(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, text));
}

/** The six digits that both sides show, worked out from what this side saw itself. */
export async function numberOf(pin: string, code: string, point: string, sealing: string): Promise<string> {
  const text = new TextEncoder().encode(`deputy-number-1\n${pin}\n${code}\n${point}\n${sealing}`);
  const digest = await crypto.subtle.digest("SHA-256", text);
  return String(new DataView(digest).getUint32(0) % 1_000_000).padStart(6, "0");
}

export function freshNonce(): string {
  return encode(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function storeOf(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(PLACE);
  return (await answered(opening)).transaction(PLACE, mode).objectStore(PLACE);
}

/** The device that this browser is, if it was paired. */
export async function ownDevice(): Promise<OwnDevice | undefined> {
  try {
    return await answered((await storeOf("readonly")).get(PLACE) as IDBRequest<OwnDevice | undefined>);
  } catch {
    return undefined;
  }
}

export async function keepDevice(device: OwnDevice): Promise<void> {
  await answered((await storeOf("readwrite")).put(device, PLACE));
}

/** Takes the keys out of this browser for good. */
export async function dropDevice(): Promise<void> {
  await answered((await storeOf("readwrite")).delete(PLACE));
}
