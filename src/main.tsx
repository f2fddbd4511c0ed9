/** Starts the page: preferences, texts, store, connection to the host, then the screen. */
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { listenToDesktop } from "./app/desktop";
import { followDrafts } from "./app/drafts";
import { listenToKeys } from "./app/keys";
import { applyPreferences } from "./app/preferences";
import { Client } from "./store/client";
import { HostContext } from "./store/hooks";
import { Store } from "./store/store";
import { chooseTransport, isRemote, openSession, type Scanned, scannedIn } from "./transport";

const Pair = lazy(() => import("./features/pair/Pair"));

const place = document.getElementById("root");
const root = place && createRoot(place);

function pair(scanned: Scanned) {
  // The code is valid once, so it is removed from the address.
  window.history.replaceState(null, "", window.location.pathname);
  root?.render(
    <Suspense fallback={null}>
      <Pair scanned={scanned} onDone={() => window.location.reload()} />
    </Suspense>,
  );
}

async function start() {
  const store = new Store();
  const client = new Client(store, await chooseTransport());
  await openSession();
  client.connect();
  window.addEventListener("online", () => client.connect());
  // If the page is already open, a new link changes only the hash.
  window.addEventListener("hashchange", () => {
    const scanned = scannedIn(window.location.hash);
    if (scanned && isRemote()) {
      client.close();
      pair(scanned);
    } else if (window.location.hash.startsWith("#token=")) void openSession().then(() => client.connect());
  });
  root?.render(
    <HostContext value={{ store, client }}>
      <App />
    </HostContext>,
  );
}

listenToKeys();
followDrafts();
listenToDesktop();
void applyPreferences().then(() => {
  const scanned = isRemote() ? scannedIn(window.location.hash) : undefined;
  if (scanned) pair(scanned);
  else void start();
});
