/**
 * The choice of a naming convention: unchanged names or one of three conventions, each with an example from the
 * folder.
 */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { ConventionCard } from "../../protocol";
import { number, t } from "../../text";
import { visible } from "../../text/visible";

interface Props {
  cards: readonly ConventionCard[];
  chosen: string | null;
  /** Whether to restore the focus to the chosen convention, after the plan was made again for it. */
  focus: boolean;
  onChoose(pattern: string | null): void;
}

export function Conventions({ cards, chosen, focus, onChoose }: Props) {
  // The arrow keys move through the cards. The folders are only scanned again once a card is confirmed.
  const [wanted, setWanted] = useState(chosen);
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (focus) group.current?.querySelector<HTMLElement>("input:checked")?.focus();
  }, [focus]);
  if (cards.length === 0) return null;
  const choose = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== chosen) onChoose(wanted);
  };
  return (
    <form className="col naming" onSubmit={choose}>
      <fieldset className="conventions" ref={group}>
        <legend className="lbl">{t("files.names")}</legend>
        <Card chosen={wanted === null} onChoose={() => setWanted(null)}>
          <span className="convention-head">{t("files.names.keep")}</span>
          <span className="muted small">{t("files.names.keep.more")}</span>
        </Card>
        {cards.map((card) => (
          <Card key={card.pattern} chosen={wanted === card.pattern} onChoose={() => setWanted(card.pattern)}>
            <span className="convention-head mono">{visible(card.pattern)}</span>
            <span className="mono small convention-example">
              <s>{visible(card.before)}</s> {visible(card.after)}
            </span>
            <span className="muted small">
              {t("files.names.follow", { n: number(card.matches), of: number(card.files) })}
            </span>
          </Card>
        ))}
      </fieldset>
      {wanted !== chosen && (
        <button type="submit" className="btn primary naming-use">
          {t("files.names.use")}
        </button>
      )}
    </form>
  );
}

function Card({ chosen, onChoose, children }: { chosen: boolean; onChoose(): void; children: ReactNode }) {
  return (
    <label className="convention card" data-chosen={chosen}>
      <input type="radio" name="convention" checked={chosen} onChange={onChoose} />
      {children}
    </label>
  );
}
