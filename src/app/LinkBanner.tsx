/** A banner that says that the host cannot be reached, and what that means. */
import { CloudOff } from "lucide-react";
import { useEffect, useState } from "react";
import type { ErrorBody } from "../protocol";
import { useHost, useStore } from "../store/hooks";
import { t } from "../text";
import { HostText, HostTexts } from "../ui/HostText";

/** Shorter interruptions are not shown. */
const PATIENCE_MS = 600;

export function LinkBanner() {
  const { client } = useHost();
  const link = useStore((state) => state.link);
  const broken = link.is === "offline" || link.is === "refused";
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(broken), broken ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [broken]);
  if (!shown || !broken) return null;
  if (link.is === "refused") {
    return (
      <div className="banner" role="alert">
        <CloudOff className="ic" aria-hidden="true" />
        {/* A host with another protocol version explains itself; that has nothing to do with permissions. */}
        <Why lead={link.error.code === "protocol" ? undefined : t("link.refused")} error={link.error} />
        <button type="button" className="btn" onClick={() => window.location.reload()}>
          {t("link.reload")}
        </button>
      </div>
    );
  }
  return (
    <div className="banner" role="status">
      <CloudOff className="ic" aria-hidden="true" />
      {link.why ? (
        <Why lead={t("link.cannot_start")} error={link.why} />
      ) : (
        <p className="grow">{t("link.offline")}</p>
      )}
      <button type="button" className="btn" onClick={() => client.connect()}>
        {t("link.retry")}
      </button>
    </div>
  );
}

interface WhyProps {
  lead: string | undefined;
  error: ErrorBody;
}

/** The error, and on a separate line what the user can do. */
function Why({ lead, error }: WhyProps) {
  return (
    <div className="grow">
      <p>
        {lead} <HostText text={error.message} capital={lead === undefined} />
      </p>
      <p>
        <HostTexts texts={error.hints} between=" " />
      </p>
    </div>
  );
}
