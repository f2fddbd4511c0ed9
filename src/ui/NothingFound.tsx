/** In place of a list that a search or a filter has emptied: what to do is to take it back. */
import { SearchX } from "lucide-react";
import { t } from "../text";
import { Empty } from "./Empty";

export function NothingFound({ title, onClear }: { title: string; onClear(): void }) {
  const clear = (
    <button type="button" className="btn" onClick={onClear}>
      {t("tasks.clear")}
    </button>
  );
  return (
    <Empty icon={SearchX} title={title} action={clear}>
      {t("tasks.nothing.more")}
    </Empty>
  );
}
