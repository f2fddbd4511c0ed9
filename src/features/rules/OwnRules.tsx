/** The rules that a person wrote into the file: what each covers, and where it stands. */
import type { Decision } from "../../protocol";
import { useAnswer } from "../../store/hooks";
import { hostText, t } from "../../text";
import { shortPath, visible } from "../../text/visible";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";

const LOOKS: Record<Decision, string> = { allow: "run", ask: "medium", deny: "high" };

export function OwnRules() {
  const { answer, error } = useAnswer({ query: "rules" }, "rules");
  return (
    <section>
      <h2>{t("rules.own")}</h2>
      {error !== undefined && <ErrorNote error={bodyOf(error)} />}
      {answer?.problem && (
        <ErrorNote
          error={{ code: "rules", message: answer.problem, hints: [] }}
          more={t("rules.own.broken")}
        />
      )}
      {answer && answer.rules.length > 0 && (
        <ul className="grants">
          {answer.rules.map((rule) => (
            <li key={rule.line} className="grant">
              <span className={`pill plain ${LOOKS[rule.effect]}`}>{t(`try.${rule.effect}`)}</span>
              <span className="mono grow">{visible(hostText(rule.text))}</span>
              <span className="faint small">{t("rules.own.line", { line: rule.line })}</span>
            </li>
          ))}
        </ul>
      )}
      {answer && (
        <p className="muted small">
          {t(answer.rules.length > 0 || answer.problem ? "rules.own.file" : "rules.own.none")}{" "}
          <span className="mono">{shortPath(answer.path)}</span>
        </p>
      )}
    </section>
  );
}
