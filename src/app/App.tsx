/** The window: the rail, the list, the page and the overlays. */
import { Direction } from "radix-ui";
import { lazy, Suspense, useEffect, useState } from "react";
// Not loaded lazily: keys typed while the palette loads would go to the page below it.
import { Palette } from "../features/help/Palette";
import { useNotifications } from "../features/inbox/useNotifications";
import { NewTask } from "../features/tasks/NewTask";
import { NoTask } from "../features/tasks/NoTask";
import { TaskList } from "../features/tasks/TaskList";
import { useIsLocal, useMay, useStore } from "../store/hooks";
import { t, tn } from "../text";
import { Skeleton } from "../ui/Skeleton";
import { importConversation, useImporting } from "./importing";
import { LinkBanner } from "./LinkBanner";
import { Locked } from "./Locked";
import { PageGuard } from "./PageGuard";
import { isDark, setPreferences, usePreferences } from "./preferences";
import { Rail } from "./Rail";
import { remember } from "./remember";
import { go, hrefOf, type Route, useRoute } from "./route";
import { screenCode } from "./screenCode";
import { useShortcuts } from "./shortcuts";
import "./app.css";

// Most people open these screens next, so they are fetched soon after the first screen; see `prefetch`.
const task = () => screenCode(import("../features/task/Task"));
const inbox = () => screenCode(import("../features/inbox/Inbox"));
const Task = lazy(() => task().then((module) => ({ default: module.Task })));
const Inbox = lazy(() => inbox().then((module) => ({ default: module.Inbox })));
const Files = lazy(() => screenCode(import("../features/files/Files")));
const Memory = lazy(() => screenCode(import("../features/memory/Memory")));
const Rules = lazy(() => screenCode(import("../features/rules/Rules")));
const Devices = lazy(() => screenCode(import("../features/devices/Devices")));
const Usage = lazy(() => screenCode(import("../features/usage/Usage")));
const Settings = lazy(() => screenCode(import("../features/settings/Settings")));
const ImportConversation = lazy(() => screenCode(import("../features/tasks/ImportConversation")));
const Help = lazy(() => screenCode(import("../features/help/Help")));

function Page({ route }: { route: Route }) {
  switch (route.screen) {
    case "tasks":
      return <NoTask />;
    case "new":
      return <NewTask />;
    case "task":
      return <Task key={route.task} id={route.task} />;
    case "inbox":
      return <Inbox chosen={route.request} />;
    case "files":
      return <Files />;
    case "memory":
      return <Memory />;
    case "rules":
      return <Rules />;
    case "devices":
      return <Devices />;
    case "usage":
      return <Usage />;
    case "settings":
      return <Settings />;
  }
}

/** Fetches the code of the next screens when the browser is idle. */
function prefetch() {
  const begin = () => void Promise.all([task(), inbox()]).catch(() => {});
  // Not every browser has `requestIdleCallback`.
  if ("requestIdleCallback" in window) window.requestIdleCallback(begin);
  else setTimeout(begin, 200);
}

export function App() {
  usePreferences();
  useEffect(prefetch, []);
  useNotifications();
  const route = useRoute();
  const locked = useStore(({ link }) => link.is === "refused" && link.error.code !== "protocol");
  const waiting = useStore((state) => state.requests.size + state.questions.size);
  const [above, setAbove] = useState<"help" | "palette">();
  const [importing, endImport] = useImporting();
  const mayCommand = useMay("command");
  const local = useIsLocal();
  const hasList = route.screen === "tasks" || route.screen === "new" || route.screen === "task";
  const dark = isDark();
  useShortcuts({
    new: mayCommand && (() => go({ screen: "new" })),
    tasks: () => go({ screen: "tasks" }),
    inbox: () => go({ screen: "inbox" }),
    files: mayCommand && (() => go({ screen: "files" })),
    memory: () => go({ screen: "memory" }),
    rules: () => go({ screen: "rules" }),
    devices: local && (() => go({ screen: "devices" })),
    usage: () => go({ screen: "usage" }),
    settings: () => go({ screen: "settings" }),
    remember: mayCommand && remember,
    importConversation: local && importConversation,
    help: () => setAbove("help"),
    palette: () => setAbove("palette"),
    light: dark && (() => setPreferences({ theme: "light" })),
    dark: !dark && (() => setPreferences({ theme: "dark" })),
  });
  if (locked) return <Locked />;
  return (
    <Direction.Provider dir={document.documentElement.dir === "rtl" ? "rtl" : "ltr"}>
      <div className="app" data-list={hasList} data-screen={route.screen}>
        <a className="skip btn" href={hrefOf(route)} onClick={skip}>
          {t("nav.skip")}
        </a>
        <Rail route={route} />
        <p className="sr" role="status">
          {waiting > 0 && tn("inbox.count", waiting)}
        </p>
        {hasList && <TaskList chosen={route.screen === "task" ? route.task : undefined} />}
        <main className="page" id="page" tabIndex={-1}>
          <LinkBanner />
          <PageGuard key={hrefOf(route)}>
            <Suspense fallback={<Skeleton lines={8} label={t("page.loading")} />}>
              <Page route={route} />
            </Suspense>
          </PageGuard>
        </main>
        <Suspense fallback={null}>
          {importing && local && <ImportConversation onClose={endImport} />}
          {above === "help" && <Help onClose={() => setAbove(undefined)} />}
        </Suspense>
        {above === "palette" && <Palette onClose={() => setAbove(undefined)} />}
      </div>
    </Direction.Provider>
  );
}

function skip(event: { preventDefault(): void }) {
  event.preventDefault();
  document.getElementById("page")?.focus();
}
