/** The rail: links to the screens. On a phone it is at the bottom. */
import {
  Brain,
  ChartNoAxesColumn,
  FolderTree,
  Inbox,
  ListChecks,
  type LucideIcon,
  Settings,
  ShieldCheck,
  Smartphone,
} from "lucide-react";
import { lazy, Suspense } from "react";
import { useIsLocal, useMay, useStore } from "../store/hooks";
import { type Key, t } from "../text";
import { hrefOf, type Route } from "./route";
import { useMedia } from "./useMedia";

const RailMore = lazy(() => import("./RailMore"));

export interface Place {
  route: Route;
  words: Key;
  icon: LucideIcon;
}

const PLACES: readonly Place[] = [
  { route: { screen: "tasks" }, words: "nav.tasks", icon: ListChecks },
  { route: { screen: "inbox" }, words: "nav.inbox", icon: Inbox },
  { route: { screen: "files" }, words: "nav.files", icon: FolderTree },
  { route: { screen: "memory" }, words: "nav.memory", icon: Brain },
  { route: { screen: "rules" }, words: "nav.rules", icon: ShieldCheck },
  { route: { screen: "devices" }, words: "nav.devices", icon: Smartphone },
  { route: { screen: "usage" }, words: "nav.usage", icon: ChartNoAxesColumn },
  { route: { screen: "settings" }, words: "nav.settings", icon: Settings },
];

/** The number of places that a phone shows next to the menu with the others. */
const PHONE_PLACES = 4;

function isAt(route: Route, place: Place): boolean {
  if (place.route.screen === "tasks") return ["tasks", "task", "new"].includes(route.screen);
  return route.screen === place.route.screen;
}

export function Rail({ route }: { route: Route }) {
  const local = useIsLocal();
  const may = useMay("command");
  // Only the desktop pairs devices, and only clients that may start tasks may list folders.
  const hidden = new Set([...(local ? [] : ["devices"]), ...(may ? [] : ["files"])]);
  const places = PLACES.filter(({ route: { screen } }) => !hidden.has(screen));
  // A phone has room for five icons: four places and a menu with the others.
  const rest = places.slice(PHONE_PLACES);
  const isPhone = useMedia("(width < 700px)");
  const waiting = useStore((state) => state.requests.size + state.questions.size);
  return (
    <nav className="rail" aria-label={t("nav.main")}>
      <a className="rail-mark" href={hrefOf({ screen: "tasks" })} aria-label={t("app.name")} tabIndex={-1}>
        <Mark />
      </a>
      {places.map((place) => {
        const { icon: Icon } = place;
        const badge = place.route.screen === "inbox" && waiting > 0 ? waiting : 0;
        return (
          <a
            key={place.words}
            href={hrefOf(place.route)}
            aria-current={isAt(route, place) ? "page" : undefined}
            data-screen={place.route.screen}
            data-rest={rest.includes(place)}
            title={t(place.words)}
          >
            <Icon className="ic" aria-hidden="true" />
            <span>{t(place.words)}</span>
            {badge > 0 && <b className="badge">{badge > 99 ? "99+" : badge}</b>}
          </a>
        );
      })}
      {isPhone && (
        <Suspense fallback={null}>
          <RailMore places={rest} isAt={(place) => isAt(route, place)} />
        </Suspense>
      )}
    </nav>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="4.4" />
      <path d="M12 2.6v3M12 18.4v3M2.6 12h3M18.4 12h3M5.4 5.4l2.1 2.1M16.5 16.5l2.1 2.1M18.6 5.4l-2.1 2.1M7.5 16.5l-2.1 2.1" />
    </svg>
  );
}
