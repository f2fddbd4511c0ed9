/** All files that a task changed, newest last: each with its path, the approved diff and its own undo. */
import { Undo2 } from "lucide-react";
import { useMemo } from "react";
import { useMay } from "../../store/hooks";
import type { CallEntry, Journal } from "../../store/journal";
import { t } from "../../text";
import { pathIn, shortPath } from "../../text/visible";
import { Dialog } from "../../ui/Dialog";
import { Diff } from "../../ui/Diff";
import { filesChanged } from "./aside";
import { diffOf } from "./callWords";
import { FileButtons } from "./FileMenu";

interface Props {
  journal: Journal;
  workspace: string;
  onUndo(call: string): void;
  onClose(): void;
}

export function Changes({ journal, workspace, onUndo, onClose }: Props) {
  const mayCommand = useMay("command");
  const calls = useMemo(() => callsThatChanged(journal), [journal]);
  return (
    <Dialog title={t("changes.title")} onClose={onClose}>
      <ul className="dialog-body changes scroll">
        {calls.map((call) => {
          const diff = diffOf(call);
          const files = filesChanged(call);
          return (
            <li key={call.id}>
              {files.map(({ path, before, after }) => (
                <div key={path} className="row wrap">
                  <span className="faint small change-kind">
                    {t(
                      before.kind === "absent"
                        ? "changes.new"
                        : after.kind === "absent"
                          ? "changes.deleted"
                          : "changes.changed",
                    )}
                  </span>
                  <span className="mono grow" title={shortPath(path)}>
                    {pathIn(workspace, path)}
                  </span>
                  <FileButtons
                    task={journal.task}
                    workspace={workspace}
                    path={path}
                    isGone={after.kind === "absent"}
                  />
                </div>
              ))}
              {diff && files[0] && (
                <Diff text={diff} label={t("request.edit_of", { path: pathIn(workspace, files[0].path) })} />
              )}
              {mayCommand && (
                <button
                  type="button"
                  className="btn"
                  aria-label={t("changes.undo", {
                    path: files.map(({ path }) => pathIn(workspace, path)).join(", "),
                  })}
                  onClick={() => onUndo(call.id)}
                >
                  <Undo2 className="ic" aria-hidden="true" />
                  {t("call.undo")}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

function callsThatChanged({ entries }: Journal): CallEntry[] {
  return entries.flatMap((entry) => (entry.is === "call" && filesChanged(entry).length > 0 ? [entry] : []));
}
