/** The top of a provider's entry in Settings: its name and state, where it is, where its key is, and its buttons. */
import type { ReactNode } from "react";
import type { KeyPlace } from "../../protocol";
import { t } from "../../text";
import { visible } from "../../text/visible";

interface Props {
  label: string;
  /** The badge of the provider in use. */
  used: string | false;
  /** Whether something is missing before it can be used. */
  incomplete: boolean;
  about: string;
  stored: KeyPlace | null;
  /** Its buttons. */
  children: ReactNode;
}

export function ProviderHead({ label, used, incomplete, about, stored, children }: Props) {
  return (
    <div className="row wrap">
      <div className="grow backend-name">
        <p className="row wrap">
          <b>{label}</b>
          {used && <span className="pill plain run">{used}</span>}
          {incomplete && <span className="pill plain medium">{t("settings.backend.incomplete")}</span>}
        </p>
        <p className="muted small">{about}</p>
        {stored && (
          <p className="muted small">{t(`settings.key.${stored.kind}`, { name: visible(stored.name) })}</p>
        )}
      </div>
      <div className="row wrap">{children}</div>
    </div>
  );
}
