/** Organizing folders: pick, scan, review the plan, approve it, watch it run, undo it. */
import { FolderSearch, FolderTree } from "lucide-react";
import { useRef, useState } from "react";
import type { ErrorBody, OrganizeBy } from "../../protocol";
import { useHost, useMay } from "../../store/hooks";
import { number, t } from "../../text";
import { Empty } from "../../ui/Empty";
import { ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { useAction } from "../../ui/useAction";
import { useOrganising } from "./draft";
import { FolderPicker } from "./FolderPicker";
import { JobsList } from "./JobsList";
import { OwnWords } from "./OwnWords";
import { Review } from "./Review";
import { Run } from "./Run";
import { useJobs } from "./useJobs";
import { useScan } from "./useScan";
import "./files.css";

const BY: readonly OrganizeBy[] = ["everything", "kind", "date", "project", "content", "duplicates", "names"];

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a screen's state and its markup
export default function Files() {
  const { client } = useHost();
  // A phone that may only answer requests sees the jobs, but not the folders of the computer.
  const may = useMay("command");
  const [state, change, reset] = useOrganising();
  const list = useJobs(null, state.task !== null);
  const { stage, error } = useScan(may ? state.scan : null);
  const renamed = useRef(false);
  const [typed, setTyped] = useState<string>();
  const folders = typed && !state.folders.includes(typed) ? [...state.folders, typed] : state.folders;
  const recent = (list.jobs ?? []).flatMap(({ scope }) => scope);
  const scans = folders.length === 0 && state.words.trim() === "";
  const scan = useAction(async (convention: string | null, folders: readonly string[]) => {
    const { by } = state;
    const begun = await client.command({ command: "start_scan", folders: [...folders], by, convention });
    if (begun.outcome !== "scan_started") return;
    change({
      folders: [...folders],
      convention,
      scan: begun.scan,
      dropped: [],
      edited: [],
      task: null,
      call: null,
    });
  });
  const stop = useAction(async () => {
    if (state.scan) await client.command({ command: "stop_scan", scan: state.scan });
    change({ scan: null });
  });
  const failed: ErrorBody | undefined =
    scan.error ?? stop.error ?? error ?? (stage?.stage === "failed" ? stage.error : undefined);
  const picking = state.task === null && (state.scan === null || failed !== undefined);
  const drafted = stage?.stage === "drafted" ? stage : undefined;
  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>{t("files.title")}</h1>
          <p className="muted small">{t("files.lead")}</p>
        </div>
        {!picking && may && (
          <button type="button" className="btn" onClick={reset}>
            {t("files.other")}
          </button>
        )}
      </header>
      <div className="page-body">
        <div className="files">
          {failed && <ErrorNote error={failed} />}
          {(picking || state.task !== null) && <JobsList list={list} which="interrupted" />}
          {may && picking && (
            <form
              className="files-pick"
              onSubmit={(event) => {
                event.preventDefault();
                renamed.current = false;
                void scan.run(null, folders);
              }}
            >
              <FolderPicker
                folders={state.folders}
                recent={recent}
                onChange={(folders) => change({ folders })}
                onTyped={setTyped}
                onEnter={() => folders.length > 0 && void scan.run(null, folders)}
                scans={scans}
                onSuggested={(folder) => {
                  renamed.current = false;
                  if (scans) void scan.run(null, [folder]);
                  else change({ folders: [...state.folders, folder] });
                }}
              />
              <div className="row wrap files-by" hidden={state.words.trim() !== ""}>
                <label className="row">
                  <span className="muted">{t("files.by")}</span>
                  <select
                    className="field"
                    value={state.by}
                    onChange={(event) => change({ by: event.target.value as OrganizeBy })}
                  >
                    {BY.map((by) => (
                      <option key={by} value={by}>
                        {t(`files.by.${by}`)}
                      </option>
                    ))}
                  </select>
                </label>
                <button type="submit" className="btn primary" disabled={folders.length === 0 || scan.busy}>
                  <FolderSearch className="ic" aria-hidden="true" />
                  {t("files.scan")}
                </button>
              </div>
              <OwnWords folders={folders} words={state.words} onWords={(words) => change({ words })} />
            </form>
          )}
          {may && !picking && state.task === null && !drafted && (
            <div className="card run-card" aria-live="polite">
              <h2>{t("files.scanning")}</h2>
              {stage?.stage === "comparing" ? (
                <progress value={stage.done} max={stage.total} aria-label={t("files.scanning")} />
              ) : (
                <progress aria-label={t("files.scanning")} />
              )}
              <p className="muted small">
                {stage?.stage === "comparing"
                  ? t("files.comparing", { n: number(stage.done), of: number(stage.total) })
                  : t("files.looking", { n: number(stage?.stage === "looking" ? stage.files : 0) })}
              </p>
              <button type="button" className="btn" onClick={() => void stop.run()}>
                {t("files.stop")}
              </button>
            </div>
          )}
          {may && state.task === null && drafted?.draft && (
            <Review
              key={drafted.draft}
              state={state}
              found={drafted}
              draft={drafted.draft}
              change={change}
              renamed={renamed.current}
              onConvention={(pattern) => {
                renamed.current = true;
                void scan.run(pattern, state.folders);
              }}
            />
          )}
          {may && state.task === null && drafted && !drafted.draft && (
            <Empty icon={FolderTree} title={t("files.tidy")}>
              {t("files.tidy.more", { n: number(drafted.files) })}
            </Empty>
          )}
          {state.task !== null && (
            <Run task={state.task} state={state} change={change} onAgain={reset} onJobs={list.look} />
          )}
          {!list.jobs && !list.error && !may && <Skeleton lines={3} label={t("link.connecting")} />}
          {(picking || state.task !== null) && <JobsList list={list} which="others" />}
        </div>
      </div>
    </>
  );
}
