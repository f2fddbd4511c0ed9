/** Replaces the buttons of a request that is no longer open: who answered, and how. */
import { Check, CircleSlash } from "lucide-react";
import type { Settled as SettledRequest } from "../../store/state";
import { t } from "../../text";
import { answerWords } from "./answerWords";

/** Returns the calls that the answer left out. */
export function leftOut(settled: SettledRequest | undefined): readonly string[] {
  const choice = settled?.answer?.choice;
  // Older hosts send no `dropped`.
  return choice?.choice === "allow" ? (choice.dropped ?? []) : [];
}

export function Settled({ settled }: { settled: SettledRequest | undefined }) {
  const answer = settled?.answer;
  const allowed = answer?.choice.choice === "allow";
  return (
    <p className="row settled muted" role="status">
      {allowed ? (
        <Check className="ic" aria-hidden="true" />
      ) : (
        <CircleSlash className="ic" aria-hidden="true" />
      )}
      {answer ? answerWords(answer) : t(settled ? "request.withdrawn" : "request.gone")}
    </p>
  );
}
