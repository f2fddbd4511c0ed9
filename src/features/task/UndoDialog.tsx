/** What undo would do, file by file, before it does it; then what came of it. */
import { Check, CircleSlash, Undo2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { ErrorBody, UndoneFile } from "../../protocol";
import { useHost } from "../../store/hooks";
import { t, tn } from "../../text";
import { shortPath } from "../../text/visible";
import { Dialog } from "../../ui/Dialog";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { Skeleton } from "../../ui/Skeleton";
import { UndoFoot } from "../../ui/UndoFoot";
import { useAction } from "../../ui/useAction";

/** Files that are listed; the numbers count all. */
const SHOWN = 200;

interface Props {
  task: string;
  call: string | null;
  onClose(): void;
}

export function UndoDialog({ task, call, onClose }: Props) {
  const { client } = useHost();
  const [preview, setPreview] = useState<UndoneFile[]>();
  const [error, setError] = useState<ErrorBody>();
  const [done, setDone] = useState<UndoneFile[]>();
  useEffect(() => {
    let gone = false;
    client
      .command({ command: "undo", task, call, dry_run: true })
      .then((outcome) => !gone && setPreview(outcome.outcome === "undone" ? outcome.files : []))
      .catch((failure: unknown) => !gone && setError(bodyOf(failure)));
    return () => {
      gone = true;
    };
  }, [client, task, call]);
  const undo = useAction(async () => {
    const outcome = await client.command({ command: "undo", task, call, dry_run: false });
    if (outcome.outcome === "undone") setDone(outcome.files);
  });
  const files = done ?? preview;
  // A dry run says of each path what would become of it, in words.
  const can = done?.filter((file) => file.restored).length ?? 0;
  const cannot = (done?.length ?? 0) - can;
  const failed = error ?? undo.error;
  return (
    <Dialog title={t("undo.title")} onClose={onClose}>
      <div className="dialog-body undo" aria-live="polite">
        {failed && <ErrorNote error={failed} />}
        {!files && !failed && <Skeleton lines={3} label={t("undo.looking")} />}
        {files?.length === 0 && <p className="muted">{t("undo.none")}</p>}
        {files && files.length > 0 && (
          <>
            <p>
              {done ? tn("undo.done", can) : tn("undo.would", files.length)}{" "}
              {done && cannot > 0 && tn("undo.cannot", cannot)}
            </p>
            <ul className="undo-files scroll" aria-live="off">
              {files.slice(0, SHOWN).map((file) => (
                <li
                  key={`${file.call} ${file.change.path}`}
                  className="row"
                  data-ok={done ? file.restored : undefined}
                >
                  <Mark done={done !== undefined} ok={file.restored} />
                  <span className="mono grow">{shortPath(file.change.path)}</span>
                  <HostText text={file.message} className="muted small" />
                </li>
              ))}
            </ul>
          </>
        )}
        <UndoFoot
          onClose={onClose}
          onUndo={!done && files && files.length > 0 ? () => void undo.run() : undefined}
          busy={undo.busy}
        />
      </div>
    </Dialog>
  );
}

function Mark({ done, ok }: { done: boolean; ok: boolean }) {
  const Icon = !done ? Undo2 : ok ? Check : CircleSlash;
  return <Icon className="ic" aria-hidden="true" />;
}
