/** Tidying by the user's own description: a connected model makes the plan, in a task that shows its progress. */
import { CaseSensitive, Sparkles } from "lucide-react";
import { useState } from "react";
import { go, hrefOf } from "../../app/route";
import { useAnswer, useHost, useIsLocal } from "../../store/hooks";
import { t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";
import { Chip } from "../tasks/Chip";
import { asked, USUAL } from "../tasks/ComposeOptions";
import { readyModels } from "../tasks/models";
import { WORKSPACE_ALONE } from "../tasks/scope";

/**
 * Naming conventions; each name is an example of its convention. Names from the model that do not match are returned
 * to it.
 */
const CONVENTIONS = [
  "lower-case",
  "lower_case",
  "Title Case",
  "yyyy-mm-dd-lower-case",
  "yyyy-mm-dd Title Case",
];
const asOption = (pattern: string) => ({ value: pattern, label: pattern });

interface Props {
  folders: readonly string[];
  words: string;
  onWords(words: string): void;
}

export function OwnWords({ folders, words, onWords }: Props) {
  const { client } = useHost();
  const local = useIsLocal();
  const { answer } = useAnswer({ query: "choices" }, "choices");
  const models = answer ? readyModels(answer.choices) : [];
  const [chosen, setChosen] = useState<string>();
  const backend = chosen ?? models[0]?.backend;
  const ready = backend !== undefined && folders.length > 0 && words.trim() !== "";
  const [names, setNames] = useState("");
  const plan = useAction(async () => {
    const [workspace = "", ...others] = folders;
    if (!backend) return;
    const naming = names === "" ? "" : ` Name files like “${names}”.`;
    const outcome = await client.command({
      command: "start",
      goal: `Tidy up ${folders.join(", ")}. ${words.trim()}${naming}`,
      workspace,
      ...asked(USUAL),
      profile: "organizer",
      backend,
      session: null,
      after: null,
      scope: {
        ...WORKSPACE_ALONE,
        read: others,
        write: others.length > 0 ? [...folders] : [],
        names: names || null,
      },
    });
    if (outcome.outcome !== "started") return;
    onWords("");
    go({ screen: "task", task: outcome.task.id });
  });
  if (!answer) return null;
  if (models.length === 0) {
    return local ? (
      <p className="muted small">
        {t("files.words.none")} <a href={hrefOf({ screen: "settings" })}>{t("needs_model.connect")}</a>
      </p>
    ) : null;
  }
  return (
    <div className="own-words">
      <label className="col">
        <span className="muted">{t("files.words")}</span>
        <textarea
          className="field"
          rows={2}
          value={words}
          placeholder={t("files.words.hint")}
          onChange={(event) => onWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            if (ready && !plan.busy) void plan.run();
          }}
        />
      </label>
      {words.trim() !== "" && (
        <div className="row wrap">
          <Chip
            icon={Sparkles}
            label={t("task.model")}
            value={backend ?? ""}
            options={models.map((model) => ({ value: model.backend, label: model.label }))}
            onChange={setChosen}
          />
          <Chip
            icon={CaseSensitive}
            label={t("files.names")}
            value={names}
            options={[{ value: "", label: t("files.names.free") }, ...CONVENTIONS.map(asOption)]}
            onChange={setNames}
          />
          <button
            type="button"
            className="btn primary"
            disabled={!ready || plan.busy}
            onClick={() => void plan.run()}
          >
            {t("files.words.plan")}
          </button>
        </div>
      )}
      {plan.error && <ErrorNote error={plan.error} onDismiss={plan.clear} />}
    </div>
  );
}
