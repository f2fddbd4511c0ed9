/** An error: what failed, why, and what to do next. */
import { TriangleAlert, X } from "lucide-react";
import type { ErrorBody } from "../protocol";
import { HostError } from "../store/client";
import { englishOf, t } from "../text";
import { HttpError } from "../transport/http";
import { HostText } from "./HostText";
import "./ui.css";

/** Converts any error to the protocol's form. */
export function bodyOf(error: unknown): ErrorBody {
  if (error instanceof HostError || error instanceof HttpError) return error.body;
  return { code: "page", message: error instanceof Error ? error.message : String(error), hints: [] };
}

interface Props {
  error: ErrorBody;
  /** Additional text from the page. */
  more?: string;
  onDismiss?: () => void;
}

export function ErrorNote({ error, more, onDismiss }: Props) {
  return (
    <div className="error-note" role="alert">
      <TriangleAlert className="ic" aria-hidden="true" />
      <div className="grow">
        <p>
          <HostText text={error.message} />
        </p>
        {error.hints.map((hint) => (
          <p key={englishOf(hint)} className="muted small">
            <HostText text={hint} />
          </p>
        ))}
        {more && <p className="muted small">{more}</p>}
      </div>
      {onDismiss && (
        <button type="button" className="btn ghost icon" onClick={onDismiss} aria-label={t("error.dismiss")}>
          <X className="ic" />
        </button>
      )}
    </div>
  );
}
