/** What failed, why, and what to do now. */
import { TriangleAlert, X } from "lucide-react";
import type { ErrorBody } from "../protocol";
import { HostError } from "../store/client";
import { t } from "../text";
import { visible } from "../text/visible";
import { HttpError } from "../transport/http";
import "./ui.css";

/** Any failure as the words of the protocol. */
export function bodyOf(error: unknown): ErrorBody {
  if (error instanceof HostError || error instanceof HttpError) return error.body;
  return { code: "page", message: error instanceof Error ? error.message : String(error), hints: [] };
}

export function ErrorNote({ error, onDismiss }: { error: ErrorBody; onDismiss?: () => void }) {
  return (
    <div className="error-note" role="alert">
      <TriangleAlert className="ic" aria-hidden="true" />
      <div className="grow">
        <p>{visible(error.message)}</p>
        {error.hints.map((hint) => (
          <p key={hint} className="muted small">
            {visible(hint)}
          </p>
        ))}
      </div>
      {onDismiss && (
        <button type="button" className="btn ghost icon" onClick={onDismiss} aria-label={t("error.dismiss")}>
          <X className="ic" />
        </button>
      )}
    </div>
  );
}
