/** The form for a search provider: its address, and its key if it takes one. */
import { useState } from "react";
import type { SearchChoice } from "../../protocol";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { HintedField } from "./HintedField";
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
      <HintedField
        type="url"
        label={t("settings.search.address")}
        hint={t(choice.address ? "settings.search.address.usual" : "settings.search.address.hint")}
        value={where}
        placeholder={choice.address ? visible(choice.address) : "https://search.example.org"}
        required={!choice.address}
        autoFocus={!choice.takes_key}
        onChange={(event) => setWhere(event.target.value)}
      />
    </ProviderForm>
  );
}
