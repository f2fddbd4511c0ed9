/** The folder picker: a text field with completion by the host, and the system's own dialog. */
import { Folder, FolderOpen, Plus } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import type { FoldersAnswer } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { t } from "../../text";
import { shortPath } from "../../text/visible";
import { desktop } from "../../transport";
import { Picked } from "../../ui/Picked";

interface Props {
  folders: readonly string[];
  /** Folders that were tidied before, suggested together with the usual ones. */
  recent: readonly string[];
  onChange(folders: string[]): void;
  /** The typed text, if it names a folder. It does not have to be added first. */
  onTyped(folder: string | undefined): void;
  /** Enter was pressed in the empty field. */
  onEnter(): void;
  /** A suggested folder was chosen. */
  onSuggested(folder: string): void;
  /** Whether choosing a suggested folder scans it right away, or only adds it to the list. */
  scans: boolean;
}

/** The number of folders that are suggested below the field. */
const SUGGESTED = 6;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a screen's state and its markup
export function FolderPicker({ folders, recent, onChange, onTyped, onEnter, onSuggested, scans }: Props) {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const [typed, setTyped] = useState("");
  const [answered, setAnswered] = useState<{ typed: string; answer: FoldersAnswer }>();
  const [at, setAt] = useState(-1);
  const [open, setOpen] = useState(false);
  const list = useId();
  const [usual, setUsual] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!online) return;
    client.query({ query: "folders", path: "~/" }, "folders").then(
      (answer) => setUsual(answer.usual ?? []),
      // Without suggestions, the user types a folder.
      () => {},
    );
  }, [client, online]);
  const suggested = [...new Set([...recent, ...usual])]
    .filter((folder) => !folders.includes(folder))
    .slice(0, SUGGESTED);
  const named = typed !== "" && answered?.typed === typed ? answered.answer.folder : undefined;
  useEffect(() => onTyped(named ?? undefined), [named, onTyped]);
  useEffect(() => {
    if (!online || !open) return;
    let gone = false;
    client
      .query({ query: "folders", path: typed || "~/" }, "folders")
      .then((answer) => {
        if (gone) return;
        setAnswered({ typed, answer });
        setAt(-1);
      })
      .catch(() => !gone && setAnswered(undefined));
    return () => {
      gone = true;
    };
  }, [client, online, open, typed]);
  const add = (folder: string) => {
    if (!folders.includes(folder)) onChange([...folders, folder]);
    setTyped("");
    setOpen(false);
  };
  const offered = open ? (answered?.answer.folders ?? []) : [];
  // An answer for other input does not apply to this one: it may be for the parent folder.
  const addTyped = async () => {
    const isOfThese = answered?.typed === typed;
    const asked = () => client.query({ query: "folders", path: typed }, "folders").catch(() => undefined);
    const answer = isOfThese ? answered.answer : await asked();
    if (answer?.folder) add(answer.folder);
  };
  const enter = () => {
    const chosen = offered[at];
    if (chosen) setTyped(`${chosen}/`);
    else if (typed !== "") void addTyped();
    else onEnter();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setOpen(true);
      setAt(Math.max(-1, Math.min(at + step, offered.length - 1)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      enter();
    } else if (event.key === "Tab" && !event.shiftKey && typed !== "" && offered.length > 0) {
      event.preventDefault();
      setTyped(`${offered[Math.max(at, 0)]}/`);
    } else if (event.key === "Escape") {
      setOpen(false);
    }
  };
  return (
    <div className="picker">
      <Picked label={t("files.folders")} paths={folders} onChange={onChange} />
      <div className="row picker-line">
        <input
          className="field mono grow"
          role="combobox"
          aria-label={t("files.folder")}
          aria-expanded={offered.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${list}-${at}` : undefined}
          placeholder={t("files.folder.hint")}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onChange={(event) => {
            setTyped(event.target.value);
            setOpen(true);
          }}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          className="btn"
          disabled={!answered?.answer.folder || typed === ""}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => void addTyped()}
        >
          <Plus className="ic" aria-hidden="true" />
          {t("files.add")}
        </button>
        {desktop && (
          <button
            type="button"
            className="btn"
            onClick={() => void desktop?.pickFolder().then((folder) => folder && add(folder))}
          >
            <FolderOpen className="ic" aria-hidden="true" />
            {t("files.browse")}
          </button>
        )}
        <div
          id={list}
          role="listbox"
          className="picker-list card scroll"
          aria-label={t("files.offered")}
          hidden={offered.length === 0}
        >
          {offered.map((folder, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
            <div
              key={folder}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className="mono"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => setTyped(`${folder}/`)}
            >
              {shortPath(folder)}
            </div>
          ))}
        </div>
      </div>
      {suggested.length > 0 && (
        <ul className="row wrap picker-suggested" aria-label={t("files.suggested")}>
          <li className="muted small">{t(scans ? "files.suggested.scan" : "files.suggested.add")}</li>
          {suggested.map((folder) => (
            <li key={folder}>
              <button type="button" className="btn ghost" onClick={() => onSuggested(folder)}>
                <Folder className="ic" aria-hidden="true" />
                {shortPath(folder)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
