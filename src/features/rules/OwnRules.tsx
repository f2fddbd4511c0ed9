/** The user's rules: what each covers. They are changed and removed here; some are only editable in the file. */
import { Pencil, Plus, Trash2 } from "lucide-react";
import type { Decision, UserRule } from "../../protocol";
import { useAnswer, useHost } from "../../store/hooks";
import { hostText, t } from "../../text";
import { shortPath, visible } from "../../text/visible";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { useAction } from "../../ui/useAction";
import { type Editing, RuleForm } from "./RuleForm";

const LOOKS: Record<Decision, string> = { allow: "run", ask: "medium", deny: "high" };

interface Props {
  /** The rule that is being created or edited. */
  editing: Editing | undefined;
  onEdit(editing: Editing | undefined): void;
  /** Called after a change to the decisions. */
  onChange(): void;
}

export function OwnRules({ editing, onEdit, onChange }: Props) {
  const { client } = useHost();
  const { answer, error, reload } = useAnswer({ query: "rules" }, "rules");
  const changed = () => {
    void reload();
    onChange();
  };
  const drop = useAction(async ({ line, text }: UserRule) => {
    await client.command({ command: "drop_rule", rule: { line, text } });
    changed();
  });
  const isNew = editing !== undefined && editing.instead === undefined;
  const form = editing && (
    <RuleForm
      key={editing.instead?.line ?? editing.rule.command}
      {...editing}
      onDone={() => {
        onEdit(undefined);
        changed();
      }}
      onCancel={() => onEdit(undefined)}
    />
  );
  return (
    <section>
      <div className="row rules-head">
        <h2 className="grow">{t("rules.own")}</h2>
        {answer && !answer.problem && !isNew && (
          <button
            type="button"
            className="btn"
            onClick={() => onEdit({ rule: { effect: "ask", command: "", within: null } })}
          >
            <Plus className="ic" aria-hidden="true" />
            {t("rule.add")}
          </button>
        )}
      </div>
      {isNew && form}
      {error !== undefined && <ErrorNote error={bodyOf(error)} />}
      {drop.error && <ErrorNote error={drop.error} onDismiss={drop.clear} />}
      {answer?.problem && (
        <ErrorNote
          error={{ code: "rules", message: answer.problem, hints: [] }}
          more={t("rules.own.broken")}
        />
      )}
      {answer && answer.rules.length > 0 && (
        <ul className="grants">
          {answer.rules.map((rule) =>
            editing?.instead?.line === rule.line ? (
              <li key={rule.line}>{form}</li>
            ) : (
              <RuleLine
                key={rule.line}
                rule={rule}
                busy={drop.busy}
                onEdit={onEdit}
                onDrop={() => void drop.run(rule)}
              />
            ),
          )}
        </ul>
      )}
      {answer && (
        <p className="muted small">
          {answer.rules.length === 0 && !answer.problem && `${t("rules.own.none")} `}
          {t("rules.own.file")} <span className="mono">{shortPath(answer.path)}</span>
        </p>
      )}
    </section>
  );
}

interface LineProps {
  rule: UserRule;
  busy: boolean;
  onEdit(editing: Editing): void;
  onDrop(): void;
}

function RuleLine({ rule, busy, onEdit, onDrop }: LineProps) {
  const { command } = rule;
  const words = visible(command?.command ?? hostText(rule.text));
  const where = command?.within;
  return (
    <li className="grant">
      <span className={`pill plain ${LOOKS[rule.effect]}`}>{t(`rule.${rule.effect}`)}</span>
      <div className="grow">
        <p className="mono">{words}</p>
        <p className="muted small">
          {command ? (
            where ? (
              <>
                {t("request.in")} <span className="mono">{shortPath(where)}</span>
              </>
            ) : (
              t("rule.everywhere")
            )
          ) : (
            t("rules.own.line", { line: rule.line })
          )}
        </p>
      </div>
      {command && (
        <button
          type="button"
          className="btn ghost icon"
          aria-label={`${t("rule.edit")}: ${words}`}
          title={t("rule.edit")}
          onClick={() => onEdit({ rule: command, instead: rule })}
        >
          <Pencil className="ic" aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className="btn ghost icon"
        aria-label={`${t("rule.drop")}: ${words}`}
        title={t("rule.drop")}
        disabled={busy}
        onClick={onDrop}
      >
        <Trash2 className="ic" aria-hidden="true" />
      </button>
    </li>
  );
}
