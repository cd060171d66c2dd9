import { elementWith, type XmlElement, xmlDocument } from "@swath/web/xml";
import { scaleLinear, scaleUtc } from "d3-scale";
import { type ChartLine, type ChartSpan, lineMarks, lineNames, spanMarks } from "./lines.ts";
import { textOutline, textWidth } from "./text.ts";

/** A value at a time, or a time without one. */
export interface ChartPoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** `null`: every pixel is masked or missing. */
  readonly value: number | null;
  /** Name of the sensor: points of one name have one color. */
  readonly name: string;
}

/** Texts and ends of a chart. */
export interface ChartOptions {
  readonly title: string;
  /** A second line under the title. */
  readonly subtitle: string;
  /** Ends of the time axis, milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Credit lines, under the chart in small type. */
  readonly credit: string;
  /** Drawn over the values, such as a smoothed curve. */
  readonly lines?: readonly ChartLine[];
  /** Shaded behind the values, such as seasons. */
  readonly spans?: readonly ChartSpan[];
  /** Whether values of each name are a curve of their own; default: all are of one. */
  readonly curves?: "one" | "by-name";
}

/** Pixels of a chart. */
export const CHART_SIZE = { width: 1200, height: 600 } as const;
const PLOT = { left: 92, top: 128, right: CHART_SIZE.width - 40, bottom: CHART_SIZE.height - 104 } as const;
/** Height at which masked observations are marked, under the plot's values. */
const MASKED_Y = PLOT.bottom - 12;
const INK = "#212529";
const GREY = "#6e767d";
const RULE = "#e4e7eb";
const CURVE = "#b0b8bf";
/** Colors that people with color-blindness can tell apart: Okabe and Ito 2008, without yellow and black. */
const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"] as const;
const MASKED_NAME = "masked or missing";

type Children = readonly XmlElement[];

/** Draws values over time as an SVG document of 1200 × 600 pixels; masked observations are rings at the lower edge. */
export function seriesChart(points: readonly ChartPoint[], options: ChartOptions): string {
  const { from, to, title, subtitle, credit, lines = [], spans = [] } = options;
  const values = points.flatMap(({ time, value, name }) => (value === null ? [] : [{ time, value, name }]));
  const masked = points.filter(({ value }) => value === null);
  // room for the rings of masked observations
  const low = PLOT.bottom - (masked.length === 0 ? 0 : 28);
  const x = scaleUtc([from, Math.max(from + 1, to)], [PLOT.left, PLOT.right]);
  const shown = [...values, ...lines.flatMap((each) => each.points)].flatMap(({ value }) => value ?? []);
  const y = scaleLinear(rangeOf(shown), [low, PLOT.top]).clamp(true);
  const names = [...new Set(values.map(({ name }) => name))].sort();
  const colorOf = (name: string): string => COLORS[names.indexOf(name) % COLORS.length] ?? INK;
  const radius = values.length > 300 ? 3 : 4.5;
  const wide = { maxWidth: PLOT.right - PLOT.left, x: PLOT.left };
  return xmlDocument(
    elementWith(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width: String(CHART_SIZE.width),
        height: String(CHART_SIZE.height),
        viewBox: `0 0 ${CHART_SIZE.width} ${CHART_SIZE.height}`,
      },
      elementWith("title", {}, title),
      elementWith("rect", { width: "100%", height: "100%", fill: "#ffffff" }),
      textOutline(title, { ...wide, y: 44, size: 24, weight: 600, color: INK }),
      textOutline(subtitle, { ...wide, y: 70, size: 16, color: GREY }),
      ...spanMarks(spans, { x, top: PLOT.top, bottom: PLOT.bottom }),
      ...legend(names, colorOf, masked.length, lines),
      ...valueAxis(y),
      ...timeAxis(x),
      ...(options.curves === "by-name" ? names : [undefined]).flatMap((only) => {
        const own = values.filter(({ name }) => only === undefined || name === only);
        return curve(own.map(({ time, value }) => [x(time), y(value)] as const));
      }),
      ...masked.map((point) => mark(x(point.time), MASKED_Y, point, { r: "3.5", fill: "none", stroke: GREY })),
      ...values.map((point) =>
        mark(x(point.time), y(point.value), point, { r: String(radius), fill: colorOf(point.name) }),
      ),
      ...lineMarks(lines, { x, y }),
      ...(values.length > 0 ? [] : [emptyNote()]),
      textOutline(credit, { ...wide, y: CHART_SIZE.height - 20, size: 12, color: GREY }),
    ),
  );
}

const [LEAST, MOST] = [1e-200, 1e200] as const;

