/** After an answer: what waits next, or the way home. Nothing moves under the thumb by itself. */
import { hrefOf } from "../../../src/app/route";
import { useStore } from "../../../src/store/hooks";
import { t, tn } from "../../../src/text";

export function Next({ except }: { except: string }) {
  const requests = useStore((state) => state.requests);
  const questions = useStore((state) => state.questions);
  const others = [...requests.values(), ...questions.values()]
    .filter(({ id }) => id !== except)
    .sort((a, b) => a.created_at_ms - b.created_at_ms);
  const [next] = others;
  return (
    <div className="phone-next">
      {next && (
        <a className="btn primary" href={hrefOf({ screen: "inbox", request: next.id })}>
          {tn("phone.next", others.length)}
        </a>
      )}
      <a className="btn" href={hrefOf({ screen: "tasks" })}>
        {t("phone.nav.home")}
      </a>
    </div>
  );
}
