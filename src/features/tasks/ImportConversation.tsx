/** Imports an exported conversation, to read and continue it here. */
import { useMemo, useState } from "react";
import { useDraft } from "../../app/drafts";
import { go } from "../../app/route";
import { freshId } from "../../store/client";
import { useAnswer, useHost, useStore } from "../../store/hooks";
import { t } from "../../text";
import { Dialog } from "../../ui/Dialog";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";
import { readExport } from "./importing";
import { useFolder } from "./useFolder";

export default function ImportConversation({ onClose }: { onClose(): void }) {
  const { client } = useHost();
  const tasks = useStore((state) => state.tasks);
  const choices = useAnswer({ query: "choices" }, "choices").answer?.choices;
  const newest = useMemo(
    () => [...tasks.values()].sort((a, b) => b.created_at_ms - a.created_at_ms)[0]?.workspace,
    [tasks],
  );
  const [draft, setFolder] = useDraft("import.folder");
  const place = useFolder(draft || newest || choices?.folders[0] || "");
  const [file, setFile] = useState<File>();
  const take = useAction(async () => {
    if (!file) return;
    const read = readExport(await file.text());
    if ("wrong" in read) throw new Error(wrongWords(read));
    const workspace = await place.real(place.folder);
    const id = freshId();
    for (const [number, events] of read.parts.entries()) {
      const part = { id, number, is_last: number === read.parts.length - 1 };
      const outcome = await client.command({ command: "import_conversation", workspace, events, part });
      if (outcome.outcome === "imported" && outcome.task) go({ screen: "task", task: outcome.task });
    }
    onClose();
  });
  return (
    <Dialog title={t("import.title")} onClose={onClose}>
      <form
        className="dialog-body col"
        onSubmit={(event) => {
          event.preventDefault();
          void take.run();
        }}
      >
        <p className="muted">{t("import.lead")}</p>
        <label className="col">
          <span className="lbl">{t("import.file")}</span>
          <input
            className="field"
            data-begin
            type="file"
            accept=".jsonl,.json,.ndjson,application/x-ndjson"
            onChange={(event) => {
              take.clear();
              setFile(event.target.files?.[0]);
            }}
          />
        </label>
        <label className="col">
          <span className="lbl">{t("import.folder")}</span>
          <input
            className="field"
            value={place.folder}
            onChange={(event) => setFolder(event.target.value)}
            placeholder={t("new.folder.hint")}
            list="import-folders"
            spellCheck={false}
            autoComplete="off"
          />
          <datalist id="import-folders">
            {place.offered.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </label>
        {take.error && <ErrorNote error={take.error} onDismiss={take.clear} />}
        <div className="row wrap dialog-buttons">
          <span className="grow" />
          <button type="button" className="btn" onClick={onClose}>
            {t("memory.cancel")}
          </button>
          <button
            type="submit"
            className="btn primary"
            disabled={take.busy || !file || place.folder.trim() === ""}
          >
            {t("import.do")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function wrongWords(read: Extract<ReturnType<typeof readExport>, { wrong: string }>): string {
  return read.wrong === "line"
    ? t("import.wrong.line", { line: read.line })
    : t(`import.wrong.${read.wrong}`);
}
