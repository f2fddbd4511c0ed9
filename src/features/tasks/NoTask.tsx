/** The page when no task is chosen. It asks the user to choose instead of guessing a task. */
import { ListChecks } from "lucide-react";
import { useStore } from "../../store/hooks";
import { t } from "../../text";
import { Empty } from "../../ui/Empty";
import { ListButton } from "./ListButton";
import { NewTask } from "./NewTask";

export function NoTask() {
  const known = useStore((state) => state.tasksKnown);
  const none = useStore((state) => state.tasks.size === 0);
  if (known && none) return <NewTask />;
  if (!known && none) return null;
  return (
    <>
      <div className="page-head only-narrow">
        <ListButton />
      </div>
      <Empty icon={ListChecks} title={t("tasks.pick")}>
        {t("tasks.pick.more")}
      </Empty>
    </>
  );
}
