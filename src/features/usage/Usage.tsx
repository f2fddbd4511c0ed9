/** The cost of the models: tokens and money by day, by model and by task. */
import { ChartNoAxesColumn } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { hrefOf } from "../../app/route";
import type { UsageAnswer } from "../../protocol";
import { useAnswer, useStore } from "../../store/hooks";
import { compact, money, number, t } from "../../text";
import { visible } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { Empty } from "../../ui/Empty";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { Segmented } from "../../ui/Segmented";
import { Skeleton } from "../../ui/Skeleton";
import { useThrottled } from "../../ui/useThrottled";
import { DayChart } from "./DayChart";
import { firstDay, type Named, type Sum, usageOf } from "./usage";
import "./usage.css";

const DAYS = 30;
/** The minimum interval between reloads while tasks run. */
const EVERY_MS = 5_000;

type Unit = "tokens" | "money";

export default function Usage() {
  const now = useNow();
  const [since] = useState(() => firstDay(DAYS, now));
  const { answer, error, reload } = useAnswer({ query: "usage", since_ms: since }, "usage");
  const spent = useThrottled(
    useStore((state) => [...state.tasks.values()].reduce((sum, task) => sum + task.tokens, 0)),
    EVERY_MS,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each plan changes the sums
  useEffect(() => {
    if (answer) void reload();
  }, [spent]);
  const usage = useMemo(() => answer && usageOf(answer, DAYS, now), [answer, now]);
  const [wanted, setUnit] = useState<Unit>("tokens");
  const priced = answer?.rows.some((row) => row.cost_micros !== null) ?? false;
  const unit = priced ? wanted : "tokens";
  const currency = answer?.currency ?? "";
  const words = (sum: Sum) => (unit === "money" ? money(sum.money, currency) : compact(sum.tokens));
  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>{t("usage.title")}</h1>
          <p className="muted small">{t("usage.lead", { days: DAYS })}</p>
        </div>
        {priced && (
          <Segmented<Unit>
            label={t("usage.unit")}
            value={unit}
            options={[
              { value: "tokens", label: t("usage.total") },
              { value: "money", label: t("usage.money") },
            ]}
            onChange={setUnit}
          />
        )}
      </header>
      <div className="page-body">
        {error !== undefined && <ErrorNote error={bodyOf(error)} />}
        {!usage && error === undefined && <Skeleton lines={6} label={t("link.connecting")} />}
        {usage?.total.tokens === 0 && (
          <Empty icon={ChartNoAxesColumn} title={t("usage.empty")}>
            {t("usage.empty.more")}
          </Empty>
        )}
        {usage && usage.total.tokens > 0 && (
          <div className="column usage">
            <div className="figures">
              <Figure name={t("usage.total")}>{compact(usage.total.tokens)}</Figure>
              {priced && <Figure name={t("usage.money")}>{money(usage.total.money, currency)}</Figure>}
              <Figure name={t("usage.tasks")}>{number(usage.tasks)}</Figure>
              <Figure name={t("usage.mean")}>{compact(usage.total.tokens / usage.tasks)}</Figure>
              {usage.cached > 0 && <Figure name={t("usage.cached")}>{compact(usage.cached)}</Figure>}
              {usage.thoughts > 0 && <Figure name={t("usage.thoughts")}>{compact(usage.thoughts)}</Figure>}
            </div>
            {answer && <Today today={answer.today} currency={currency} />}
            {usage.unpriced.length > 0 && (
              <p className="muted small">
                {t("usage.unpriced", { models: usage.unpriced.map(visible).join(", ") })}
              </p>
            )}
            <section>
              <h2 className="lbl">{t(unit === "money" ? "usage.chart.money" : "usage.chart")}</h2>
              <DayChart
                days={usage.days}
                value={unit}
                words={(value) => (unit === "money" ? money(value, currency) : compact(value))}
                caption={t(unit === "money" ? "usage.chart.money" : "usage.chart")}
              />
            </section>
            <Bars name={t("usage.by_model")} sums={usage.byModel} unit={unit} words={words} />
            <Bars name={t("usage.by_task")} sums={usage.byTask} unit={unit} words={words} />
          </div>
        )}
      </div>
    </>
  );
}

/** What today's tasks have spent, if there is a daily limit. */
function Today({ today, currency }: { today: UsageAnswer["today"]; currency: string }) {
  const spent = [
    ...(today.max_tokens > 0 ? [`${compact(today.tokens)} / ${compact(today.max_tokens)}`] : []),
    ...(today.max_cost_cents > 0
      ? [`${money(today.cost_micros / 1_000_000, currency)} / ${money(today.max_cost_cents / 100, currency)}`]
      : []),
  ];
  if (spent.length === 0) return null;
  return <p className="muted small">{t("usage.today", { spent: spent.join(" · ") })}</p>;
}

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <p className="lbl">{name}</p>
      <p className="figure">{children}</p>
    </div>
  );
}

interface BarsProps {
  name: string;
  sums: readonly (Named & { task?: string })[];
  unit: Unit;
  words(sum: Sum): string;
}

function Bars({ name, sums, unit, words }: BarsProps) {
  const sorted = sums.toSorted((a, b) => b[unit] - a[unit]);
  const longest = sorted[0]?.[unit] || 1;
  return (
    <section>
      <h2 className="lbl">{name}</h2>
      <ul className="bars">
        {sorted.map((sum) => (
          <li key={sum.task ?? sum.name}>
            <span className="row">
              {sum.task ? (
                <a className="grow clip" href={hrefOf({ screen: "task", task: sum.task })}>
                  {visible(sum.name)}
                </a>
              ) : (
                <span className="grow clip">{visible(sum.name)}</span>
              )}
              <span className="muted">
                {unit === "money" && sum.unpriced === sum.tokens ? t("usage.no_price") : words(sum)}
              </span>
            </span>
            <span className="bar" aria-hidden="true">
              <span style={{ inlineSize: `${Math.max(1, (100 * sum[unit]) / longest)}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
