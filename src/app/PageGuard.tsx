/** Catches a screen that fails, so that the rest of the page stays usable. */
import { TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { t } from "../text";
import { Empty } from "../ui/Empty";

export class PageGuard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
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
      </Empty>
    );
  }
}
