/** One answer for the rest of the task: it may work in its folder. The walls and undo hold what it does there. */
import type { Offer, PermissionRequest } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { Kbd } from "../../ui/Kbd";

/** Returns the offer that lets the task work in its folder, if the request has it. */
export function folderOffer(request: PermissionRequest): Offer | undefined {
  return request.offered.find(({ rule, lifetime }) => rule?.kind === "folder" && lifetime.for === "task");
}

interface Props {
  offer: Offer;
  disabled: boolean;
  onAllow(): void;
}

export function FolderYes({ offer, disabled, onAllow }: Props) {
  return (
    <div className="col folder-yes">
      <button
        type="button"
        className="btn primary"
        onClick={onAllow}
        disabled={disabled}
        aria-keyshortcuts="g"
        aria-describedby="folder-yes-note"
      >
        {t("request.work_in_folder")}
        <Kbd of="workInFolder" />
      </button>
      <p className="muted small" id="folder-yes-note">
        {visible(hostText(offer.label))}. {t("request.work_in_folder.later")}
      </p>
    </div>
  );
}
