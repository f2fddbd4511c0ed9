/** For how long a yes holds. Keys 1 to 9 choose. */
import { useKeys } from "../../app/keys";
import type { Offer } from "../../protocol";
import { t } from "../../text";
import { Segmented } from "../../ui/Segmented";
import { offerWords } from "./requestWords";

interface Props {
  offers: readonly Offer[];
  chosen: Offer;
  active: boolean;
  onChange(offer: Offer): void;
}

export function OfferPicker({ offers, chosen, active, onChange }: Props) {
  const pick = (place: number) => {
    const offer = offers[place];
    if (!active || !offer) return false;
    onChange(offer);
    return true;
  };
  useKeys(Object.fromEntries(offers.slice(0, 9).map((_, place) => [String(place + 1), () => pick(place)])));
  return (
    <div className="row wrap offer">
      <span className="offer-label">{t("request.for")}</span>
      <Segmented
        label={t("request.for")}
        value={String(offers.indexOf(chosen))}
        options={offers.map((offer, place) => ({
          value: String(place),
          label: offerWords(offer),
          hint: `${offer.label} (${place + 1})`,
        }))}
        onChange={(place) => pick(Number(place)) || onChange(offers[Number(place)] ?? chosen)}
      />
    </div>
  );
}
