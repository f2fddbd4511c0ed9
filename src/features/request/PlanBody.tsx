/** A plan of file operations in a request: both trees with marks and, on demand, every operation. */
import { ArrowRight } from "lucide-react";
import { useMemo, useState } from "react";
import type { OrganizeOperation, RequestedPlan } from "../../protocol";
import { hostText, t, tn } from "../../text";
import { pathIn, visible } from "../../text/visible";
import { target } from "../files/draft";
import { Tree } from "../files/Tree";
import { forests } from "../files/tree";

/** The number of operations that are listed at once. */
const LISTED = 200;

export function PlanBody({ plan: { plan, trees } }: { plan: RequestedPlan }) {
  const { operations, scope } = plan;
  const [listed, setListed] = useState(trees === null);
  const drawn = useMemo(() => trees && forests(scope, trees, operations), [scope, trees, operations]);
  return (
    <>
      {plan.reasoning !== "" && <p className="muted">{visible(hostText(plan.reasoning))}</p>}
      {drawn && (
        <div className="trees request-trees">
          <Tree title={t("files.before")} forest={drawn.before} />
          <Tree title={t("files.after")} forest={drawn.after} />
        </div>
      )}
      <div>
        <button type="button" className="btn" aria-expanded={listed} onClick={() => setListed(!listed)}>
          {listed ? t("request.plan.hide") : tn("request.plan.review", operations.length)}
        </button>
      </div>
      {listed && <Changes operations={operations} folder={scope.length === 1 ? (scope[0] ?? "") : ""} />}
    </>
  );
}

function Changes({ operations, folder }: { operations: readonly OrganizeOperation[]; folder: string }) {
  const [shown, setShown] = useState(LISTED);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="plan-changes scroll" tabIndex={0} aria-label={t("files.table")}>
      <ol>
        {operations.slice(0, shown).map((operation) => {
          const { action } = operation;
          const to = action.kind === "create_folder" ? undefined : target(operation);
          return (
            <li key={operation.id} data-kind={action.kind}>
              <span className="small muted plan-kind">{t(`files.kind.${action.kind}`)}</span>
              <span className="mono">
                {pathIn(folder, action.path)}
                {to !== undefined && (
                  <>
                    {" "}
                    <ArrowRight className="ic" aria-label={t("request.plan.to")} /> {pathIn(folder, to)}
                  </>
                )}
              </span>
              {operation.reason !== "" && (
                <span className="small muted">{visible(hostText(operation.reason))}</span>
              )}
            </li>
          );
        })}
      </ol>
      {operations.length > shown && (
        <button type="button" className="btn ghost" onClick={() => setShown(shown + LISTED)}>
          {tn("request.parts.more", operations.length - shown)}
        </button>
      )}
    </section>
  );
}
