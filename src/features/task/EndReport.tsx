/** What a task did according to Deputy's own record, next to the model's summary. */
import type { Report } from "../../protocol";
import { t, tn } from "../../text";
import { shortPath, visible } from "../../text/visible";

export function EndReport({ report }: { report: Report }) {
  const { files, calls, answers } = report;
  if (files.length + calls.length + answers.length === 0) return null;
  return (
    <details className="end-report small">
      <summary>{t("report.title")}</summary>
      <List title={tn("report.files", files.length + report.more_files)} items={files.map(shortPath)} />
      <List title={tn("report.calls", calls.length + report.earlier_calls)} items={calls.map(visible)} />
      <List title={t("report.answers")} items={answers.map(visible)} />
    </details>
  );
}

function List({ title, items }: { title: string; items: readonly string[] }) {
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
