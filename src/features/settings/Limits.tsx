/** The limits after which a task stops or asks. An empty field means Deputy's default. */
import { useId, useState } from "react";
import type { Settings } from "../../protocol";
import { type Key, number, plainNumber, t, typedNumber } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { Line } from "./Line";
import { useDraft } from "./useDraft";
import { useChange } from "./useHostSettings";

interface Limit {
  /** The name of the setting in the file. */
  key: string;
  words: Key;
  hint?: Key;
  /** Whether it is collapsed, because it is rarely changed. */
  more?: true;
  /** The setting's own units per unit of the field. */
  unit: number;
  /** The smallest value, in units of the field. 0 if absent. */
  least?: number;
  value(settings: Settings): number;
}

const LIMITS: readonly Limit[] = [
  {
    key: "limits.max_iterations",
    words: "settings.limit.steps",
    hint: "settings.limit.zero",
    unit: 1,
    value: ({ choices }) => choices.limits.max_iterations,
  },
  {
    key: "limits.max_wall_secs",
    words: "settings.limit.minutes",
    hint: "settings.limit.minutes.hint",
    unit: 60,
    value: ({ choices }) => choices.limits.max_wall_secs,
  },
  {
    key: "limits.max_tokens",
    words: "settings.limit.tokens",
    hint: "settings.limit.zero",
    unit: 1,
    value: ({ choices }) => choices.limits.max_tokens,
  },
  {
    key: "limits.max_cost_cents",
    words: "settings.limit.cost",
    hint: "settings.limit.cost.hint",
    unit: 1,
    value: ({ choices }) => choices.limits.max_cost_cents,
  },
  {
    key: "limits.day_tokens",
    words: "settings.limit.day_tokens",
    hint: "settings.limit.day.hint",
    unit: 1,
    value: ({ choices }) => choices.limits.day_tokens,
  },
  {
    key: "limits.day_cost_cents",
    words: "settings.limit.day_cost",
    hint: "settings.limit.day.hint",
    unit: 1,
    value: ({ choices }) => choices.limits.day_cost_cents,
  },
  {
    key: "limits.request_expiry_secs",
    least: 0.01,
    words: "settings.limit.expiry",
    hint: "settings.limit.expiry.hint",
    unit: 3600,
    value: ({ choices }) => choices.limits.request_expiry_secs,
  },
  {
    key: "limits.brake_after",
    more: true,
    words: "settings.limit.brake",
    hint: "settings.limit.brake.hint",
    unit: 1,
    value: ({ choices }) => choices.limits.brake_after,
  },
  {
    key: "limits.command_default_secs",
    more: true,
    words: "settings.limit.command_default",
    hint: "settings.limit.command_default.hint",
    unit: 60,
    value: ({ choices }) => choices.limits.command_default_secs,
  },
  {
    key: "limits.command_secs",
    more: true,
    words: "settings.limit.command_most",
    hint: "settings.limit.minutes_zero",
    unit: 60,
    value: ({ choices }) => choices.limits.command_secs,
  },
  {
    key: "limits.command_output_mib",
    least: 1,
    more: true,
    words: "settings.limit.command_output",
    hint: "settings.limit.command_output.hint",
    unit: 1,
    value: ({ choices }) => choices.limits.command_output_mib,
  },
  {
    key: "limits.inference_tokens",
    more: true,
    words: "settings.limit.inference",
    hint: "settings.limit.inference.hint",
    unit: 1,
    value: ({ choices }) => choices.limits.inference_tokens,
  },
  {
    key: "limits.parallel_calls",
    least: 1,
    more: true,
    words: "settings.limit.parallel",
    hint: "settings.limit.parallel.hint",
    unit: 1,
    value: ({ choices }) => choices.limits.parallel_calls,
  },
  {
    key: "limits.background_commands",
    more: true,
    words: "settings.limit.background",
    unit: 1,
    value: ({ choices }) => choices.limits.background_commands,
  },
  {
    key: "limits.background_secs",
    more: true,
    words: "settings.limit.background_hours",
    unit: 3600,
    value: ({ choices }) => choices.limits.background_secs,
  },
  {
    key: "max_concurrent_tasks",
    least: 1,
    words: "settings.limit.tasks",
    unit: 1,
    value: (settings) => settings.max_concurrent_tasks,
  },
];

export function Limits({ settings }: { settings: Settings }) {
  const change = useChange();
  const line = (limit: Limit) => (
    <LimitLine
      key={limit.key}
      limit={limit}
      value={limit.value(settings)}
      save={(value) => change.run({ [limit.key]: value })}
    />
  );
  return (
    <section className="settings">
      <h2>{t("settings.limits")}</h2>
      {LIMITS.filter(({ more }) => !more).map(line)}
      <details className="settings-more">
        <summary>{t("settings.limits.more")}</summary>
        {LIMITS.filter(({ more }) => more).map(line)}
      </details>
      {settings.after_restart.includes("max_concurrent_tasks") && (
        <p className="muted small">{t("settings.restart")}</p>
      )}
      {change.error && <ErrorNote error={change.error} onDismiss={change.clear} />}
    </section>
  );
}

interface LineProps {
  limit: Limit;
  value: number;
  save(value: string | null): Promise<boolean>;
}

/** Returns why a text cannot be saved, if so. An empty text means Deputy's default. */
function problemOf(text: string, { unit, least = 0 }: Limit): string | undefined {
  if (text.trim() === "") return undefined;
  const typed = typedNumber(text);
  if (typed === undefined)
    return t("settings.limit.no_number", { example: plainNumber(unit === 1 ? 24 : 1.5) });
  if (unit === 1 && !Number.isInteger(typed)) return t("settings.limit.whole");
  return typed < least ? t("settings.limit.least", { least: number(least) }) : undefined;
}

function LimitLine({ limit, value, save }: LineProps) {
  const [said, setSaid] = useState<{ problem?: string | undefined; isSaved?: boolean }>({});
  const { text, edit, keep } = useDraft(plainNumber(value / limit.unit), async (text) => {
    const problem = problemOf(text, limit);
    setSaid({ problem });
    if (problem !== undefined) return false;
    const typed = typedNumber(text);
    const isSaved = await save(typed === undefined ? null : String(Math.round(typed * limit.unit)));
    setSaid({ isSaved });
    return isSaved;
  });
  const id = useId();
  return (
    <Line name={t(limit.words)} hint={limit.hint && t(limit.hint)} label>
      <span className="setting-control">
        <input
          className="field setting-number"
          inputMode="decimal"
          value={text}
          aria-label={t(limit.words)}
          aria-invalid={said.problem !== undefined}
          aria-describedby={id}
          onChange={(event) => {
            setSaid({});
            edit(event.target.value);
          }}
          onBlur={() => void keep()}
          onKeyDown={(event) => event.key === "Enter" && void keep()}
        />
        <span id={id} role="status" className={`small ${said.problem ? "setting-problem" : "muted"}`}>
          {said.problem ?? (said.isSaved && t("settings.saved"))}
        </span>
      </span>
    </Line>
  );
}
