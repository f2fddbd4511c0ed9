/** The planner's text while it streams. */
import { t } from "../../text";
import { Markdown } from "../../ui/Markdown";

export function Streaming({ text }: { text: string }) {
  return (
    <div className="entry entry-text streaming">
      {text.trim() === "" ? (
        <p className="faint thinking">
          <span className="pulse" aria-hidden="true" />
          {t("task.thinking")}
        </p>
      ) : (
        <Markdown text={text} />
      )}
    </div>
  );
}
