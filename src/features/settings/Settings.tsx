/** The settings: backends and limits, appearance and language, notifications, and facts about the host. */
import { useIsLocal } from "../../store/hooks";
import { t } from "../../text";
import { desktop } from "../../transport";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { Appearance } from "./Appearance";
import { AtLogin } from "./AtLogin";
import { Backends } from "./Backends";
import { Doctor } from "./Doctor";
import { HostFacts } from "./HostFacts";
import { Limits } from "./Limits";
import { Notifications } from "./Notifications";
import { SettingsContext, useHostSettings } from "./useHostSettings";
import { WebSearch } from "./WebSearch";
import "./settings.css";

export default function Settings() {
  const local = useIsLocal();
  return (
    <>
      <header className="page-head">
        <h1>{t("settings.title")}</h1>
      </header>
      <div className="page-body">
        <div className="column">
          {local ? (
            <OfHost />
          ) : (
            <>
              <Appearance />
              <Notifications />
            </>
          )}
          {desktop && <AtLogin desktop={desktop} />}
          <HostFacts />
        </div>
      </div>
    </>
  );
}

/** The settings that only the host's own user can see and change. */
function OfHost() {
  const settings = useHostSettings();
  const { answer, error } = settings;
  return (
    <SettingsContext value={settings}>
      {error !== undefined && <ErrorNote error={bodyOf(error)} />}
      {!answer && error === undefined && <Skeleton lines={6} label={t("settings.loading")} />}
      {answer && (
        <>
          <Backends settings={answer} />
          <WebSearch settings={answer} />
          <Limits settings={answer} />
        </>
      )}
      <Notifications channels={answer?.notify} restart={answer?.after_restart.includes("notify") ?? false} />
      <Appearance />
      <Doctor />
    </SettingsContext>
  );
}
