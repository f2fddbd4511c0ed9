/** Tries a command: shows the decision and its reasons, part by part. Nothing runs. */
import { Play, Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useDraft } from "../../app/drafts";
import type { CommandRule, Decision, Verdict } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { HostText, HostTexts } from "../../ui/HostText";
import { RiskPill } from "../../ui/StatePill";
import { useAction } from "../../ui/useAction";

const LOOKS: Record<Decision, string> = { allow: "run", ask: "medium", deny: "high" };

interface Props {
  /** The number of rule changes made here. The command is evaluated again after each. */
  changes: number;
  /** Creates a rule for the command that was tried. */
  onRule(rule: CommandRule): void;
}

export function TryCommand({ changes, onRule }: Props) {
  const { client } = useHost();
  const newest = useStore((state) => state.tasks.values().next().value?.workspace ?? "");
  const [command, setCommand] = useDraft("try.command");
  const [folderDraft, setFolder] = useDraft("try.folder");
  const folder = folderDraft || newest;
  const [verdict, setVerdict] = useState<Verdict>();
  const attempt = useAction(async () => {
    setVerdict(undefined);
    const workspace = folder.trim();
    const answer = await client.query({ query: "explain", command, workspace }, "explanation");
    setVerdict(answer.verdict);
  });
  const again = useRef(() => {});
  again.current = () => verdict && void attempt.run();
  useEffect(() => {
    if (changes > 0) again.current();
  }, [changes]);
  return (
    <section className="try" aria-label={t("try.title")}>
      <h2>{t("try.title")}</h2>
      <p className="muted small">{t("try.lead")}</p>
      <form
        className="try-form"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt.run();
        }}
      >
        <label className="try-command">
          <span className="lbl">{t("try.command")}</span>
          <input
            className="field mono"
            value={command}
            placeholder="git log --oneline | head"
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setCommand(event.target.value)}
          />
        </label>
        <label className="try-folder">
          <span className="lbl">{t("new.folder")}</span>
          <input
            className="field mono"
            value={folder}
            placeholder={t("new.folder.hint")}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setFolder(event.target.value)}
          />
        </label>
        <button
          type="submit"
          className="btn primary"
          disabled={attempt.busy || command.trim() === "" || folder.trim() === ""}
        >
          <Play className="ic" aria-hidden="true" />
          {t("try.do")}
        </button>
      </form>
      {attempt.error && <ErrorNote error={attempt.error} onDismiss={attempt.clear} />}
      <div role="status">{verdict && <VerdictTree verdict={verdict} />}</div>
      {verdict && (
        <button
          type="button"
          className="btn try-rule"
          onClick={() =>
            onRule({
              effect: verdict.decision === "allow" ? "ask" : "allow",
              command: command.trim(),
              within: folder.trim() || null,
            })
          }
        >
          <Plus className="ic" aria-hidden="true" />
          {t("rule.from_try")}
        </button>
      )}
    </section>
  );
}

function DecisionPill({ decision }: { decision: Decision }) {
  return <span className={`pill plain ${LOOKS[decision]}`}>{t(`try.${decision}`)}</span>;
}

/** The commands, and below each the paths and hosts that it touches. */
function VerdictTree({ verdict }: { verdict: Verdict }) {
  return (
    <div className="verdict">
      <p className="row wrap">
        <DecisionPill decision={verdict.decision} />
        <RiskPill risk={verdict.risk} />
        <span className="muted">{t(`try.confined.${verdict.confinement}`)}</span>
      </p>
      <ul className="verdict-parts">
        {verdict.parts.map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a verdict never changes, and parts may repeat
          <li key={place} data-below={part.kind !== "command" && part.kind !== "construct"}>
            <DecisionPill decision={part.decision} />
            <span>
              <span className="mono">{visible(part.text)}</span>
              <HostText text={part.reason} className="muted small verdict-why" />
            </span>
          </li>
        ))}
      </ul>
      {verdict.parts.length === 0 && (
        <p className="muted">
          <HostTexts texts={verdict.reasons} between=" · " />
        </p>
      )}
    </div>
  );
}
