/** Web search settings: each provider with its address and key, checked by one search. */
import { useRef, useState } from "react";
import type { SearchCheck, SearchChoice, Settings } from "../../protocol";
import { useHost } from "../../store/hooks";
import { duration, t, tn } from "../../text";
import { visible } from "../../text/visible";
import { ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { useAction } from "../../ui/useAction";
import { CheckButton, EditButton, ProviderHead, useProviderForm } from "./ProviderHead";
import { useChange } from "./useHostSettings";
import { WebSearchForm } from "./WebSearchForm";

export function WebSearch({ settings }: { settings: Settings }) {
  const { providers, provider, address } = settings.search;
  return (
    <section className="settings" aria-label={t("settings.search")}>
      <h2>{t("settings.search")}</h2>
      <p className="muted small">{t(provider ? "settings.search.on" : "settings.search.off")}</p>
      <ul>
        {providers.map((choice) => (
          <Provider
            key={choice.name}
            choice={choice}
            used={provider === choice.name}
            address={provider === choice.name ? address : null}
          />
        ))}
      </ul>
    </section>
  );
}

interface Props {
  choice: SearchChoice;
  /** Whether this provider is in use. */
  used: boolean;
  /** Its address, if not the provider's own. */
  address: string | null;
}

function Provider({ choice, used, address }: Props) {
  const change = useChange();
  const check = useSearchCheck();
  const form = useProviderForm();
  // If the provider does not answer, the form stays open for corrections.
  const saved = async () => {
    if (await check.isWell()) form.close();
  };
  const label = visible(choice.label);
  const { problem } = choice;
  const where = address ?? choice.address;
  return (
    <li className="backend" aria-label={label}>
      <ProviderHead
        label={label}
        used={used && t("settings.search.used")}
        incomplete={used && Boolean(problem)}
        about={where ? visible(where) : t(choice.shipped ? "settings.search.server" : "settings.search.own")}
        stored={used || choice.key?.kind === "keyring" ? choice.key : null}
      >
        {used && !problem && <CheckButton check={check} />}
        {used && (
          <button
            type="button"
            className="btn"
            disabled={change.busy}
            onClick={() => void change.run({ "search.provider": null, "search.address": null })}
          >
            {t("settings.search.stop")}
          </button>
        )}
        <EditButton form={form} isNew={!used} />
      </ProviderHead>
      {problem && !form.isOpen && (
        <p className="muted small">
          <HostText text={problem} />
        </p>
      )}
      {!form.isOpen && change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
      {form.isOpen && (
        <WebSearchForm choice={choice} address={address} onDone={() => void saved()} onCancel={form.close} />
      )}
      {check.error && <ErrorNote error={check.error} onDismiss={check.clear} />}
      {check.result?.problem && <ErrorNote error={check.result.problem} />}
      {check.result && !check.result.problem && (
        <p className="small" role="status">
          {t("settings.check.well", { time: duration(check.result.took_ms) })}{" "}
          {tn("settings.search.results", check.result.results)}
        </p>
      )}
    </li>
  );
}

/** Makes one search with the configured provider. */
function useSearchCheck() {
  const { client } = useHost();
  const [result, setResult] = useState<SearchCheck>();
  const well = useRef(false);
  const action = useAction(async () => {
    const found = await client.query({ query: "check_search" }, "search_check");
    well.current = !found.problem;
    setResult(found);
  });
  return { ...action, result, isWell: async () => (await action.run()) && well.current };
}
