/**
 * The buttons under a request, and their keys: Enter approves (at high risk it goes to the field for the word), E asks
 * for a change, D denies with a reason.
 * A key answers only a card that has been seen whole. Otherwise it scrolls to the rest of the card.
 */
import { type FormEvent, useEffect, useRef, useState } from "react";
import { disarmKeys, useArmed } from "../../app/armed";
import { useDraft } from "../../app/drafts";
import { useKeys } from "../../app/keys";
import { useShortcuts } from "../../app/shortcuts";
import type { Choice, Offer, PermissionRequest } from "../../protocol";
import { useHost } from "../../store/hooks";
import { t } from "../../text";
import { ConfirmWord } from "../../ui/ConfirmWord";
import { ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { useAction } from "../../ui/useAction";
import { FirstAnswer, FirstAnswerNote, firstOffer } from "./FirstAnswer";
import { useSeen } from "./inView";
import { allowWords } from "./requestWords";
import { answerHere, isAnsweredHere } from "./Unsent";

/** A new card ignores keys for this long: they were meant for the previous content. */
const SETTLE_MS = 500;

interface Props {
  request: PermissionRequest;
  offer: Offer | undefined;
  /** The calls that an approval leaves out. */
  dropped: readonly string[];
  active: boolean;
  onDone: (() => void) | undefined;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a screen's state and its markup
export function Decision({ request, offer, dropped, active, onDone }: Props) {
  const { client, store } = useHost();
  const armed = useArmed();
  // The line keeps its place: the press that arms the keys must not move the button under the pointer.
  const wasDisarmed = useRef(false);
  if (active && !armed) wasDisarmed.current = true;
  /** Which answer in words is being typed. */
  const [typing, setTyping] = useState<"change" | "deny">();
  const [words, setWords] = useDraft(`deny.${request.id}`);
  /** Where the word for a high risk is typed. */
  const confirmation = useRef<HTMLInputElement>(null);
  const since = useRef(performance.now());
  const high = request.risk === "high";
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted from when this card takes the keys
  useEffect(() => {
    since.current = performance.now();
  }, [active, request.id]);

  const answer = useAction(async (choice: Choice) => {
    const by = { by: "local", screen: client.screen } as const;
    const { id, digest } = request;
    await answerHere(id, async () => {
      await client.command({ command: "answer_permission", answer: { request: id, digest, choice, by } });
      setWords("");
    });
    onDone?.();
  });
  useEffect(() => {
    if (!active) return;
    const { id } = request;
    return () => {
      if (!store.get().requests.has(id) && !isAnsweredHere(id)) disarmKeys();
    };
  }, [active, request, store]);
  const give = ({ lifetime, wider }: Offer, without: readonly string[]) =>
    void answer.run({ choice: "allow", lifetime, wider, dropped: [...without] });
  const allow = () => offer && give(offer, dropped);
  // It would also allow what is left out.
  const first = dropped.length === 0 ? firstOffer(request) : undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    const [reason, change] = [words.trim(), typing === "change"];
    if (reason || !change) void answer.run({ choice: "deny", reason, change });
  };
  const buttons = useRef<HTMLDivElement>(null);
  /** The end of the card's own content. */
  const end = useRef<HTMLSpanElement>(null);
  const { isSeen } = useSeen(end);
  const ready = () => active && armed && performance.now() - since.current > SETTLE_MS;
  const seen = () => {
    if (buttons.current && isSeen(buttons.current)) return true;
    // Starts the delay again, as for a new card.
    since.current = performance.now();
    return false;
  };
  const type = (answer: "change" | "deny") => (event?: KeyboardEvent) => {
    if (event && !armed) return true;
    // An action from the palette is deliberate, so it needs no delay.
    if (event && !ready()) return false;
    if (!event || seen()) setTyping(answer);
    return true;
  };
  useShortcuts({
    approve: (event) => {
      if (active && !armed) return true;
      if (!ready() || event?.repeat || typing) return false;
      if (!seen()) return true;
      if (high) confirmation.current?.focus();
      else allow();
      return true;
    },
    firstAnswer: (event) => {
      if (active && !armed) return true;
      if (!first || !ready() || event?.repeat || typing) return false;
      if (seen()) give(first, []);
      return true;
    },
    change: active && type("change"),
    deny: active && type("deny"),
  });
  useKeys({
    escape: () => {
      if (!typing) return false;
      setTyping(undefined);
      return true;
    },
  });
  return (
    <>
      {first && <FirstAnswerNote request={request.id} offer={first} />}
      <span ref={end} className="decision-end" aria-hidden="true" />
      <div className="decision" ref={buttons}>
        {wasDisarmed.current && (
          <p className="muted small" role="status" data-armed={armed}>
            {t("request.disarmed")}
          </p>
        )}
        {answer.error && <ErrorNote error={answer.error} onDismiss={answer.clear} />}
        {typing ? (
          <form className="row deny-form" onSubmit={send}>
            <input
              className="field"
              value={words}
              onChange={(event) => setWords(event.target.value)}
              onKeyDown={(event) => event.key === "Escape" && setTyping(undefined)}
              placeholder={t(typing === "change" ? "request.change.words" : "request.deny.reason")}
              aria-label={t(typing === "change" ? "request.change.words" : "request.deny.reason")}
              // biome-ignore lint/a11y/noAutofocus: the field appears because it was asked for
              autoFocus
            />
            {typing === "change" ? (
              <button type="submit" className="btn primary" disabled={answer.busy || !words.trim()}>
                {t("request.change.send")}
                <Kbd>⏎</Kbd>
              </button>
            ) : (
              <button type="submit" className="btn deny" disabled={answer.busy}>
                {t("request.deny.send")}
                <Kbd>⏎</Kbd>
              </button>
            )}
            <button type="button" className="btn ghost" onClick={() => setTyping(undefined)}>
              {t("request.cancel")}
            </button>
          </form>
        ) : (
          <div className="row decision-buttons">
            {first && (
              <FirstAnswer
                request={request.id}
                offer={first}
                disabled={answer.busy}
                onAllow={() => give(first, [])}
              />
            )}
            {high ? (
              <ConfirmWord
                key={request.id}
                disabled={answer.busy || !offer}
                field={confirmation}
                onConfirm={allow}
              >
                {allowWords(request, offer, dropped.length)}
              </ConfirmWord>
            ) : (
              <button
                type="button"
                className={first ? "btn" : "btn primary"}
                onClick={allow}
                disabled={answer.busy || !offer}
                aria-keyshortcuts="Enter"
              >
                {allowWords(request, offer, dropped.length)}
                <Kbd of="approve" />
              </button>
            )}
            <button
              type="button"
              className="btn"
              onClick={() => setTyping("change")}
              disabled={answer.busy}
              aria-keyshortcuts="e"
            >
              {t("request.change")}
              <Kbd of="change" />
            </button>
            <button
              type="button"
              className="btn ghost deny"
              onClick={() => setTyping("deny")}
              disabled={answer.busy}
              aria-keyshortcuts="d"
            >
              {t("request.deny")}
              <Kbd of="deny" />
            </button>
          </div>
        )}
      </div>
    </>
  );
}
