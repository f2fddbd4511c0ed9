/**
 * How long an approval lasts, and whether it covers similar commands. Keys 1 to 9 choose the duration, 0 toggles the
 * checkbox.
 */
import { useKeys } from "../../app/keys";
import type { Offer } from "../../protocol";
import { hostText, t } from "../../text";
import { visible } from "../../text/visible";
import { Segmented } from "../../ui/Segmented";
import { offerWords } from "./requestWords";

interface Props {
  offers: readonly Offer[];
  chosen: Offer;
  active: boolean;
  onChange(offer: Offer): void;
}

export function OfferPicker({ offers, chosen, active, onChange }: Props) {
  const lengths = [...new Set(offers.map(offerWords))];
  const of = (length: string | undefined, wider: boolean) =>
    offers.find((offer) => offerWords(offer) === length && offer.wider === wider);
  const length = offerWords(chosen);
  /** Picks the offer with this duration, as wide as the chosen one if possible. */
  const pick = (wanted: string | undefined) => {
    const offer = of(wanted, chosen.wider) ?? of(wanted, !chosen.wider);
    if (!offer) return false;
    onChange(offer);
    return true;
  };
  const other = of(length, !chosen.wider);
  const toggle = () => {
    if (!other) return false;
    onChange(other);
    return true;
  };
  useKeys({
    ...Object.fromEntries(
      lengths.slice(0, 9).map((each, place) => [String(place + 1), () => active && pick(each)]),
    ),
    "0": () => active && toggle(),
  });
  return (
    <div className="row wrap offer">
      <span className="offer-label">{t("request.for")}</span>
      <Segmented
        label={t("request.for")}
        value={length}
        options={lengths.map((each, place) => ({
          value: each,
          label: each,
          hint: `${visible(hostText((of(each, false) ?? of(each, true))?.label ?? ""))} (${place + 1})`,
        }))}
        onChange={pick}
      />
      {(other || chosen.wider) && (
        <label className="row small offer-wider">
          <input
            type="checkbox"
            checked={chosen.wider}
            disabled={!other}
            aria-keyshortcuts="0"
            onChange={toggle}
          />
          {t("request.for_wider")}
        </label>
      )}
    </div>
  );
}
