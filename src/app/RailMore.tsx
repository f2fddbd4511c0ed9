/** A menu with the places that have no icon in the rail of a phone. */
import { Ellipsis } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { t } from "../text";
import type { Place } from "./Rail";
import { go } from "./route";

interface Props {
  places: readonly Place[];
  isAt(place: Place): boolean;
}

export default function RailMore({ places, isAt }: Props) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="rail-more" data-current={places.some(isAt)}>
        <Ellipsis className="ic" aria-hidden="true" />
        <span>{t("nav.more")}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={8}>
          {places.map((place) => {
            const { icon: Icon } = place;
            return (
              <DropdownMenu.Item key={place.words} onSelect={() => go(place.route)}>
                <Icon className="ic" aria-hidden="true" />
                {t(place.words)}
              </DropdownMenu.Item>
            );
          })}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
