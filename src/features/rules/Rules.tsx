/** What may run: a command to try, the remembered approvals and denials, and the rules in the file. */
import { useCallback, useEffect, useState } from "react";
import type { ErrorBody, Grant, GrantRule, Lifetime } from "../../protocol";
import { useHost, useIsLocal, useMay, useStore } from "../../store/hooks";
import { clock, date, hostText, t } from "../../text";
import { shortPath, visible } from "../../text/visible";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { useAction } from "../../ui/useAction";
import { OwnRules } from "./OwnRules";
import type { Editing } from "./RuleForm";
import { TryCommand } from "./TryCommand";
import "./rules.css";

function ruleWords(rule: GrantRule): { words: string; after?: string } {
  switch (rule.kind) {
    case "call":
      return { words: visible(hostText(rule.summary)) };
    case "argv":
      return rule.prefix
        ? { words: visible(rule.argv.join(" ")), after: t("rules.anything") }
        : { words: visible(rule.argv.join(" ")) };
    case "path": {
      const words = t(`rules.${rule.operation}`, { path: shortPath(rule.path) });
      if (!rule.below) return { words };
      return { words, after: t(rule.commits ? "rules.below_and_commits" : "rules.below") };
    }
    case "folder":
      return { words: t("rules.folder", { path: shortPath(rule.path) }) };
    case "origin":
      return { words: visible(rule.origin) };
  }
}

function lifetimeWords(lifetime: Lifetime, expires: number | null): string {
  if (lifetime.for === "minutes")
    return t("rules.for.minutes", { time: expires === null ? "" : clock(expires) });
  return t(`rules.for.${lifetime.for === "names" ? "once" : lifetime.for}`);
}

export default function Rules() {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const [grants, setGrants] = useState<readonly Grant[]>();
  const [error, setError] = useState<ErrorBody>();
  const load = useCallback(() => {
    client
      .query({ query: "grants" }, "grants")
      .then((answer) => setGrants(answer.grants))
      .catch((failure: unknown) => setError(bodyOf(failure)));
  }, [client]);
  useEffect(() => {
    if (online) load();
  }, [online, load]);
  const revoke = useAction(async (grant: string) => {
    await client.command({ command: "revoke_grant", grant });
    load();
  });
  const local = useIsLocal();
  const mayAnswer = useMay("approve");
  const failed = error ?? revoke.error;
  const [editing, setEditing] = useState<Editing>();
  /** The number of changes made here. The tried command is evaluated again after each. */
  const [changes, setChanges] = useState(0);
  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>{t("rules.title")}</h1>
          <p className="muted small">{t("rules.lead")}</p>
        </div>
      </header>
      <div className="page-body">
        <div className="column rules">
          {local && <TryCommand changes={changes} onRule={(rule) => setEditing({ rule })} />}
          <section>
            <h2>{t("rules.remembered")}</h2>
            {failed && <ErrorNote error={failed} />}
            {!grants && !failed && <Skeleton lines={5} label={t("link.connecting")} />}
            {grants?.length === 0 && (
              <p className="muted">
                {t("rules.empty")}. {t("rules.empty.more")}
              </p>
            )}
            {grants && grants.length > 0 && (
              <ul className="grants">
                {grants.map((grant) => (
                  <GrantLine
                    key={grant.id}
                    grant={grant}
                    busy={revoke.busy}
                    onRevoke={mayAnswer ? () => void revoke.run(grant.id) : undefined}
                  />
                ))}
              </ul>
            )}
          </section>
          {local && (
            <OwnRules
              editing={editing}
              onEdit={setEditing}
              onChange={() => setChanges((count) => count + 1)}
            />
          )}
        </div>
      </div>
    </>
  );
}

function GrantLine({
  grant,
  busy,
  onRevoke,
}: {
  grant: Grant;
  busy: boolean;
  onRevoke: (() => void) | undefined;
}) {
  const { words, after } = ruleWords(grant.rule);
  const allows = grant.decision === "allow";
  return (
    <li className="grant">
      <span className={`pill plain ${allows ? "run" : "high"}`}>
        {t(allows ? "rules.allow" : "rules.deny")}
      </span>
      <div className="grow">
        <p>
          <span className="mono">{words}</span> {after && <span className="muted">{after}</span>}
        </p>
        <p className="muted small">
          {t("request.in")} <span className="mono">{shortPath(grant.workspace)}</span> ·{" "}
          {lifetimeWords(grant.lifetime, grant.expires_at_ms)} · {t("rules.given")}{" "}
          {date(grant.created_at_ms)}
        </p>
      </div>
      {onRevoke && (
        <button
          type="button"
          className="btn"
          onClick={onRevoke}
          disabled={busy}
          aria-label={`${t("rules.revoke")}: ${words}`}
        >
          {t("rules.revoke")}
        </button>
      )}
    </li>
  );
}
