/** Searches the messages of all conversations, with the host. */
import { useEffect, useState } from "react";
import type { SaidInTask } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { t } from "../../text";
import { visible } from "../../text/visible";

/** A search begins after a pause in typing of this length. */
const TYPING_MS = 150;
const NOTHING: ReadonlyMap<string, string> = new Map();

export function useSaid(words: string): ReadonlyMap<string, string> {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const wanted = words.trim();
  const [found, setFound] = useState<{ words: string; said: ReadonlyMap<string, string> }>();
  useEffect(() => {
    if (!online || wanted === "") return;
    let gone = false;
    const ask = async () => {
      const answer = await client.query({ query: "tasks", limit: 1, said: wanted }, "tasks");
      if (!gone)
        setFound({ words: wanted, said: new Map(answer.said.map((each) => [each.task, wordsOf(each)])) });
    };
    // Without an answer, goals, titles and folders are still searched.
    const timer = setTimeout(() => void ask().catch(() => {}), TYPING_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [client, online, wanted]);
  return found?.words === wanted ? found.said : NOTHING;
}

/** Formats who said what. */
function wordsOf({ role, text }: SaidInTask): string {
  return t(`tasks.said.${role}`, { text: visible(text.replace(/\s+/g, " ").trim()) });
}
