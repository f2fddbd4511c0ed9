/** What a person chooses on this phone, which device it is, and how to take it out of the host. */
import { Appearance } from "../../../src/features/settings/Appearance";
import { HostFacts } from "../../../src/features/settings/HostFacts";
import { Notifications } from "../../../src/features/settings/Notifications";
import { t } from "../../../src/text";
import { phoneApp } from "../../../src/transport";
import { InApp } from "./InApp";
import { ThisDevice } from "./ThisDevice";
import "../../../src/features/settings/settings.css";

export default function Settings() {
  return (
    <>
      <header className="phone-head">
        <h1>{t("settings.title")}</h1>
      </header>
      <div className="phone-scroll phone-settings">
        <ThisDevice />
        {phoneApp && <InApp />}
        <Notifications />
        <Appearance />
        <HostFacts />
      </div>
    </>
  );
}
