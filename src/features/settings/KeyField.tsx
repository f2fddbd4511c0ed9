/** Where a key is typed. It is kept in this field alone, and only the host gets it. */
import { useId } from "react";
import { t } from "../../text";
import { visible } from "../../text/visible";

interface Props {
  value: string;
  /** The only address that the key is sent to. */
  host: string | null | undefined;
  /** Whether a key is stored already, which a new one replaces. */
  isKept: boolean;
  focus: boolean;
  onChange(value: string): void;
}

export function KeyField({ value, host, isKept, focus, onChange }: Props) {
  const hint = useId();
  return (
    // The hint is not part of the label: a screen reader would read all of it as the field's name.
    <div className="hinted">
      <label>
        <span className="lbl">{t("settings.key.label")}</span>
        <input
          type="password"
          className="field mono"
          value={value}
          placeholder={isKept ? t("settings.key.kept") : ""}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={hint}
          data-begin={focus || undefined}
          // biome-ignore lint/a11y/noAutofocus: it opens where a person asked to write here
          autoFocus={focus}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <span className="muted small" id={hint}>
        {t("settings.key.more")} {host && t("settings.key.host", { host: visible(host) })}
      </span>
    </div>
  );
}
