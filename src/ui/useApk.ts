/** The Android app that the host offers. `undefined` if it was not built. */
import { useEffect, useState } from "react";
import { bytes } from "../text";

export interface Apk {
  version: string;
  size: string;
  /** The checksum of the file. */
  sha256: string;
}

/** `address` is the location of the build's description. */
export function useApk(address: string): Apk | undefined {
  const [apk, setApk] = useState<Apk>();
  useEffect(() => {
    let isGone = false;
    void describe(address).then((found) => !isGone && setApk(found));
    return () => {
      isGone = true;
    };
  }, [address]);
  return apk;
}

async function describe(address: string): Promise<Apk | undefined> {
  try {
    const answer = await fetch(address);
    if (!answer.ok) return undefined;
    const built = (await answer.json()) as { version: string; bytes: number; sha256: string } | null;
    return built ? { version: built.version, size: bytes(built.bytes), sha256: built.sha256 } : undefined;
  } catch {
    // The host is unreachable, or older than this page.
    return undefined;
  }
}
