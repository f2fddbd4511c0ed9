/** The placeholder of a list without search results, with a button that clears the search or filter. */
import { SearchX } from "lucide-react";
import { t } from "../text";
import { Empty } from "./Empty";

interface Props {
  title: string;
  /** A hint on what to do. */
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
