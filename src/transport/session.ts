/** The browser's session: a one-time link is taken for a secret that opens connections until it ends. */
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

/** What a hello proves itself with; another page may have opened a newer session. */
export function sessionProof(): Proof | null {
  current = load() ?? current;
  return current ? { proof: "session", session: current.session } : null;
}

/** The one-time token of the address, which is taken out of the address and the history at once. */
function takeToken(): string | undefined {
  const token = /^#token=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (token) window.history.replaceState(null, "", window.location.pathname);
  return token;
}

/** Takes the address's link for a session, where there is one. A link that no longer opens anything changes nothing. */
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
    // The host did not answer, or the browser keeps nothing: the connection itself tells what is wrong.
  }
}
