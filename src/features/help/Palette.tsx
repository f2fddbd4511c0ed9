/** The command palette: a few letters lead to any screen, task or available action. */
import { ArrowRight, ListChecks, Plus } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import { putDraft } from "../../app/drafts";
import { go } from "../../app/route";
import { actionsNow } from "../../app/shortcuts";
import { useMay, useStore } from "../../store/hooks";
import { t } from "../../text";
import { Dialog } from "../../ui/Dialog";
import { Kbd } from "../../ui/Kbd";
import { type Entry, entriesFor } from "./palette";
import "./help.css";

export function Palette({ onClose }: { onClose(): void }) {
  const tasks = useStore((state) => state.tasks);
  const [words, setWords] = useState("");
  // By id: new tasks change the order, and must not change what Enter opens.
  const [at, setAt] = useState<string>();
  // The actions that were available when the palette opened. The dialog itself adds none.
  const [actions] = useState(actionsNow);
  const mayStart = useMay("command");
  const entries = useMemo(
    () => entriesFor(words, actions, tasks.values(), mayStart),
    [words, actions, tasks, mayStart],
  );
  const chosen = Math.max(
    entries.findIndex((entry) => entry.id === at),
    0,
  );
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    if (entry.kind === "task") go(entry.route);
    else if (entry.kind === "new") {
      putDraft("new.goal", entry.goal);
      go({ screen: "new" });
    } else {
      // After the dialog has closed and the focus is back, because the action may move the focus.
      requestAnimationFrame(() => entry.run());
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(entries[Math.min(chosen + 1, entries.length - 1)]?.id);
    else if (event.key === "ArrowUp") setAt(entries[Math.max(chosen - 1, 0)]?.id);
    else if (event.key === "Enter") open(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t("palette.title")} onClose={onClose} bare>
      <input
        className="palette-field"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries[chosen] && `palette-${entries[chosen].id}`}
        aria-label={t("palette.hint")}
        placeholder={t("palette.hint")}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setAt(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette-list scroll" role="listbox" id="palette-list" aria-label={t("palette.title")}>
        {entries.map((entry, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={entry.id}
            id={`palette-${entry.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            className="row"
            onClick={() => open(entry)}
            onPointerMove={() => setAt(entry.id)}
          >
            <Sign kind={entry.kind} />
            <span className="grow clip">{entry.words}</span>
            {entry.kind === "task" && <span className="faint small clip">{entry.where}</span>}
            {entry.kind === "do" && entry.key && <Kbd>{entry.key}</Kbd>}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className="muted palette-none">{t("palette.nothing")}</p>}
    </Dialog>
  );
}

const SIGNS = { do: ArrowRight, task: ListChecks, new: Plus };

function Sign({ kind }: { kind: Entry["kind"] }) {
  const Icon = SIGNS[kind];
  return <Icon className="ic" aria-hidden="true" />;
}
