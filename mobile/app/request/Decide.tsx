/** The deciding buttons, in the thumb's reach. A high risk takes a word; nothing is sent that the host cannot confirm. */
import { CloudOff } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { useDraft } from "../../../src/app/drafts";
import { FirstAnswer, firstOffer } from "../../../src/features/request/FirstAnswer";
import { allowWords } from "../../../src/features/request/requestWords";
import { answerHere } from "../../../src/features/request/Unsent";
import type { Choice, Offer, PermissionRequest } from "../../../src/protocol";
import { useHost } from "../../../src/store/hooks";
import { t } from "../../../src/text";
import { phoneApp } from "../../../src/transport";
import { ConfirmWord } from "../../../src/ui/ConfirmWord";
import { ErrorNote } from "../../../src/ui/ErrorNote";
import { useAction } from "../../../src/ui/useAction";
import { useReadAgain } from "./useReadAgain";

/** Buttons that have just appeared take no tap: it was meant for what was there before. */
const SETTLE_MS = 400;

interface Props {
  request: PermissionRequest;
  offer: Offer | undefined;
  dropped: readonly string[];
}

export function Decide({ request, offer, dropped }: Props) {
  const { client } = useHost();
  const reading = useReadAgain(request);
  const [isSettled, setSettled] = useState(false);
  /** Which answer in words is being typed. */
  const [typing, setTyping] = useState<"change" | "deny">();
  const [undelivered, setUndelivered] = useState(false);
  const [words, setWords] = useDraft(`deny.${request.id}`);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const answer = useAction(async (choice: Choice) => {
    setUndelivered(false);
    const by = { by: "local", screen: client.screen } as const;
    const { id, digest } = request;
    await answerHere(id, async () => {
      await client.command({ command: "answer_permission", answer: { request: id, digest, choice, by } });
      setWords("");
    });
  });
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
  const isBlocked = !isSettled || answer.busy || reading === "reading" || reading === "changed";
  // Not sent, or not confirmed: either way nobody knows of it yet, and it has to be given again.
  const isUnsent = answer.error?.code === "not_sent";
  // It stays after the connection is back, in other words, until an answer is given.
  useEffect(() => {
    if (isUnsent) setUndelivered(true);
  }, [isUnsent]);
  return (
    <div className="phone-decision">
      {undelivered && (
        <div className="phone-undelivered" role="alert">
          <CloudOff className="ic" aria-hidden="true" />
          <p className="grow">{t(reading === "away" ? "phone.undelivered" : "phone.undelivered.back")}</p>
        </div>
      )}
      {answer.error && !undelivered && <ErrorNote error={answer.error} onDismiss={answer.clear} />}
      {reading === "reading" && <p role="status">{t("phone.reading")}</p>}
      {reading === "changed" && <p role="alert">{t("phone.changed")}</p>}
      {typing ? (
        <form className="col phone-deny" onSubmit={send}>
          <textarea
            className="field"
            rows={2}
            value={words}
            onChange={(event) => setWords(event.target.value)}
            placeholder={t(typing === "change" ? "request.change.words" : "request.deny.reason")}
            aria-label={t(typing === "change" ? "request.change.words" : "request.deny.reason")}
            // biome-ignore lint/a11y/noAutofocus: the field appears because it was asked for
            autoFocus
          />
          <div className="row">
            <button type="button" className="btn" onClick={() => setTyping(undefined)}>
              {t("request.cancel")}
            </button>
            {typing === "change" ? (
              <button type="submit" className="btn primary grow" disabled={isBlocked || !words.trim()}>
                {t("request.change.send")}
              </button>
            ) : (
              <button type="submit" className="btn deny grow" disabled={isBlocked}>
                {t("request.deny.send")}
              </button>
            )}
          </div>
        </form>
      ) : (
        <>
          {first && (
            <FirstAnswer
              request={request.id}
              offer={first}
              disabled={isBlocked}
              onAllow={() => give(first, [])}
            />
          )}
          {request.risk === "high" ? (
            <ConfirmWord key={request.id} disabled={isBlocked || !offer} onConfirm={allow}>
              <span>
                {allowWords(request, offer, dropped.length)}
                {phoneApp && <span className="phone-then">{t("phone.confirm.then")}</span>}
              </span>
            </ConfirmWord>
          ) : (
            <button
              type="button"
              className={first ? "btn" : "btn primary"}
              onClick={allow}
              disabled={isBlocked || !offer}
            >
              {allowWords(request, offer, dropped.length)}
            </button>
          )}
          <div className="row phone-in-words">
            <button type="button" className="btn" onClick={() => setTyping("change")} disabled={isBlocked}>
              {t("request.change")}
            </button>
            <button type="button" className="btn deny" onClick={() => setTyping("deny")} disabled={isBlocked}>
              {t("request.deny")}
            </button>
          </div>
        </>
      )}
    </div>
  );
}
