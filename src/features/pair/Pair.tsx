/**
 * The page that the QR code leads to: a name, the six digits and the desktop's confirmation. After that, this browser
 * is a paired device.
 */
import { Smartphone } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { ErrorBody, Phrase } from "../../protocol";
import { t } from "../../text";
import { visible } from "../../text/visible";
import { type Begun, claim, type Scanned } from "../../transport";
import { Empty } from "../../ui/Empty";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { useAction } from "../../ui/useAction";
import "./pair.css";

/** How often the page asks the host whether the desktop has confirmed. */
const LOOK_MS = 1_000;

type Word = "same" | "other" | undefined;

interface Props {
  scanned: Scanned;
  onDone(): void;
  /** Content to show before pairing begins. */
  more?: ReactNode;
}

export default function Pair({ scanned, onDone, more }: Props) {
  const [name, setName] = useState(t("pair.phone"));
  const [begun, setBegun] = useState<Begun>();
  const [word, setWord] = useState<Word>();
  const [over, setOver] = useState<Phrase>();
  const [error, setError] = useState<ErrorBody>();
  const start = useAction(async () => setBegun(await claim(scanned, name.trim())));
  useEffect(() => {
    if (!begun || word !== "same" || over !== undefined || error) return;
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      begun
        .finish()
        .then((stage) => {
          if (gone) return;
          if (stage.stage === "paired") onDone();
          else if (stage.stage === "over") setOver(stage.reason);
          else timer = setTimeout(look, LOOK_MS);
        })
        .catch((failure: unknown) => !gone && setError(bodyOf(failure)));
    };
    look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [begun, word, over, error, onDone]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) void start.run();
  };
  const failed = error ?? start.error;
  if (!window.isSecureContext) {
    return (
      <main className="pairing">
        <Empty icon={Smartphone} title={t("pair.title")}>
          {t("pair.insecure")}
        </Empty>
      </main>
    );
  }
  return (
    <main className="pairing" aria-live="polite">
      <h1>{t("pair.title")}</h1>
      {failed && <ErrorNote error={failed} />}
      {over !== undefined && (
        <p role="alert">
          {t("pair.over")}: <HostText text={over} />
        </p>
      )}
      {!begun && (
        <form className="pairing-form" onSubmit={submit}>
          <p className="muted">{t(scanned.at ? "pair.lead.app" : "pair.lead")}</p>
          {scanned.at && <p>{t("pair.at", { address: visible(scanned.at) })}</p>}
          <label>
            <span className="lbl">{t("pair.name")}</span>
            <input
              className="field"
              value={name}
              maxLength={60}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <button type="submit" className="btn primary" disabled={start.busy || !name.trim()}>
            {t("pair.start")}
          </button>
        </form>
      )}
      {!begun && more}
      {begun && over === undefined && !failed && (
        <>
          <p className="muted">{t(word === "other" ? "pair.differs" : "pair.compare")}</p>
          {word !== "other" && <p className="pairing-number">{begun.number}</p>}
          {word === undefined && (
            <div className="pairing-form">
              <button type="button" className="btn primary" onClick={() => setWord("same")}>
                {t("pair.same")}
              </button>
              <button type="button" className="btn deny" onClick={() => setWord("other")}>
                {t("pair.other")}
              </button>
            </div>
          )}
          {word === "same" && <p role="status">{t("pair.waits")}</p>}
        </>
      )}
    </main>
  );
}
