/** One answer for the rest of the task: it may work in its folder. The walls and undo hold what it does there. */
import type { Offer, PermissionRequest } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { Kbd } from "../../ui/Kbd";

/** Returns the id of the note on a request's card. Several cards can be on a page. */
const noteId = (request: string) => `folder-yes-${request}`;

/** Returns the offer that lets the task work in its folder, if the request has it. */
export function folderOffer(request: PermissionRequest): Offer | undefined {
  return request.offered.find(({ rule, lifetime }) => rule?.kind === "folder" && lifetime.for === "task");
}

interface ButtonProps {
  request: string;
  disabled: boolean;
  onAllow(): void;
}

export function FolderYes({ request, disabled, onAllow }: ButtonProps) {
  return (
    <button
      type="button"
      className="btn primary"
      onClick={onAllow}
      disabled={disabled}
      aria-keyshortcuts="g"
      aria-describedby={noteId(request)}
    >
      {t("request.work_in_folder")}
      <Kbd of="workInFolder" />
    </button>
  );
}

/** Says what the answer covers, and what it leaves to the person. */
export function FolderNote({ request, offer }: { request: string; offer: Offer }) {
  return (
    <p className="muted small" id={noteId(request)}>
      {visible(hostText(offer.label))}. {t("request.work_in_folder.later")}
    </p>
  );
}
