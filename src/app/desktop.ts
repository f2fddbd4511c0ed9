/** Handles events from the desktop shell: a place to show, or a folder that was dropped onto the window. */
import { desktop, type Told } from "../transport";
import { putDraft } from "./drafts";
import { go } from "./route";

/** Starts listening. Called once. Does nothing in a browser. */
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
