/** Both trees of a plan's draft. */
import { useMemo } from "react";
import { Tree } from "../../../src/features/files/Tree";
import { forests } from "../../../src/features/files/tree";
import { useAnswer } from "../../../src/store/hooks";
import { t } from "../../../src/text";
import "../../../src/features/files/files.css";

export default function Trees({ draft, without }: { draft: string; without: readonly string[] }) {
  const { answer } = useAnswer({ query: "draft", draft, without: [...without], edited: [] }, "draft");
  const trees = useMemo(
    () => answer?.trees && forests(answer.plan.scope, answer.trees, answer.plan.operations),
    [answer],
  );
  if (!trees) return null;
  return (
    <section className="card phone-card" aria-label={t("phone.plan")}>
      <Tree title={t("files.before")} forest={trees.before} />
      <Tree title={t("files.after")} forest={trees.after} />
    </section>
  );
}
