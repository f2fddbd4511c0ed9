/** The edits of a request that asks about several: each with its file, its diff and a checkbox that leaves it out. */
import type { PermissionRequest, RequestedEdit } from "../../protocol";
import { editsOf } from "../../store/journal";
import { t } from "../../text";
import { pathIn } from "../../text/visible";
import { Diff } from "../../ui/Diff";
import { HostTexts } from "../../ui/HostText";

interface Props {
  request: PermissionRequest;
  dropped: readonly string[];
  /** Absent if this screen cannot answer the request, or it is already answered. */
  onDrop: ((call: string, isDropped: boolean) => void) | undefined;
}

export function EditList({ request, dropped, onDrop }: Props) {
  const { cwd, parts } = request.details;
  const reasonsOf = (edit: RequestedEdit) => {
    const asked = parts.filter((part) => part.text === edit.path && part.decision !== "allow");
    return [...new Set(asked.map((part) => part.reason))];
  };
  return (
    <ul className="edits" aria-label={t("request.edits")}>
      {editsOf(request).map((edit) => {
        const path = pathIn(cwd, edit.path);
        const isDropped = dropped.includes(edit.call);
        return (
          <li key={edit.call} data-dropped={isDropped} data-risk={edit.risk}>
            <div className="row wrap edit-head">
              <span className="mono edit-path grow">{path}</span>
              {onDrop && (
                <label className="row small edit-box">
                  <input
                    type="checkbox"
                    checked={!isDropped}
                    onChange={(event) => onDrop(edit.call, !event.target.checked)}
                    aria-label={t("request.include_edit_of", { path })}
                  />
                  {t("request.include_edit")}
                </label>
              )}
            </div>
            <p className="muted small">
              <HostTexts texts={reasonsOf(edit)} between=" · " capital />
            </p>
            <Diff text={edit.diff} label={t("request.edit_of", { path })} isShort />
          </li>
        );
      })}
    </ul>
  );
}
