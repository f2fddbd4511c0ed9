/** Starts the phone's pages: the look, the words, the last known state, the line to the host, then the screen. */
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "../../src/styles/tokens.css";
import "../../src/styles/base.css";
import "../../src/app/app.css";
import "./phone.css";
import { createRoot } from "react-dom/client";
import { followDrafts, putDraft } from "../../src/app/drafts";
import { applyPreferences } from "../../src/app/preferences";
import { go } from "../../src/app/route";
import { Client } from "../../src/store/client";
import { HostContext } from "../../src/store/hooks";
import { Store } from "../../src/store/store";
import {
  chooseTransport,
  isRemote,
  openSession,
  phoneApp,
  type Scanned,
  scannedIn,
} from "../../src/transport";
import { App } from "./App";
import { keepLast, showLast } from "./last";
import { lazily } from "./lazily";
import { PairByCode } from "./pair/PairByCode";

const GetApp = lazily(() => import("./pair/GetApp"));
const Pair = lazily(() => import("../../src/features/pair/Pair"));

const place = document.getElementById("root");
const root = place && createRoot(place);

function pair(scanned: Scanned) {
  // The code is good once; it does not stay in the address.
  window.history.replaceState(null, "", window.location.pathname);
  const more = phoneApp ? undefined : <GetApp scanned={scanned} />;
  root?.render(<Pair scanned={scanned} onDone={() => window.location.reload()} more={more} />);
}

async function start() {
  const store = new Store();
  const transport = await chooseTransport();
  if (transport.remote && !transport.device) {
    root?.render(<PairByCode onScanned={pair} />);
    return;
  }
  const client = new Client(store, transport);
  await openSession();
  showLast(store);
  keepLast(store);
  client.connect();
  window.addEventListener("online", () => client.connect());
  // A code that is scanned while the page is open changes the address only.
  window.addEventListener("hashchange", () => {
    const scanned = scannedIn(window.location.hash);
    if (!scanned || !isRemote()) return;
    client.close();
    pair(scanned);
  });
  if (window.location.hash === "") go({ screen: "tasks" });
  root?.render(
    <HostContext value={{ store, client }}>
      <App />
    </HostContext>,
  );
}

/** In the app: where a notification, a link or the share sheet leads, now and later. */
async function arrive() {
  const app = await phoneApp?.();
  await app?.begin((told) => {
    if (told.told === "shared") putDraft("new.goal", told.text);
    window.location.hash = told.told === "shared" ? "#/new" : told.hash;
  });
}

followDrafts();
void Promise.all([applyPreferences(), arrive()]).then(() => {
  const scanned = isRemote() ? scannedIn(window.location.hash) : undefined;
  if (scanned) pair(scanned);
  else void start();
});
