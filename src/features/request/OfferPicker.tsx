/** For how long a yes holds, and whether for more than exactly this. Keys 1 to 9 choose. */
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
  const pick = (place: number) => {
    const offer = offers[place];
    if (!active || !offer) return false;
    onChange(offer);
    return true;
  };
  useKeys(Object.fromEntries(offers.slice(0, 9).map((_, place) => [String(place + 1), () => pick(place)])));
  const row = (label: string, wider: boolean) => {
    const shown = offers
      .map((offer, place) => ({ offer, place }))
      .filter(({ offer }) => offer.wider === wider);
    return (
      shown.length > 0 && (
        <div className="row wrap offer">
          <span className="offer-label">{label}</span>
          <Segmented
            label={label}
            value={String(offers.indexOf(chosen))}
            options={shown.map(({ offer, place }) => ({
              value: String(place),
              label: offerWords(offer),
              hint: `${visible(hostText(offer.label))} (${place + 1})`,
            }))}
            onChange={(place) => pick(Number(place)) || onChange(offers[Number(place)] ?? chosen)}
          />
        </div>
      )
    );
  };
  return (
    <>
      {row(t("request.for"), false)}
      {row(t("request.for_wider"), true)}
    </>
  );
}
