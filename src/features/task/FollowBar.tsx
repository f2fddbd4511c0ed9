/** The bar below a running task's timeline: whether the page follows it, and the files in use. */
import { ArrowDownToLine } from "lucide-react";
import type { Journal } from "../../store/journal";
import { t } from "../../text";
import { pathIn, shortPath } from "../../text/visible";
import { Kbd } from "../../ui/Kbd";
import { useThrottled } from "../../ui/useThrottled";
import { touchedLast, touchedNow } from "./aside";

/** The number of paths that are named. */
const PATHS = 4;
/** The update interval. Names that change faster cannot be read. */
const EVERY_MS = 400;

interface Props {
  journal: Journal;
  workspace: string;
  following: boolean;
  onFollow(following: boolean): void;
}

export function FollowBar({ journal: newest, workspace, following, onFollow }: Props) {
  const journal = useThrottled(newest, EVERY_MS);
  const now = touchedNow(journal);
  const paths = now.length > 0 ? now : touchedLast(journal);
  return (
    <div className="follow-bar row">
      <button
        type="button"
        className="btn ghost"
        aria-pressed={following}
        aria-keyshortcuts="l"
        onClick={() => onFollow(!following)}
      >
        <ArrowDownToLine className="ic" aria-hidden="true" />
        {t("task.follow")}
        <Kbd of="follow" />
      </button>
      {paths.length > 0 && (
        <p className="row grow small">
          {now.length > 0 && <span className="pulse" aria-hidden="true" />}
          <span className="faint">{t(now.length > 0 ? "task.now" : "task.lately")}</span>
          <span className="mono clip grow" title={paths.map(shortPath).join("\n")}>
            {paths
              .slice(0, PATHS)
              .map((path) => pathIn(workspace, path))
              .join("  ")}
            {paths.length > PATHS && ` +${paths.length - PATHS}`}
          </span>
        </p>
      )}
    </div>
  );
}
