/** React hooks for the store. */
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { DeviceScope, Query, QueryAnswer, Risk } from "../protocol";
import type { Client } from "./client";
import { type Journal, shownOf } from "./journal";
import type { AppState } from "./state";
import type { Store } from "./store";

/** The page's store and client. */
export interface Host {
  store: Store;
  client: Client;
}

export const HostContext = createContext<Host | null>(null);

export function useHost(): Host {
  const host = useContext(HostContext);
  if (!host) throw new Error("HostContext is missing above this component");
  return host;
}

/** Returns part of the state. `select` must return the same object as long as nothing changed. */
export function useStore<T>(select: (state: AppState) => T): T {
  const { store } = useHost();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** Returns whether this client has a permission. */
export function useMay(scope: DeviceScope): boolean {
  return useStore((state) => state.may.scopes.includes(scope));
}

/** Returns whether this page belongs to the host's own user. */
export function useIsLocal(): boolean {
  return useStore((state) => state.may.local);
}

/** Returns an answer of the host: queried once connected, and again by `reload`. */
export function useAnswer<A extends QueryAnswer["answer"]>(query: Query, name: A, wanted = true) {
  type Answer = Extract<QueryAnswer, { answer: A }>;
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState<unknown>();
  const text = JSON.stringify(query);
  const reload = useCallback(async () => {
    try {
      setAnswer(await client.query(JSON.parse(text) as Query, name));
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  }, [client, text, name]);
  useEffect(() => {
    if (online && wanted) void reload();
  }, [online, wanted, reload]);
  return { answer, error, reload, setAnswer };
}

/** Returns the risk up to which a task was agreed to in advance, as far as its journal is loaded. */
export function useConsent(task: string): Risk | null | undefined {
  return useStore(({ journals }) => {
    const known = journals.get(task);
    return known && shownOf(known)?.spec?.standing_consent;
  });
}

/** Returns a task's journal as far as it is loaded, and loads it if necessary. */
export function useJournal(task: string): { journal: Journal | undefined; isWhole: boolean } {
  const { client } = useHost();
  const journal = useStore(({ journals }) => {
    const known = journals.get(task);
    return known && shownOf(known);
  });
  const isWhole = useStore(({ journals }) => journals.get(task)?.status === "ready");
  const online = useStore((state) => state.link.is === "online");
  const asked = useRef<string>("");
  useEffect(() => {
    if (!online || asked.current === task) return;
    asked.current = task;
    // If the connection breaks meanwhile, the next one tries again.
    client.open(task).catch(() => {
      asked.current = "";
    });
  }, [client, task, online]);
  return { journal, isWhole };
}
