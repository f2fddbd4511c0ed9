/** Follows what the desktop tells: a place to show, a folder that was dropped onto the window. */
import { desktop, type Told } from "../transport";
import { putDraft } from "./drafts";
import { go } from "./route";

/** Begins to listen; called once. In a browser there is nothing to hear. */
export function listenToDesktop() {
  desktop?.listen(heard);
}

function heard(told: Told) {
  if (told.told === "open") {
    window.location.hash = told.hash;
    return;
  }
  const folder = told.folders[0];
  if (folder === undefined) return;
  putDraft("new.folder", folder);
  go({ screen: "new" });
}
