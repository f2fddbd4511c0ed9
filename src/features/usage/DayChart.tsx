/** A bar chart by day, drawn by uPlot in the page's colors. A table has the same values for screen readers. */
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { isDark, usePreferences } from "../../app/preferences";
import { date } from "../../text";
import type { Usage } from "./usage";

const HEIGHT = 190;

interface Props {
  days: Usage["days"];
  /** The unit of the bars. */
  value: "tokens" | "money";
  words(value: number): string;
  caption: string;
}

export function DayChart({ days, value, words, caption }: Props) {
  const place = useRef<HTMLDivElement>(null);
  usePreferences();
  const theme = isDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: colors and words follow what was chosen
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
        scales: { x: { time: true }, y: { range: (_, __, most) => [0, (most || 1) * 1.08] } },
        axes: [
          { ...axis, grid: { show: false }, values: (_, ticks) => ticks.map((at) => shortDay(at * 1000)) },
          { ...axis, size: 64, values: (_, ticks) => ticks.map(words) },
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
      [days.map((day) => day.at / 1000), days.map((day) => day[value])],
      element,
    );
    const watch = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      chart.destroy();
    };
  }, [days, theme, value]);
  return (
    <>
      <div ref={place} aria-hidden="true" className="day-chart" />
      <table className="sr">
        <caption>{caption}</caption>
        <tbody>
          {days
            .filter((day) => day[value] > 0)
            .map((day) => (
              <tr key={day.at}>
                <th scope="row">{date(day.at)}</th>
                <td>{words(day[value])}</td>
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
