/** The line at the top of a screen that was opened from another one: the way back, and what it is about. */
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { hrefOf } from "../../src/app/route";
import { t } from "../../src/text";

export function TopBar({ children }: { children: ReactNode }) {
  return (
    <header className="phone-top row">
      <a className="btn ghost icon" href={hrefOf({ screen: "tasks" })} aria-label={t("request.cancel")}>
        <ArrowLeft className="ic" />
      </a>
      {children}
    </header>
  );
}
