/** Shows notifications for new requests and questions while the page is in the background, if the user enabled them. */
import { useEffect, useRef } from "react";
import { preferences } from "../../app/preferences";
import { go } from "../../app/route";
import { useStore } from "../../store/hooks";
import { hostText, t, tn } from "../../text";
import { visible } from "../../text/visible";
import { desktop } from "../../transport";
import { headline } from "../request/requestWords";

export function useNotifications() {
  const requests = useStore((state) => state.requests);
  const questions = useStore((state) => state.questions);
  const seen = useRef<Set<string> | undefined>(undefined);
  const waiting = requests.size + questions.size;
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) ${t("app.name")}` : t("app.name");
  }, [waiting]);
  useEffect(() => {
    const ids = new Set([...requests.keys(), ...questions.keys()]);
    const old = seen.current;
    seen.current = ids;
    // The desktop shell sends notifications, even while the page sleeps.
    if (desktop) return;
    // What was waiting when the page loaded is not new.
    if (!old || !document.hidden || !preferences().notify) return;
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    for (const id of ids) {
      if (old.has(id)) continue;
      const request = requests.get(id);
      const body = request ? headline(request) : hostText(questions.get(id)?.text ?? "");
      notify(tn("inbox.count", ids.size), visible(body).slice(0, 200), id);
    }
  }, [requests, questions]);
}

function notify(title: string, body: string, id: string) {
  try {
    const note = new Notification(title, { body, tag: id });
    note.onclick = () => {
      window.focus();
      go({ screen: "inbox", request: id });
      note.close();
    };
  } catch {
    // Browsers on phones have the class but refuse to construct it. The page's title shows the count.
  }
}
