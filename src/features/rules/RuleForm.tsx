/** The form that creates or edits a rule about a command. */
import { useState } from "react";
import type { CommandRule, Decision, UserRule } from "../../protocol";
import { useHost } from "../../store/hooks";
import { t } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { Segmented } from "../../ui/Segmented";
import { useAction } from "../../ui/useAction";

const EFFECTS: readonly Decision[] = ["allow", "ask", "deny"];

export interface Editing {
  rule: CommandRule;
  /** The rule to edit. Absent for a new rule. */
  instead?: UserRule;
}

interface Props extends Editing {
  onDone(): void;
  onCancel(): void;
}

export function RuleForm({ rule, instead, onDone, onCancel }: Props) {
  const { client } = useHost();
  const [effect, setEffect] = useState<Decision>(rule.effect);
  const [command, setCommand] = useState(rule.command);
  const [within, setWithin] = useState(rule.within ?? "");
  const save = useAction(async () => {
    const made = { effect, command: command.trim(), within: within.trim() || null };
    const old = instead ? { line: instead.line, text: instead.text } : null;
    await client.command({ command: "keep_rule", rule: made, instead: old });
    onDone();
  });
  return (
    <form
      className="rule-form"
      aria-label={t(instead ? "rule.edit" : "rule.new")}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <div className="rule-effect row">
        <Segmented<Decision>
          label={t("rule.effect")}
          value={effect}
          options={EFFECTS.map((value) => ({ value, label: t(`rule.${value}`) }))}
          onChange={setEffect}
        />
      </div>
      <label className="try-command">
        <span className="lbl">{t("try.command")}</span>
        <input
          className="field mono"
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
          autoFocus
          value={command}
          placeholder="npm test"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setCommand(event.target.value)}
        />
      </label>
      <label className="try-folder">
        <span className="lbl">{t("rule.within")}</span>
        <input
          className="field mono"
          value={within}
          placeholder={t("rule.everywhere")}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setWithin(event.target.value)}
        />
      </label>
      <p className="muted small rule-about">{t(`rule.${effect}.about`)}</p>
      {save.error && <ErrorNote error={save.error} onDismiss={save.clear} />}
      <div className="row rule-buttons">
        <button type="submit" className="btn primary" disabled={save.busy || command.trim() === ""}>
          {t("rule.save")}
        </button>
        <button type="button" className="btn" onClick={onCancel}>
          {t("memory.cancel")}
        </button>
      </div>
    </form>
  );
}
