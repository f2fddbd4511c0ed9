/**
 * The answer that a request offers before all others, with a button of its own: to let the task work in its folder, where
 * walls and undo hold what it does, or to show it the names of settings without their values.
 */
import type { Offer, PermissionRequest } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { Kbd } from "../../ui/Kbd";

/** Returns the id of the note on a request's card. Several cards can be on a page. */
const noteId = (request: string) => `first-answer-${request}`;

const isNames = ({ lifetime }: Offer) => lifetime.for === "names";

/** Returns the offer with a button of its own, if the request has one. */
export function firstOffer(request: PermissionRequest): Offer | undefined {
  return request.offered.find(
    (offer) => isNames(offer) || (offer.rule?.kind === "folder" && offer.lifetime.for === "task"),
  );
}

interface ButtonProps {
  request: string;
  offer: Offer;
  disabled: boolean;
  onAllow(): void;
}

export function FirstAnswer({ request, offer, disabled, onAllow }: ButtonProps) {
  return (
    <button
      type="button"
      className="btn primary"
      onClick={onAllow}
      disabled={disabled}
      aria-keyshortcuts="g"
      aria-describedby={noteId(request)}
    >
      {t(isNames(offer) ? "request.for.names" : "request.work_in_folder")}
      <Kbd of="firstAnswer" />
    </button>
  );
}

/** Says what the answer covers, and what it leaves to the person. */
export function FirstAnswerNote({ request, offer }: { request: string; offer: Offer }) {
  return (
    <p className="muted small" id={noteId(request)}>
      {isNames(offer)
        ? t("request.names_only.note")
        : `${visible(hostText(offer.label))}. ${t("request.work_in_folder.later")}`}
    </p>
  );
}
