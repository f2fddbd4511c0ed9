/** A live check of a backend: the host asks its provider for the models. */
import { useRef, useState } from "react";
import type { BackendCheck } from "../../protocol";
import { useHost } from "../../store/hooks";
import { duration, hostText, t, tn } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { type Action, useAction } from "../../ui/useAction";

export type Check = Action<[]> & {
  result: BackendCheck | undefined;
  /** Runs the check, and returns whether it succeeded. */
  isWell(): Promise<boolean>;
};

export function useCheck(backend: string): Check {
  const { client } = useHost();
  const [result, setResult] = useState<BackendCheck>();
  const well = useRef(false);
  const action = useAction(async () => {
    const found = await client.query({ query: "check_backend", backend }, "backend_check");
    well.current = !found.problem;
    setResult(found);
  });
  return { ...action, result, isWell: async () => (await action.run()) && well.current };
}

/** The number of models that are listed. */
const NAMED = 6;

export function CheckResult({ check, model }: { check: Check; model: string | null }) {
  const { result, error } = check;
  if (error) return <ErrorNote error={error} onDismiss={check.clear} />;
  if (!result) return null;
  if (result.problem) return <ErrorNote error={result.problem} />;
  const { models } = result;
  const missing = model !== null && models.length > 0 && !models.includes(model);
  const named = models.slice(0, NAMED).map(visible).join(", ");
  return (
    <div role="status">
      <p className="small">
        {t("settings.check.well", { time: duration(result.took_ms) })}{" "}
        {models.length > 0 && tn("settings.check.models", models.length, { names: named })}
        {models.length > NAMED && " …"}
      </p>
      {result.tools && (
        <p className={result.tools.ok ? "small" : "small warn-text"}>
          {visible(hostText(result.tools.message))}
        </p>
      )}
      {missing && <p className="small warn-text">{t("settings.check.missing", { model: visible(model) })}</p>}
    </div>
  );
}
