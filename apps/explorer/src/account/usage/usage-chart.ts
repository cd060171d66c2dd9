import { h, svg } from "../dom.ts";
import { dayName } from "../months.ts";
import { roughUnits, unitsOf } from "./unit-text.ts";
import type { UsageBars } from "./usage-bars.ts";

/** Units of the view box per day, of which a bar takes some. */
const DAY = 10;
const BAR = 7;
const HEIGHT = 100;
/** A day with any units at all is seen. */
const LEAST_HEIGHT = 1;

/** Units by day: bars in SVG, which stretches, and labels in HTML, which do not. */
export function usageChart({ bars, top, pace }: UsageBars, summary: string): HTMLElement {
  const width = bars.length * DAY;
  const y = (part: number): number => HEIGHT * (1 - part);
  const hasPace = pace !== undefined && pace <= top;
  const chart = svg(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": summary },
    [0, 0.5, 1].map((part) => svg("line", { class: "grid", x1: 0, x2: width, y1: y(part), y2: y(part) })),
    bars.map(({ date, units, height }, i) => {
      if (units === 0) return undefined;
      const drawn = Math.max(LEAST_HEIGHT, height * HEIGHT);
      return svg(
        "rect",
        { class: "bar", x: i * DAY + (DAY - BAR) / 2, y: HEIGHT - drawn, width: BAR, height: drawn },
        svg("title", {}, `${dayName(date)}: ${unitsOf(units)}`),
      );
    }),
    hasPace && svg("line", { class: "pace", x1: 0, x2: width, y1: y(pace / top), y2: y(pace / top) }),
  );
  const days = [1, 8, 15, 22, 29].filter((day) => day <= bars.length);
  return h(
    "figure",
    { class: "usage-chart" },
    h(
      "div",
      { class: "axis-units", "aria-hidden": "true" },
      [top, top / 2, 0].map((value) => h("span", {}, roughUnits(value))),
    ),
    chart,
    h(
      "div",
      { class: "axis-days", "data-days": bars.length, "aria-hidden": "true" },
      days.map((day) => h("span", {}, String(day))),
    ),
    pace !== undefined &&
      h(
        "figcaption",
        { class: "quiet" },
        hasPace && h("span", { class: "pace-sample", "aria-hidden": "true" }),
        `Spent evenly, the month's limit is about ${roughUnits(pace)} units a day.`,
      ),
  );
}
