/** Says when the host cannot be reached, and what that means. */
import { CloudOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useHost, useStore } from "../store/hooks";
import { t } from "../text";
import { HostTexts } from "../ui/HostText";

/** A break shorter than this is nobody's business. */
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
        <p className="grow">
          {t("link.refused")} <HostTexts texts={[link.error.message, ...link.error.hints]} between=" " />
        </p>
        <button type="button" className="btn" onClick={() => window.location.reload()}>
          {t("link.reload")}
        </button>
      </div>
    );
  }
  return (
    <div className="banner" role="status">
      <CloudOff className="ic" aria-hidden="true" />
      <p className="grow">
        {t("link.offline")}{" "}
        {link.why && <HostTexts texts={[link.why.message, ...link.why.hints]} between=" " />}
      </p>
      <button type="button" className="btn" onClick={() => client.connect()}>
        {t("link.retry")}
      </button>
    </div>
  );
}
