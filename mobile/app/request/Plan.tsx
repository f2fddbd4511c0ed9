/** Of a request to carry out a plan over files: the folders before and after it, and each change where it is asked for. */
import { PlanBody } from "../../../src/features/request/PlanBody";
import type { RequestedPlan } from "../../../src/protocol";
import { t } from "../../../src/text";
import "../../../src/features/files/files.css";

export default function Plan({ plan }: { plan: RequestedPlan }) {
  return (
    <section className="phone-plan" aria-label={t("phone.plan")}>
      <PlanBody plan={plan} />
    </section>
  );
}
