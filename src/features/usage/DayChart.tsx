/** Bars by day, drawn by uPlot in the page's own colours; a table says the same to screen readers. */
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { usePreferences } from "../../app/preferences";
import { compact, date, number, t } from "../../text";
import type { Usage } from "./usage";

const HEIGHT = 190;

export function DayChart({ days }: { days: Usage["days"] }) {
  const place = useRef<HTMLDivElement>(null);
  const look = usePreferences();
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours and words follow what was chosen
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const font = `11px ${colour("--font")}`;
    const axis = {
      stroke: colour("--ink3"),
      font,
      ticks: { show: false },
      grid: { stroke: colour("--line"), width: 1 },
    };
    const bars = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.15 });
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: true }, y: { range: (_, __, most) => [0, Math.max(most, 1) * 1.08] } },
        axes: [
          { ...axis, grid: { show: false }, values: (_, ticks) => ticks.map((at) => shortDay(at * 1000)) },
          { ...axis, size: 48, values: (_, ticks) => ticks.map(compact) },
        ],
        series: [
          {},
          {
            fill: colour("--accent"),
            stroke: colour("--accent"),
            width: 0,
            ...(bars && { paths: bars }),
            points: { show: false },
          },
        ],
      },
      [days.map((day) => day.at / 1000), days.map((day) => day.tokens)],
      element,
    );
    const watch = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
  }, [days, look]);
  return (
    <>
      <div ref={place} aria-hidden="true" className="day-chart" />
      <table className="sr">
        <caption>{t("usage.chart")}</caption>
        <tbody>
          {days
            .filter((day) => day.tokens > 0)
            .map((day) => (
              <tr key={day.at}>
                <th scope="row">{date(day.at)}</th>
                <td>{number(day.tokens)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}

function shortDay(at: number): string {
  return new Intl.DateTimeFormat(document.documentElement.lang, { day: "numeric", month: "short" }).format(
    at,
  );
}
