/**
 * The browser's session: a one-time link is exchanged for a secret that authenticates connections until the session
 * ends.
 */
import type { Proof, SessionRequest } from "../protocol";

const KEY = "deputy.session";

interface Session {
  session: string;
  expires_at_ms: number;
}

let current: Session | undefined = load();

function load(): Session | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Session | null;
    return kept && kept.expires_at_ms > Date.now() ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the proof for a hello. Another page may have opened a newer session. */
export function sessionProof(): Proof | null {
  current = load() ?? current;
  return current ? { proof: "session", session: current.session } : null;
}

/** Returns the one-time token from the address, and removes it from the address and the history at once. */
function takeToken(): string | undefined {
  const token = /^#token=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (token) window.history.replaceState(null, "", window.location.pathname);
  return token;
}

/** Exchanges the link in the address for a session, if there is one. An expired link has no effect. */
export async function openSession(): Promise<void> {
  const token = takeToken();
  if (!token) return;
  try {
    const answer = await fetch("/api/v1/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ by: "link", token } satisfies SessionRequest),
    });
    if (!answer.ok) return;
    current = (await answer.json()) as Session;
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // The host did not answer, or the browser has no storage: the connection reports the problem.
  }
}
