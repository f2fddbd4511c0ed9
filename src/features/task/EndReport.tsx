/** What a task did according to Deputy's own record, next to the model's summary. */
import type { ReactNode } from "react";
import type { ChangedFile, LastingChanges, Report } from "../../protocol";
import { useStore } from "../../store/hooks";
import { number, t, tn } from "../../text";
import { pathIn, visible } from "../../text/visible";

/** How many folders with build output are named. */
const MOST_FOLDERS = 3;

export function EndReport({ report, task }: { report: Report; task: string }) {
  const workspace = useStore((state) => state.tasks.get(task)?.workspace ?? "");
  const { changed, moved, built, commits, branches, lasting, calls, answers } = report;
  const lines = [
    moved > 0 && tn("report.moved", moved),
    built.length > 0 && t("report.built", { folders: builtWords(report, workspace) }),
    branches.length > 0 && t("report.branches", { names: branches.map(visible).join(", ") }),
    ...(lasting ? lastingLines(lasting, workspace) : []),
  ].filter((line) => line !== false);
  if (changed.length + lines.length + commits.length + calls.length + answers.length === 0) return null;
  return (
    <details className="end-report small">
      <summary>{t("report.title")}</summary>
      <List
        title={tn("report.files", changed.length + report.more_files)}
        items={changed.map((file) => <FileLine key={file.path} file={file} workspace={workspace} />)}
      />
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <List
        title={tn("report.commits", commits.length + report.more_commits)}
        items={commits.map(({ id, subject }) => (
          <span key={id}>
            <code>{id}</code> {visible(subject)}
          </span>
        ))}
      />
      <List title={tn("report.calls", calls.length + report.earlier_calls)} items={calls.map(visible)} />
      <List title={t("report.answers")} items={answers.map(visible)} />
    </details>
  );
}

/** A changed file with the lines that were added and removed. */
function FileLine({ file: { path, deed, lines }, workspace }: { file: ChangedFile; workspace: string }) {
  return (
    <>
      <code>{pathIn(workspace, path)}</code>
      {deed !== "changed" && <span className="muted"> {t(`report.deed.${deed}`)}</span>}
      {lines && lines.added > 0 && <span className="diff-added"> +{number(lines.added)}</span>}
      {lines && lines.removed > 0 && <span className="diff-removed"> −{number(lines.removed)}</span>}
    </>
  );
}

/** What may matter after the task, a line for each kind. */
function lastingLines(lasting: LastingChanges, workspace: string): string[] {
  const { references, run_later: runLater, links_out: links } = lasting;
  const names = references.map((name) => visible(name.replace(/^refs\/(heads\/|tags\/|remotes\/)?/, "")));
  const files = runLater.map((path) => pathIn(workspace, path));
  const outward = links.map(({ path, target }) => `${pathIn(workspace, path)} → ${visible(target)}`);
  return [
    ...(names.length > 0 ? [t("report.references", { names: names.join(", ") })] : []),
    ...(files.length > 0 ? [t("report.run-later", { names: files.join(", ") })] : []),
    ...(outward.length > 0 ? [t("report.links-out", { names: outward.join(", ") })] : []),
  ];
}

function builtWords({ built }: Report, workspace: string): string {
  const rest = built.slice(MOST_FOLDERS);
  const named = built
    .slice(0, MOST_FOLDERS)
    .map(({ folder, files }) =>
      t("report.built.in", { files: number(files), folder: pathIn(workspace, folder) }),
    );
  if (rest.length > 0) {
    const files = rest.reduce((sum, folder) => sum + folder.files, 0);
    named.push(tn("report.built.more", rest.length, { files: number(files) }));
  }
  return named.join(", ");
}

function List({ title, items }: { title: string; items: readonly ReactNode[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <p className="lbl">{title}</p>
      <ul>
        {items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same call may have been made twice, and the list never changes
          <li key={place}>{item}</li>
        ))}
      </ul>
    </>
  );
}
