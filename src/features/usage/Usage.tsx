/** What the models cost: tokens by day, by backend, by task. */
import { ChartNoAxesColumn } from "lucide-react";
import { useMemo } from "react";
import { hrefOf } from "../../app/route";
import { useStore } from "../../store/hooks";
import { compact, number, t } from "../../text";
import { visible } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { Empty } from "../../ui/Empty";
import { Skeleton } from "../../ui/Skeleton";
import { DayChart } from "./DayChart";
import { usageOf } from "./usage";
import "./usage.css";

const DAYS = 30;

export default function Usage() {
  const tasks = useStore((state) => state.tasks);
  const known = useStore((state) => state.tasksKnown);
  const now = useNow();
  const usage = useMemo(() => usageOf(tasks.values(), DAYS, now), [tasks, now]);
  const most = usage.byTask[0]?.tokens ?? 1;
  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>{t("usage.title")}</h1>
          <p className="muted small">{t("usage.lead", { days: DAYS })}</p>
        </div>
      </header>
      <div className="page-body">
        {!known && <Skeleton lines={6} label={t("link.connecting")} />}
        {known && usage.tokens === 0 && (
          <Empty icon={ChartNoAxesColumn} title={t("usage.empty")}>
            {t("usage.empty.more")}
          </Empty>
        )}
        {known && usage.tokens > 0 && (
          <div className="column usage">
            <div className="figures">
              <Figure name={t("usage.total")}>{compact(usage.tokens)}</Figure>
              <Figure name={t("usage.tasks")}>{number(usage.tasks)}</Figure>
              <Figure name={t("usage.mean")}>{compact(usage.tokens / usage.tasks)}</Figure>
            </div>
            <section>
              <h2 className="lbl">{t("usage.chart")}</h2>
              <DayChart days={usage.days} />
            </section>
            <section>
              <h2 className="lbl">{t("usage.by_backend")}</h2>
              <ul className="bars">
                {usage.byBackend.map(({ name, tokens }) => (
                  <Bar key={name} name={visible(name)} tokens={tokens} of={usage.tokens} />
                ))}
              </ul>
            </section>
            <section>
              <h2 className="lbl">{t("usage.by_task")}</h2>
              <ul className="bars">
                {usage.byTask.map((task) => (
                  <Bar
                    key={task.id}
                    name={visible(task.goal)}
                    tokens={task.tokens}
                    of={most}
                    href={hrefOf({ screen: "task", task: task.id })}
                  />
                ))}
              </ul>
            </section>
          </div>
        )}
      </div>
    </>
  );
}

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <p className="lbl">{name}</p>
      <p className="figure">{children}</p>
    </div>
  );
}

function Bar({ name, tokens, of, href }: { name: string; tokens: number; of: number; href?: string }) {
  return (
    <li>
      <span className="row">
        {href ? (
          <a className="grow clip" href={href}>
            {name}
          </a>
        ) : (
          <span className="grow clip">{name}</span>
        )}
        <span className="muted">{compact(tokens)}</span>
      </span>
      <span className="bar" aria-hidden="true">
        <span style={{ inlineSize: `${Math.max(1, (100 * tokens) / of)}%` }} />
      </span>
    </li>
  );
}
