// @vitest-environment node
import { webcrypto } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { PermissionAnswer } from "../protocol";
import { choiceWords } from "./device";
import { freshNonce, makeKeys, numberOf, publicPoint, sign } from "./keys";
import { scannedIn } from "./pairing";

beforeAll(() => {
  globalThis.crypto ??= webcrypto as unknown as Crypto;
});

describe("a device's key", () => {
  it("cannot be read out, and its signatures are r and s of 32 bytes", async () => {
    const keys = await makeKeys();
    await expect(crypto.subtle.exportKey("pkcs8", keys.privateKey)).rejects.toThrow();
    expect(Buffer.from(await publicPoint(keys), "base64url")).toHaveLength(65);
    const signature = Buffer.from(await sign(keys, "a", 1, ""), "base64url");
    expect(signature).toHaveLength(64);
    const how = { name: "ECDSA", hash: "SHA-256" };
    expect(await crypto.subtle.verify(how, keys.publicKey, signature, Buffer.from("a\n1\n"))).toBe(true);
  });

  it("has nonces that are long enough and never the same", () => {
    const many = new Set(Array.from({ length: 100 }, freshNonce));
    expect(many.size).toBe(100);
    for (const nonce of many) expect(nonce).toMatch(/^[\w-]{22}$/);
  });
});

describe("pairing", () => {
  it("takes code and fingerprint out of the address, both or none", () => {
    expect(scannedIn("#pair=abc&pin=def")).toEqual({ code: "abc", pin: "def" });
    expect(scannedIn("#pair=abc")).toBeUndefined();
    expect(scannedIn("#/tasks")).toBeUndefined();
  });

  it("works out the same number as the host", async () => {
    // SHA-256 of the five lines, computed by another implementation.
    const { createHash } = await import("node:crypto");
    const text = "deputy-number-1\npin\ncode\npoint\nsealing";
    const first = createHash("sha256").update(text).digest().readUInt32BE(0);
    expect(await numberOf("pin", "code", "point", "sealing")).toBe(
      String(first % 1_000_000).padStart(6, "0"),
    );
  });
});

describe("what a choice is called in its signature", () => {
  const allow = (lifetime: object, wider = false, dropped: string[] = []) =>
    ({ choice: "allow", lifetime, wider, dropped }) as PermissionAnswer["choice"];
  it.each([
    [{ choice: "deny", reason: "no", change: false } as PermissionAnswer["choice"], "deny"],
    [{ choice: "deny", reason: "shorter", change: true } as PermissionAnswer["choice"], "change"],
    [allow({ for: "once" }), "allow once"],
    [allow({ for: "names" }), "allow names"],
    [allow({ for: "always" }), "allow always"],
    [allow({ for: "task", task: "t1" }), "allow task t1"],
    [allow({ for: "session", session: "s1" }), "allow session s1"],
    [allow({ for: "minutes", minutes: 30 }), "allow minutes 30"],
    [allow({ for: "always" }, true), "allow wider always"],
    [allow({ for: "once" }, false, ["t1-1-2", "t1-1-3"]), "allow once without t1-1-2,t1-1-3"],
  ])("%j is %s", (choice, words) => expect(choiceWords(choice)).toBe(words));
});
