/** One answer for the rest of the task: it may work in its folder. The walls and undo hold what it does there. */
import type { Offer, PermissionRequest } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { Kbd } from "../../ui/Kbd";

/** The note of the card that takes the answer. */
const NOTE = "folder-yes-note";

/** Returns the offer that lets the task work in its folder, if the request has it. */
export function folderOffer(request: PermissionRequest): Offer | undefined {
  return request.offered.find(({ rule, lifetime }) => rule?.kind === "folder" && lifetime.for === "task");
}

interface ButtonProps {
  disabled: boolean;
  onAllow(): void;
}

export function FolderYes({ disabled, onAllow }: ButtonProps) {
  return (
    <button
      type="button"
      className="btn primary"
      onClick={onAllow}
      disabled={disabled}
      aria-keyshortcuts="g"
      aria-describedby={NOTE}
    >
      {t("request.work_in_folder")}
      <Kbd of="workInFolder" />
    </button>
  );
}

/** Says what the answer covers, and what it leaves to the person. */
export function FolderNote({ offer }: { offer: Offer }) {
  return (
    <p className="muted small" id={NOTE}>
      {visible(hostText(offer.label))}. {t("request.work_in_folder.later")}
    </p>
  );
}