/** Returns the values' range with a twentieth around it; at least a fifth of the values, so that noise does not look like a season. */
function rangeOf(values: readonly number[]): readonly [low: number, high: number] {
  // a span of numbers near the ends of what a double holds has no ticks
  const held = values.map((value) => Math.max(-MOST, Math.min(MOST, value)));
  if (held.length === 0) return [0, 1];
  const low = held.reduce((a, b) => Math.min(a, b));
  const high = held.reduce((a, b) => Math.max(a, b));
  const largest = Math.max(Math.abs(low), Math.abs(high)) / 5;
  const least = largest < LEAST ? 1 : largest;
  const margin = Math.max((high - low) / 20, (least - (high - low)) / 2);
  return [low - margin, high + margin];
}

const line = (x1: number, y1: number, x2: number, y2: number, stroke: string): XmlElement =>
  elementWith("line", { x1: fixed(x1), y1: fixed(y1), x2: fixed(x2), y2: fixed(y2), stroke });

function valueAxis(y: ReturnType<typeof scaleLinear<number>>): Children {
  const [low = 0, high = 1] = y.domain();
  const isShort = Math.max(Math.abs(low), Math.abs(high)) < 1e6 && high - low > 1e-4;
  const label = isShort ? y.tickFormat(6) : y.tickFormat(6, "~e");
  return y
    .ticks(6)
    .flatMap((at) => [
      line(PLOT.left, y(at), PLOT.right, y(at), RULE),
      textOutline(label(at), { x: PLOT.left - 12, y: y(at) + 5, size: 15, align: "end", color: INK }),
    ]);
}

function timeAxis(x: ReturnType<typeof scaleUtc<number>>): Children {
  const ticks = x.ticks(8);
  const labels = ticks.map((at, i) => timeLabel(at, ticks[i - 1]));
  return [
    ...ticks.flatMap((at, i) => [
      line(x(at), PLOT.top, x(at), PLOT.bottom, RULE),
      line(x(at), PLOT.bottom, x(at), PLOT.bottom + 6, INK),
      textOutline(labels[i]?.[0] ?? "", { x: x(at), y: PLOT.bottom + 26, size: 15, align: "middle", color: INK }),
      ...(labels[i]?.[1] === undefined
        ? []
        : [textOutline(labels[i][1], { x: x(at), y: PLOT.bottom + 46, size: 13, align: "middle", color: GREY })]),
    ]),
    line(PLOT.left, PLOT.bottom, PLOT.right, PLOT.bottom, INK),
  ];
}

const MONTH = new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" });

/** Returns a day as `14 Apr`, UTC. */
export const dayLabel = (at: Date): string => `${at.getUTCDate()} ${MONTH.format(at)}`;

/** Returns a time as far as its ticks differ, `Apr`, `14 Apr` or `06:00`; under it what it is part of, where that begins. */
function timeLabel(at: Date, before: Date | undefined): readonly [label: string, under?: string] {
  const year = String(at.getUTCFullYear());
  const isNewYear = before === undefined || before.getUTCFullYear() !== at.getUTCFullYear();
  const under = isNewYear ? ([year] as const) : ([] as const);
  if (at.getTime() % 86_400_000 !== 0) return [at.toISOString().slice(11, 16), dayLabel(at)];
  if (at.getUTCDate() !== 1) return [dayLabel(at), ...under];
  if (at.getUTCMonth() === 0 && before !== undefined) return [year];
  return [MONTH.format(at), ...under];
}

function curve(places: readonly (readonly [x: number, y: number])[]): Children {
  if (places.length < 2) return [];
  const points = places.map((place) => place.map(fixed).join(",")).join(" ");
  return [elementWith("polyline", { points, fill: "none", stroke: CURVE, "stroke-width": "1.5" })];
}

function mark(x: number, y: number, point: ChartPoint, look: Readonly<Record<string, string>>): XmlElement {
  const words = `${new Date(point.time).toISOString()} ${point.name}: ${point.value ?? MASKED_NAME}`;
  return elementWith("circle", { cx: fixed(x), cy: fixed(y), ...look }, elementWith("title", {}, words));
}

function legend(
  names: readonly string[],
  colorOf: (name: string) => string,
  masked: number,
  lines: readonly ChartLine[],
): Children {
  let left = PLOT.left + 6;
  const entry = (name: string, look: Readonly<Record<string, string>>): Children => {
    const style = { x: left + 14, y: 105, size: 15, color: INK };
    const entries = [elementWith("circle", { cx: fixed(left), cy: "100", ...look }), textOutline(name, style)];
    left += textWidth(name, style) + 42;
    return entries;
  };
  return [
    ...names.flatMap((name) => entry(name, { r: "5", fill: colorOf(name) })),
    ...(masked === 0 ? [] : entry(`${MASKED_NAME} (${masked})`, { r: "4", fill: "none", stroke: GREY })),
    ...lineNames(lines, { left, y: 100, color: INK }),
  ];
}

function emptyNote(): XmlElement {
  const [x, y] = [(PLOT.left + PLOT.right) / 2, (PLOT.top + PLOT.bottom) / 2];
  return textOutline("No values", { x, y, size: 20, align: "middle", color: GREY });
}

/** A coordinate with hundredths of a pixel. */
function fixed(value: number): string {
  return String(Number(value.toFixed(2)));
}
