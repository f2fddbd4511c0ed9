/** Says that the host is out of reach, and how old what is shown is. */
import { CloudOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useHost, useStore } from "../../src/store/hooks";
import { relative, t } from "../../src/text";
import { useNow } from "../../src/ui/clock";
import { HostTexts } from "../../src/ui/HostText";
import { useStaleSince } from "./last";

/** A break shorter than this is nobody's business. */
const PATIENCE_MS = 600;

export function AwayBar() {
  const { client } = useHost();
  const now = useNow();
  const link = useStore((state) => state.link);
  const since = useStaleSince();
  const isAway = link.is === "offline" || link.is === "connecting";
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(isAway), isAway ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [isAway]);
  if (!isShown || !isAway) return null;
  const why = link.is === "offline" ? link.why : undefined;
  return (
    <div className="away" role="status">
      <CloudOff className="ic" aria-hidden="true" />
      <p className="grow">
        {t(link.is === "offline" ? "phone.away" : "link.connecting")}{" "}
        {since !== undefined && t("phone.away.as_of", { when: relative(since, Math.max(now, since)) })}{" "}
        {why && <HostTexts texts={[why.message, ...why.hints]} between=" " />}
      </p>
      <button type="button" className="btn" onClick={() => client.connect()}>
        {t("link.retry")}
      </button>
    </div>
  );
}
