/** The limits after which a task stops or asks. An empty field means Deputy's default. */
import type { Settings } from "../../protocol";
import { type Key, t } from "../../text";
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

function LimitLine({ limit, value, save }: LineProps) {
  const { text, edit, keep } = useDraft(String(Math.round(value / limit.unit)), (text) =>
    save(text === "" ? null : String(Number.parseInt(text, 10) * limit.unit)),
  );
  return (
    <Line name={t(limit.words)} hint={limit.hint && t(limit.hint)} label>
      <input
        className="field setting-number"
        inputMode="numeric"
        value={text}
        onChange={(event) => edit(event.target.value.replace(/\D/g, "").slice(0, 9))}
        onBlur={() => void keep()}
        onKeyDown={(event) => event.key === "Enter" && void keep()}
      />
    </Line>
  );
}
