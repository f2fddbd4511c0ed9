/** Fixes a model that fails: a dialog for its key or settings, then the model is asked again. */
import { t } from "../../text";
import { Dialog } from "../../ui/Dialog";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { BackendForm } from "./BackendForm";
import { CheckResult, useCheck } from "./CheckResult";
import { KeyDialog } from "./KeyDialog";
import { SettingsContext, useHostSettings } from "./useHostSettings";
import "./settings.css";

interface Props {
  backend: string;
  what: "key" | "model";
  /** Called after it was saved. */
  onSaved(): void;
  onClose(): void;
}

export default function FixModel({ backend: name, what, onSaved, onClose }: Props) {
  const settings = useHostSettings();
  const backend = settings.answer?.backends.find((each) => each.name === name);
  return (
    <SettingsContext value={settings}>
      {backend && what === "key" ? (
        <KeyDialog backend={backend} onSaved={onSaved} onClose={onClose} />
      ) : (
        <Dialog title={t("question.model.change")} onClose={onClose}>
          <div className="dialog-body col">
            {settings.error !== undefined && <ErrorNote error={bodyOf(settings.error)} />}
            {!backend && settings.error === undefined && <Skeleton lines={3} label={t("settings.loading")} />}
            {backend && <Change backend={backend} onSaved={onSaved} onClose={onClose} />}
          </div>
        </Dialog>
      )}
    </SettingsContext>
  );
}

type Backend = Parameters<typeof BackendForm>[0]["backend"];

function Change({ backend, onSaved, onClose }: Omit<Props, "backend" | "what"> & { backend: Backend }) {
  const check = useCheck(backend.name);
  return (
    <>
      <BackendForm
        backend={backend}
        models={check.result?.models ?? []}
        onDone={() => {
          onSaved();
          onClose();
        }}
      />
      <div className="row">
        <button type="button" className="btn" disabled={check.busy} onClick={() => void check.run()}>
          {t(check.busy ? "settings.check.busy" : "question.model.list")}
        </button>
      </div>
      <CheckResult check={check} model={backend.model} />
    </>
  );
}
