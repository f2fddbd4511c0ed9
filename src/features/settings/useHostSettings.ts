/** The host's settings: queried once, and again after each change. */
import { createContext, useContext } from "react";
import type { Command, SettingChange, Settings } from "../../protocol";
import { useAnswer, useHost } from "../../store/hooks";
import { type Action, useAction, useQueuedAction } from "../../ui/useAction";

export function useHostSettings() {
  const { answer, error, setAnswer } = useAnswer({ query: "settings" }, "settings");
  return { answer, error, setAnswer };
}

/** The settings page's own copy, which every section reads and updates. */
export const SettingsContext = createContext<ReturnType<typeof useHostSettings> | null>(null);

function useTaken() {
  const context = useContext(SettingsContext);
  if (!context) throw new Error("SettingsContext is missing above this component");
  return context;
}

/** Changes settings, all or none. `null` resets a setting to its default. */
export function useChange(): Action<[Record<string, string | null>]> {
  const { client } = useHost();
  const refresh = useRefresh();
  return useQueuedAction(async (values: Record<string, string | null>) => {
    const changes: SettingChange[] = Object.entries(values).map(([key, value]) => ({ key, value }));
    await client.command({ command: "change_settings", changes });
    await refresh();
  });
}

/**
 * Stores a backend's key in the keyring, or removes it. The key is not kept in any state, and no answer contains it.
 */
export function useKey(): Action<[string, string | null]> {
  return useStoredKey((backend, key) => ({ command: "set_key", backend, key }));
}

/** Stores or removes a search provider's key. */
export function useSearchKey(): Action<[string, string | null]> {
  return useStoredKey((provider, key) => ({ command: "set_search_key", provider, key }));
}

function useStoredKey(command: (name: string, key: string | null) => Command) {
  const { client } = useHost();
  const refresh = useRefresh();
  return useAction(async (name: string, key: string | null) => {
    await client.command(command(name, key));
    await refresh();
  });
}

/** Reloads the settings. If that fails, the change is still made. */
function useRefresh() {
  const { client } = useHost();
  const { setAnswer } = useTaken();
  return () => client.query({ query: "settings" }, "settings").then(setAnswer, () => {});
}

export type { Settings };
