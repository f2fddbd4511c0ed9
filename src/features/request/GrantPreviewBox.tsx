/** The past calls that a broader approval would have allowed, shown before the user grants it. */
import { History } from "lucide-react";
import { useEffect, useState } from "react";
import type { GrantPreview, Offer } from "../../protocol";
import { useHost } from "../../store/hooks";
import { hostText, relative, t, tn } from "../../text";
import { shortPath, visible } from "../../text/visible";
import { useNow } from "../../ui/clock";

/** The number of past calls that are listed. */
const SAMPLES = 4;

export function GrantPreviewBox({ request, offer }: { request: string; offer: Offer }) {
  const { client } = useHost();
  const now = useNow();
  const [preview, setPreview] = useState<GrantPreview>();
  const { lifetime, wider } = offer;
  useEffect(() => {
    let gone = false;
    setPreview(undefined);
    client
      .query({ query: "preview_grant", request, lifetime, wider }, "grant_preview")
      .then((answer) => !gone && setPreview(answer))
      // Without a preview, the label still says what is remembered.
      .catch(() => {});
    return () => {
      gone = true;
    };
  }, [client, request, lifetime, wider]);
  return (
    <div className="preview" aria-live="polite">
      <History className="ic" aria-hidden="true" />
      <div className="grow">
        <p>{t("request.grants", { label: shortPath(hostText(offer.label)) })}</p>
        {preview ? (
          <>
            <p className="muted small">
              {t("request.preview", { days: preview.days })}{" "}
              {preview.calls === 0 ? t("request.preview.none") : tn("request.preview.calls", preview.calls)}
              {preview.and_more && ` ${t("request.preview.more")}`}.{" "}
              {preview.refused > 0 && <b>{tn("request.preview.refused", preview.refused)}.</b>}
            </p>
            <ul aria-live="off">
              {preview.samples.slice(0, SAMPLES).map((sample) => (
                <li key={`${sample.task} ${sample.at_ms} ${sample.summary}`} className="row small">
                  <span className="mono grow clip">{visible(hostText(sample.summary))}</span>
                  {sample.refused && <b>{t("request.denied")}</b>}
                  <span className="faint">{relative(sample.at_ms, now)}</span>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p className="faint small">{t("request.preview.wait")}</p>
        )}
      </div>
    </div>
  );
}
