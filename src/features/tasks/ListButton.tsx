/** Opens the list of tasks if it is a drawer. On a phone, leads back to the list. */
import { ArrowLeft, PanelLeft } from "lucide-react";
import { hrefOf } from "../../app/route";
import { t } from "../../text";
import { setDrawer } from "./drawer";

export function ListButton() {
  return (
    <>
      <button
        type="button"
        className="btn ghost icon drawer-open"
        aria-label={t("tasks.show")}
        onClick={() => setDrawer(true)}
      >
        <PanelLeft className="ic" />
      </button>
      <a
        className="btn ghost icon phone-back"
        href={hrefOf({ screen: "tasks" })}
        aria-label={t("tasks.show")}
      >
        <ArrowLeft className="ic" />
      </a>
    </>
  );
}
