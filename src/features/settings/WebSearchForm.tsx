/** The form for a search provider: its address, and its key if it takes one. */
import { useId, useState } from "react";
import type { SearchChoice } from "../../protocol";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { ProviderForm } from "./ProviderForm";
import { useSearchKey } from "./useHostSettings";

interface Props {
  choice: SearchChoice;
  /** Its address, if not the provider's own. */
  address: string | null;
  onDone(): void;
  onCancel(): void;
}

export function WebSearchForm({ choice, address, onDone, onCancel }: Props) {
  const [where, setWhere] = useState(address ?? "");
  const hint = useId();
  return (
    <ProviderForm
      name={choice.name}
      stored={choice.key}
      takesKey={choice.takes_key}
      host={where.trim() || choice.address}
      keep={useSearchKey()}
      values={() => ({ "search.provider": choice.name, "search.address": where.trim() || null })}
      hint={t("settings.search.tries")}
      focusKey
      onDone={onDone}
      onCancel={onCancel}
    >
      <label>
        <span className="lbl">{t("settings.search.address")}</span>
        <input
          type="url"
          className="field mono"
          value={where}
          placeholder={choice.address ? visible(choice.address) : "https://search.example.org"}
          required={!choice.address}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={hint}
          // biome-ignore lint/a11y/noAutofocus: it opens where a person asked to write here
          autoFocus={!choice.takes_key}
          onChange={(event) => setWhere(event.target.value)}
        />
        <span className="muted small" id={hint}>
          {t(choice.address ? "settings.search.address.usual" : "settings.search.address.hint")}
        </span>
      </label>
    </ProviderForm>
  );
}
