/** Catches a screen that fails, so that the rest of the page stays usable. */
import { TriangleAlert } from "lucide-react";
import { Component, type ReactNode, useEffect, useRef } from "react";
import { useStore } from "../store/hooks";
import { t } from "../text";
import { Empty } from "../ui/Empty";
import { NotLoaded } from "./screenCode";

interface Failure {
  failed: boolean;
  /** Whether the host was gone when the screen was to be loaded. */
  lacksCode: boolean;
}

export class PageGuard extends Component<{ children: ReactNode }, Failure> {
  override state: Failure = { failed: false, lacksCode: false };

  static getDerivedStateFromError(error: unknown): Failure {
    return { failed: true, lacksCode: error instanceof NotLoaded };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const reload = (
      <button type="button" className="btn" onClick={() => window.location.reload()}>
        {t("link.reload")}
      </button>
    );
    return (
      <Empty icon={TriangleAlert} title={t("error.page")} action={reload}>
        {t("error.page.more")}
        {this.state.lacksCode && <ReloadOnReturn />}
      </Empty>
    );
  }
}

/** Loads the page again when the host is back. */
function ReloadOnReturn() {
  const isOnline = useStore((state) => state.link.is === "online");
  const wasGone = useRef(false);
  useEffect(() => {
    if (!isOnline) wasGone.current = true;
    else if (wasGone.current) window.location.reload();
  }, [isOnline]);
  return null;
}
