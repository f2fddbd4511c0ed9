/** In place of a list that a search or a filter has emptied: what to do is to take it back. */
import { SearchX } from "lucide-react";
import { t } from "../text";
import { Empty } from "./Empty";

interface Props {
  title: string;
  /** What was looked for in vain. */
  children: string;
  onClear(): void;
}

export function NothingFound({ title, children, onClear }: Props) {
  const clear = (
    <button type="button" className="btn" onClick={onClear}>
      {t("tasks.clear")}
    </button>
  );
  return (
    <Empty icon={SearchX} title={title} action={clear}>
      {children}
    </Empty>
  );
}
