/** The details of a call: the decision, its parameters, its result and its changes. */
import { Undo2 } from "lucide-react";
import { useMay, useStore } from "../../store/hooks";
import type { CallEntry } from "../../store/journal";
import { bytes, t, tn } from "../../text";
import { Diff } from "../../ui/Diff";
import { HostTexts } from "../../ui/HostText";
import { Output } from "../../ui/Output";
import { Picture } from "../../ui/Picture";
import { RiskPill } from "../../ui/StatePill";
import { answerWords } from "../request/answerWords";
import { PlanBody } from "../request/PlanBody";
import { headline } from "../request/requestWords";
import { diffOf } from "./callWords";
import { FileMenu } from "./FileMenu";
import { taskOf, WholeOutput } from "./WholeOutput";

/** The number of changed paths that are listed. */
const PATHS = 12;

interface Props {
  entry: CallEntry;
  live: string | undefined;
  onUndo(): void;
}

export function CallDetails({ entry, live, onUndo }: Props) {
  const { result, verdict, answer } = entry;
  const changes = result?.changes ?? [];
  const mayCommand = useMay("command");
  const task = taskOf(entry.id);
  const workspace = useStore((state) => state.tasks.get(task)?.workspace ?? "");
  // The approved plan stays with the call that ran it.
  const plan = entry.request?.details.plan;
  const diff = diffOf(entry);
  return (
    <div className="call-details">
      {entry.tool !== "shell" && !plan && !diff && (
        <details>
          <summary className="lbl">{t("call.parameters")}</summary>
          <Output text={JSON.stringify(entry.parameters, null, 2)} label={t("call.parameters")} />
        </details>
      )}
      {verdict && (
        <p className="row wrap small muted">
          <RiskPill risk={verdict.risk} />
          <span>
            <HostTexts texts={verdict.reasons} between=" · " />
          </span>
        </p>
      )}
      {answer && <p className="small muted">{answerWords(answer, entry.id)}</p>}
      {entry.midwayAnswers?.map(({ request, ...said }) => (
        <p key={request.id} className="small muted">
          {headline(request)}: {answerWords(said)}
        </p>
      ))}
      {result ? (
        <Output text={result.content} label={t("call.output")} />
      ) : (
        live && <Output text={live} label={t("call.output")} />
      )}
      {result?.parts.map(
        (part) =>
          part.part === "picture" && <Picture key={part.digest} task={task} call={entry.id} picture={part} />,
      )}
      {result?.parts.map(
        (part) =>
          part.part === "web" &&
          part.aimed && (
            <Picture
              key={part.aimed.picture.digest}
              task={task}
              call={entry.id}
              picture={part.aimed.picture}
              outlined={part.aimed}
            />
          ),
      )}
      {diff && <Diff text={diff} label={t("request.kind.change")} />}
      {plan && <PlanBody plan={plan} />}
      {result?.output?.kept && <WholeOutput call={entry.id} kept={result.output.kept} />}
      {result && result.omitted_bytes > 0 && !result.output?.kept && (
        <p className="small faint">{t("call.omitted", { bytes: bytes(result.omitted_bytes) })}</p>
      )}
      {changes.length > 0 && (
        <div className="row call-changes">
          <ul className="grow">
            {changes.slice(0, PATHS).map((change) => (
              <li key={change.path} className="row">
                <span className="mono" aria-hidden="true">
                  {change.before.kind === "absent" ? "+" : change.after.kind === "absent" ? "−" : "~"}
                </span>
                <FileMenu
                  task={task}
                  workspace={workspace}
                  path={change.path}
                  isGone={change.after.kind === "absent"}
                />
              </li>
            ))}
            {changes.length > PATHS && <li className="faint">{tn("call.changed", changes.length)}</li>}
          </ul>
          {mayCommand && (
            <button type="button" className="btn" onClick={onUndo}>
              <Undo2 className="ic" aria-hidden="true" />
              {t("call.undo")}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
