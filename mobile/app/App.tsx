/** The phone's frame: one screen, and a bar for the thumb below it. */

import { FolderTree, House, type LucideIcon, Plus, Settings as SettingsIcon } from "lucide-react";
import { useEffect } from "react";
import { PageGuard } from "../../src/app/PageGuard";
import { usePreferences } from "../../src/app/preferences";
import { hrefOf, type Route, useRoute } from "../../src/app/route";
import { useNotifications } from "../../src/features/inbox/useNotifications";
import { useMay, useStore } from "../../src/store/hooks";
import { type Key, t, tn } from "../../src/text";
import { dropDevice } from "../../src/transport";
import { AwayBar } from "./AwayBar";
import { Home } from "./Home";
import { forgetLast } from "./last";
import { lazily } from "./lazily";
import { PairByCode } from "./pair/PairByCode";

const Waiting = lazily(() => import("./request/Waiting"));
const Task = lazily(() => import("./task/TaskPage"));
const NewTask = lazily(() => import("./task/NewTask"));
const Files = lazily(() => import("./FilesPage"));
const Settings = lazily(() => import("./settings/Settings"));

function Screen({ route }: { route: Route }) {
  switch (route.screen) {
    case "task":
      return <Task key={route.task} id={route.task} />;
    case "inbox":
      return <Waiting key={route.request ?? ""} id={route.request} />;
    case "new":
      return <NewTask />;
    case "files":
      return <Files />;
    case "settings":
      return <Settings />;
    default:
      return <Home />;
  }
}

interface Place {
  route: Route;
  words: Key;
  icon: LucideIcon;
}

/** The host does not know this device, or not any more. */
const GONE: ReadonlySet<string> = new Set(["revoked", "unknown_device"]);

const PLACES: readonly Place[] = [
  { route: { screen: "tasks" }, words: "phone.nav.home", icon: House },
  { route: { screen: "new" }, words: "phone.nav.new", icon: Plus },
  { route: { screen: "files" }, words: "nav.files", icon: FolderTree },
  { route: { screen: "settings" }, words: "nav.settings", icon: SettingsIcon },
];

export function App() {
  usePreferences();
  useNotifications();
  const route = useRoute();
  const mayCommand = useMay("command");
  const waiting = useStore((state) => state.requests.size + state.questions.size);
  const link = useStore((state) => state.link);
  const isNoDevice = link.is === "refused" && link.error.code !== "protocol";
  useEffect(() => {
    if (!isNoDevice) return;
    // What a revoked device knew of the host, and the keys that open nothing any more, are not kept on it.
    forgetLast();
    if (GONE.has(link.error.code)) void dropDevice().catch(() => {});
  }, [isNoDevice, link]);
  if (isNoDevice) {
    return <PairByCode refused={link.error} onScanned={() => window.location.reload()} />;
  }
  // What a thumb decides on has the whole screen; a task has its own line to write on.
  const hasBar = route.screen !== "inbox" && route.screen !== "task";
  const places = PLACES.filter(
    ({ route: { screen } }) => mayCommand || (screen !== "new" && screen !== "files"),
  );
  return (
    <div className="phone" data-screen={route.screen}>
      <p className="sr" role="status">
        {waiting > 0 && tn("inbox.count", waiting)}
      </p>
      <main className="phone-page">
        <AwayBar />
        <PageGuard key={hrefOf(route)}>
          <Screen route={route} />
        </PageGuard>
      </main>
      {hasBar && (
        <nav className="phone-bar" aria-label={t("nav.main")}>
          {places.map(({ route: to, words, icon: Icon }) => (
            <a key={words} href={hrefOf(to)} aria-current={to.screen === route.screen ? "page" : undefined}>
              <Icon className="ic" aria-hidden="true" />
              <span>{t(words)}</span>
              {to.screen === "tasks" && waiting > 0 && (
                <b className="badge">{waiting > 99 ? "99+" : waiting}</b>
              )}
            </a>
          ))}
        </nav>
      )}
    </div>
  );
}
