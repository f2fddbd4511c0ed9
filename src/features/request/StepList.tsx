/** Calls that a request asks about together: each with what it does and a checkbox that leaves it out. */
import type { PermissionRequest, RequestedStep } from "../../protocol";
import { requestedSteps } from "../../store/journal";
import { hostText, t } from "../../text";
import { pathIn, visible } from "../../text/visible";
import { Diff } from "../../ui/Diff";
import { HostTexts } from "../../ui/HostText";
import { CommandText } from "./CommandText";
import { PartList } from "./PartList";

interface Props {
  request: PermissionRequest;
  dropped: readonly string[];
  /** Absent if this screen cannot answer the request, or it is already answered. */
  onDrop: ((call: string, isDropped: boolean) => void) | undefined;
}

export function StepList({ request, dropped, onDrop }: Props) {
  const { details } = request;
  const nameOf = ({ path, command, summary }: RequestedStep) =>
    path ? pathIn(details.cwd, path) : visible(command ?? hostText(summary));
  return (
    <ol className="request-steps" aria-label={t("request.steps")}>
      {requestedSteps(request).map((step) => {
        const { call, command, path, diff, parts, risk } = step;
        const name = nameOf(step);
        const isDropped = dropped.includes(call);
        return (
          <li key={call} data-dropped={isDropped} data-risk={risk}>
            <div className="row wrap step-head">
              {command ? (
                <span className="muted small grow">{t("request.kind.command")}</span>
              ) : (
                <span className={path ? "mono step-name grow" : "step-name grow"}>{name}</span>
              )}
              {onDrop && (
                <label className="row small step-box">
                  <input
                    type="checkbox"
                    checked={!isDropped}
                    onChange={(event) => onDrop(call, !event.target.checked)}
                    aria-label={t("request.include_step_of", { name })}
                  />
                  {t("request.include_step")}
                </label>
              )}
            </div>
            {command && <CommandText command={command} />}
            {path ? (
              <p className="muted small">
                <HostTexts texts={reasonsOf(step)} between=" · " capital />
              </p>
            ) : (
              <PartList details={{ ...details, command, parts }} />
            )}
            {diff && <Diff text={diff} label={t("request.edit_of", { path: name })} isShort />}
          </li>
        );
      })}
    </ol>
  );
}

/** Returns why an edit asks. Its file is named above. */
function reasonsOf({ parts }: RequestedStep) {
  return [...new Set(parts.filter(({ decision }) => decision !== "allow").map(({ reason }) => reason))];
}
