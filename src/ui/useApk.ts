/** The app for Android that the host has to offer; nothing where none was built. */
import { useEffect, useState } from "react";
import { bytes } from "../text";

export interface Apk {
  version: string;
  size: string;
  /** What the file is known by. */
  sha256: string;
}

/** `address` is where the build described it. */
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
    // A host that is away, or older than this page.
    return undefined;
  }
}
