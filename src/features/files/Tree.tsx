/** A folder tree. Folders open and close, and only the rows in view are drawn. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight, File, Folder, FolderPlus, Trash2 } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { number, t } from "../../text";
import { shortPath, visible } from "../../text/visible";
import { type Forest, type Row, rowsOf } from "./tree";
import "./tree.css";

const ROW_PX = 26;

export function Tree({ title, forest }: { title: string; forest: Forest }) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(forest, toggled), [forest, toggled]);
  const box = useRef<HTMLElement>(null);
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (at) => rows[at]?.path ?? at,
  });
  const toggle = (path: string) => {
    const next = new Set(toggled);
    if (!next.delete(path)) next.add(path);
    setToggled(next);
  };
  return (
    <div className="tree">
      <h3 className="lbl">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="tree-box scroll" ref={box} tabIndex={0} aria-label={title}>
        <ul style={{ blockSize: `${drawn.getTotalSize()}px` }}>
          {drawn.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && (
                <li key={key} style={{ transform: `translateY(${start}px)` }}>
                  <TreeRow row={row} onToggle={() => toggle(row.path)} />
                </li>
              )
            );
          })}
        </ul>
      </section>
    </div>
  );
}

function TreeRow({ row, onToggle }: { row: Row; onToggle(): void }) {
  const Icon = row.mark === "trash" ? Trash2 : !row.folder ? File : row.mark === "new" ? FolderPlus : Folder;
  const name = row.depth === 0 ? shortPath(row.path) : visible(row.name);
  const style = { paddingInlineStart: `${row.depth * 18 + (row.folder ? 0 : 23)}px` };
  const inside = (
    <>
      {row.folder && <ChevronRight className="ic tree-turn" data-open={row.open} aria-hidden="true" />}
      <Icon className="ic" aria-hidden="true" />
      <span className="clip tree-name">{name}</span>
      {row.mark && <span className="sr">{t(`files.mark.${row.mark}`)}</span>}
      {row.folder && <span className="faint tree-count">{number(row.files)}</span>}
    </>
  );
  if (!row.folder) {
    return (
      <span className="tree-row" data-mark={row.mark} style={style} title={name}>
        {inside}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="tree-row"
      data-mark={row.mark}
      style={style}
      aria-expanded={row.open}
      onClick={onToggle}
    >
      {inside}
    </button>
  );
}
