/**
 * The review of a drafted plan: conventions, both trees or the table, what is left unchanged, and the button to
 * approve it.
 */
import { useEffect, useMemo, useRef, useState } from "react";
import { useShortcuts } from "../../app/shortcuts";
import type { DraftAnswer, ErrorBody, OrganizeOperation, ScanDrafted } from "../../protocol";
import { useHost } from "../../store/hooks";
import { bytes, hostText, number, t, tn } from "../../text";
import { baseName, visible } from "../../text/visible";
import { ConfirmWord } from "../../ui/ConfirmWord";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { Kbd } from "../../ui/Kbd";
import { Segmented } from "../../ui/Segmented";
import { Skeleton } from "../../ui/Skeleton";
import { useAction } from "../../ui/useAction";
import { asked, USUAL } from "../tasks/ComposeOptions";
import { WORKSPACE_ALONE } from "../tasks/scope";
import { Conventions } from "./Conventions";
import type { Organising } from "./draft";
import { Operations } from "./Operations";
import { PathNotes } from "./PathNotes";
import { planWords } from "./planWords";
import { Tree } from "./Tree";
import { forests } from "./tree";

interface Props {
  state: Organising;
  found: ScanDrafted;
  draft: string;
  change(part: Partial<Organising>): void;
  /** Whether the plan was made again because another convention was chosen. */
  renamed: boolean;
  onConvention(pattern: string | null): void;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a screen's state and its markup
export function Review({ state, found, draft, change, renamed, onConvention }: Props) {
  const { client } = useHost();
  const [view, setView] = useState<"trees" | "table">("trees");
  const [whole, setWhole] = useState<readonly OrganizeOperation[]>();
  const [tried, setTried] = useState<DraftAnswer>();
  const [error, setError] = useState<ErrorBody>();
  const { dropped, edited } = state;
  useEffect(() => {
    let gone = false;
    const query = { query: "draft", draft, without: dropped, edited } as const;
    client
      .query(query, "draft")
      .then((answer) => {
        if (gone) return;
        setTried(answer);
        setError(undefined);
        // All operations, including those left out, so that they can be restored.
        if (dropped.length === 0) setWhole(answer.plan.operations);
      })
      .catch((failure: unknown) => !gone && setError(bodyOf(failure)));
    return () => {
      gone = true;
    };
  }, [client, draft, dropped, edited]);
  useEffect(() => {
    if (whole || dropped.length === 0) return;
    client.query({ query: "draft", draft, without: [], edited: [] }, "draft").then(
      (answer) => setWhole(answer.plan.operations),
      () => {},
    );
  }, [client, draft, dropped, whole]);

  const left = useMemo(() => new Set(dropped), [dropped]);
  const shown = useMemo(() => {
    const mine = new Map(edited.map((operation) => [operation.id, operation]));
    return whole?.map((operation) => mine.get(operation.id) ?? operation);
  }, [whole, edited]);
  const trees = useMemo(
    () => tried?.trees && forests(tried.plan.scope, tried.trees, tried.plan.operations),
    [tried],
  );
  // As for any request, a high-risk plan is approved by typing a word.
  const high = tried?.plan.operations.some(({ risk }) => risk === "high") ?? false;
  const submit = useAction(async () => {
    if (!tried) return;
    const kept = await client.command({ command: "keep_draft", draft, without: dropped, edited });
    if (kept.outcome !== "draft_kept") return;
    const { scope } = tried.plan;
    const [workspace = "", ...others] = scope;
    const names = scope.map(baseName).join(", ");
    const outcome = await client.command({
      command: "start",
      // The same goal as from `deputy organize`: the draft's id names the plan, and the host asks before it runs the
      // plan.
      goal: `Tidy up ${names}: apply the plan ${kept.draft}`,
      workspace,
      ...asked(USUAL),
      profile: "organizer",
      backend: "offline",
      session: null,
      after: null,
      scope: {
        ...WORKSPACE_ALONE,
        read: others,
        write: others.length > 0 ? [...scope] : [],
      },
    });
    if (outcome.outcome === "started")
      change({ task: outcome.task.id, call: null, approved: kept.draft, confirmed: high });
  });
  const ready = tried !== undefined && tried.problems.length === 0 && tried.plan.operations.length > 0;
  const confirmation = useRef<HTMLInputElement>(null);
  useShortcuts({
    approve: (event) => {
      if (event?.repeat || !ready || submit.busy) return false;
      if (high) confirmation.current?.focus();
      else void submit.run();
      return true;
    },
    view: () => setView(view === "trees" ? "table" : "trees"),
  });
  const failed = error ?? submit.error;
  if (!tried && !failed) return <Skeleton lines={8} label={t("files.trying")} />;
  return (
    <div className="review">
      {failed && <ErrorNote error={failed} />}
      <Conventions
        cards={found.conventions}
        chosen={state.convention}
        focus={renamed}
        onChoose={onConvention}
      />
      {tried && (
        <>
          <div className="row wrap review-bar">
            <h2 className="grow">{planWords(tried.plan.operations)}</h2>
            <Segmented<"trees" | "table">
              label={t("files.view")}
              value={view}
              options={[
                { value: "trees", label: t("files.view.trees") },
                { value: "table", label: t("files.view.table") },
              ]}
              onChange={setView}
            />
          </div>
          {tried.problems.length > 0 && (
            <p className="review-problems" role="alert">
              {tn("files.problems", tried.problems.length)}{" "}
              {tried.problems
                .filter(({ operation }) => !shown?.some(({ id }) => id === operation))
                .map(({ text }) => visible(hostText(text)))
                .join("; ")}
            </p>
          )}
          {view === "trees" && trees && (
            <div className="trees">
              <Tree title={t("files.before")} forest={trees.before} />
              <Tree title={t("files.after")} forest={trees.after} />
            </div>
          )}
          {view === "trees" && !trees && <p className="muted">{t("files.trees.none")}</p>}
          {view === "table" && shown && (
            <Operations
              scope={tried.plan.scope}
              operations={shown}
              dropped={left}
              notes={tried.notes}
              problems={tried.problems}
              onDrop={(id, drop) =>
                change({ dropped: drop ? [...dropped, id] : dropped.filter((each) => each !== id) })
              }
              onEdit={(operation) =>
                change({ edited: [...edited.filter(({ id }) => id !== operation.id), operation] })
              }
            />
          )}
        </>
      )}
      <Aside found={found} />
      <div className="row wrap review-foot">
        {high ? (
          <ConfirmWord
            disabled={!ready || submit.busy}
            field={confirmation}
            onConfirm={() => void submit.run()}
          >
            {t("request.allow_plan")}
          </ConfirmWord>
        ) : (
          <button
            type="button"
            className="btn primary"
            onClick={() => void submit.run()}
            disabled={!ready || submit.busy}
            aria-keyshortcuts="Enter"
          >
            {t("request.allow_plan")}
            <Kbd of="approve" />
          </button>
        )}
        <span className="muted small">{t("files.submit.more")}</span>
      </div>
    </div>
  );
}

/** What the scan found, and what stays unchanged. */
function Aside({ found }: { found: ScanDrafted }) {
  const { left_out } = found;
  const out = (["hidden", "special", "unnameable", "unreadable"] as const).filter(
    (each) => left_out[each] > 0,
  );
  return (
    <div className="col review-aside">
      <p className="muted small">
        {tn("files.looked", found.files, { size: bytes(found.bytes) })}
        {found.copies > 0 && ` · ${tn("files.copies", found.copies)}`}
        {out.map((each) => ` · ${t(`files.out.${each}`, { n: number(left_out[each]) })}`)}
      </p>
      {found.too_many > 0 && <p className="small operation-note">{tn("files.too_many", found.too_many)}</p>}
      {found.left_alone_count > 0 && (
        <details>
          <summary className="small">{tn("files.alone", found.left_alone_count)}</summary>
          <PathNotes notes={found.left_alone} />
        </details>
      )}
    </div>
  );
}
