/** What this machine has and what is missing, checked on request. */
import { CircleCheck, CircleX, Stethoscope } from "lucide-react";
import { useState } from "react";
import type { Finding } from "../../protocol";
import { useHost } from "../../store/hooks";
import { type Key, t } from "../../text";
import en from "../../text/en.json";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { Skeleton } from "../../ui/Skeleton";
import { useAction } from "../../ui/useAction";

/** Returns the name of a finding, translated if the page knows it. */
function nameOf(finding: Finding): string {
  const key = `doctor.${finding.name}`;
  return key in en ? t(key as Key) : visible(finding.name);
}

export function Doctor() {
  const { client } = useHost();
  const [findings, setFindings] = useState<readonly Finding[]>();
  const look = useAction(async () => {
    setFindings((await client.query({ query: "doctor" }, "doctor")).findings);
  });
  const ill = findings?.filter((finding) => !finding.ok).length ?? 0;
  return (
    <section className="settings">
      <div className="row settings-head">
        <h2 className="grow">{t("doctor.title")}</h2>
        <button type="button" className="btn" disabled={look.busy} onClick={() => void look.run()}>
          <Stethoscope className="ic" aria-hidden="true" />
          {t(findings ? "doctor.again" : "doctor.look")}
        </button>
      </div>
      <p className="muted small" role="status">
        {findings ? t(ill === 0 ? "doctor.well" : "doctor.ill", { count: ill }) : t("doctor.lead")}
      </p>
      {look.busy && !findings && <Skeleton lines={6} label={t("doctor.looking")} />}
      {look.error && <ErrorNote error={look.error} onDismiss={look.clear} />}
      {findings && (
        <ul className="findings">
          {findings.map((finding) => (
            <li key={finding.name} data-ok={finding.ok}>
              {finding.ok ? (
                <CircleCheck className="ic" aria-hidden="true" />
              ) : (
                <CircleX className="ic" aria-hidden="true" />
              )}
              <b>{nameOf(finding)}</b>
              <span className="sr">{t(finding.ok ? "doctor.ok" : "doctor.bad")}</span>
              <HostText text={finding.message} className="muted" capital />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
