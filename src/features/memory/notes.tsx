/** Notes between the memories: placeholders for forgotten memories, the empty state, and the end of the list. */
import { Brain, RotateCcw } from "lucide-react";
import { useEffect, useRef } from "react";
import { t, tn } from "../../text";
import { Empty } from "../../ui/Empty";
import { NothingFound } from "../../ui/NothingFound";
import type { Gone } from "./gone";

/** The placeholder of a memory that was forgotten here. */
export function GoneNote({ gone, busy, onUndo }: { gone: Gone; busy: boolean; onUndo(): void }) {
  const others = gone.count - 1;
  return (
    <>
      <p className="muted grow" role="status">
        {t("memory.gone")} {others > 0 && tn("memory.gone.others", others)} {t("memory.gone.more")}
      </p>
      <button type="button" className="btn" disabled={busy} onClick={onUndo}>
        <RotateCcw className="ic" aria-hidden="true" />
        {t("memory.undo")}
      </button>
    </>
  );
}

export function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  if (!isFiltered) {
    return (
      <Empty icon={Brain} title={t("memory.empty")}>
        {t("memory.empty.more")}
      </Empty>
    );
  }
  return (
    <NothingFound title={t("memory.nothing")} onClear={onClear}>
      {t("memory.nothing.more")}
    </NothingFound>
  );
}

/** The end of the list. Older memories are loaded when it comes into view, or by its button. */
export function More({ busy, onMore }: { busy: boolean; onMore(): void }) {
  const end = useRef<HTMLDivElement>(null);
  const ask = useRef(onMore);
  ask.current = onMore;
  useEffect(() => {
    if (!end.current || busy) return;
    const watch = new IntersectionObserver(
      (seen) => seen.some((each) => each.isIntersecting) && ask.current(),
    );
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [busy]);
  return (
    <div className="memory-end" ref={end}>
      <button type="button" className="btn" disabled={busy} onClick={onMore}>
        {t("memory.older")}
      </button>
    </div>
  );
}
