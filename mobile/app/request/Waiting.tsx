/** One thing that waits, with the whole screen to itself; or, where it is none that is known, the way back. */
import { SearchX } from "lucide-react";
import { hrefOf } from "../../../src/app/route";
import { QuestionCard } from "../../../src/features/request/QuestionCard";
import type { PermissionRequest, Question } from "../../../src/protocol";
import { useStore } from "../../../src/store/hooks";
import { t } from "../../../src/text";
import { visible } from "../../../src/text/visible";
import { Empty } from "../../../src/ui/Empty";
import { Home } from "../Home";
import { TopBar } from "../TopBar";
import { Next } from "./Next";
import { RequestPage } from "./RequestPage";
import { useHeld } from "./useHeld";

export default function Waiting({ id }: { id: string | undefined }) {
  const request = useStore((state) =>
    id ? (state.requests.get(id) ?? state.settled.get(id)?.request) : undefined,
  );
  const question = useStore((state) => (id ? state.questions.get(id) : undefined));
  const heldRequest = useHeld<PermissionRequest>(request);
  const heldQuestion = useHeld<Question>(question);
  if (id === undefined) return <Home />;
  if (heldRequest) return <RequestPage request={heldRequest} />;
  if (heldQuestion) return <QuestionPage question={heldQuestion} isOpen={question !== undefined} />;
  return (
    <>
      <TopBar>{null}</TopBar>
      <Empty
        icon={SearchX}
        title={t("phone.request.gone")}
        action={
          <a className="btn" href={hrefOf({ screen: "tasks" })}>
            {t("phone.nav.home")}
          </a>
        }
      >
        {t("phone.request.gone.more")}
      </Empty>
    </>
  );
}

function QuestionPage({ question, isOpen }: { question: Question; isOpen: boolean }) {
  const goal = useStore((state) => state.tasks.get(question.task)?.goal);
  return (
    <>
      <TopBar>
        <a className="grow clip muted" href={hrefOf({ screen: "task", task: question.task })}>
          {goal ? visible(goal) : t("request.goto")}
        </a>
      </TopBar>
      <div className="phone-scroll">
        <QuestionCard question={question} answer={undefined} />
        {!isOpen && <Next except={question.id} />}
      </div>
    </>
  );
}
