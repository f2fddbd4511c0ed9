/** How names shall look: as they are, or by one of three conventions, each shown by a name that is there. */
import type { ConventionCard } from "../../protocol";
import { number, t } from "../../text";
import { visible } from "../../text/visible";

interface Props {
  cards: readonly ConventionCard[];
  chosen: string | null;
  onChoose(pattern: string | null): void;
}

export function Conventions({ cards, chosen, onChoose }: Props) {
  if (cards.length === 0) return null;
  return (
    <fieldset className="conventions">
      <legend className="lbl">{t("files.names")}</legend>
      <label className="convention card" data-chosen={chosen === null}>
        <input type="radio" name="convention" checked={chosen === null} onChange={() => onChoose(null)} />
        <span className="convention-head">{t("files.names.keep")}</span>
        <span className="muted small">{t("files.names.keep.more")}</span>
      </label>
      {cards.map((card) => (
        <label key={card.pattern} className="convention card" data-chosen={chosen === card.pattern}>
          <input
            type="radio"
            name="convention"
            checked={chosen === card.pattern}
            onChange={() => onChoose(card.pattern)}
          />
          <span className="convention-head mono">{visible(card.pattern)}</span>
          <span className="mono small convention-example">
            <s>{visible(card.before)}</s> {visible(card.after)}
          </span>
          <span className="muted small">
            {t("files.names.follow", { n: number(card.matches), of: number(card.files) })}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
