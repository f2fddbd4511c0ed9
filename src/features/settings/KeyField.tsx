/** The field for a key. The key exists only in this field, and is sent only to the host. */
import { t } from "../../text";
import { visible } from "../../text/visible";
import { HintedField } from "./HintedField";

interface Props {
  value: string;
  /** The only address that the key is sent to. */
  host: string | null | undefined;
  /** Whether a key is already stored, which a new key replaces. */
  isKept: boolean;
  focus: boolean;
  onChange(value: string): void;
}

export function KeyField({ value, host, isKept, focus, onChange }: Props) {
  return (
    <HintedField
      type="password"
      label={t("settings.key.label")}
      hint={`${t("settings.key.more")} ${host ? t("settings.key.host", { host: visible(host) }) : ""}`}
      value={value}
      placeholder={isKept ? t("settings.key.kept") : ""}
      data-begin={focus || undefined}
      autoFocus={focus}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
