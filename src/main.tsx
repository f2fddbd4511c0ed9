/** Starts the page: the look, the words, the store, the line to the host, then the screen. */
import "@fontsource-variable/inter/opsz.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { listenToDesktop } from "./app/desktop";
import { listenToKeys } from "./app/keys";
import { applyPreferences } from "./app/preferences";
import { Client } from "./store/client";
import { HostContext } from "./store/hooks";
import { Store } from "./store/store";
import { chooseTransport, openSession } from "./transport";

const store = new Store();
const client = new Client(store, chooseTransport());
const place = document.getElementById("root");

void openSession().then(() => client.connect());
listenToKeys();
listenToDesktop();
window.addEventListener("online", () => client.connect());
// A fresh link that is opened where the page is open already changes the address only.
window.addEventListener("hashchange", () => {
  if (window.location.hash.startsWith("#token=")) void openSession().then(() => client.connect());
});

void applyPreferences().then(() => {
  if (!place) return;
  createRoot(place).render(
    <HostContext value={{ store, client }}>
      <App />
    </HostContext>,
  );
});
