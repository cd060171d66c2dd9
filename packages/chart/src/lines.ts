import { elementWith, type XmlElement } from "@swath/web/xml";
import { textOutline, textWidth } from "./text.ts";

/** A line over the values of a chart. */
export interface ChartLine {
  readonly name: string;
  /** In ascending time; the line has a gap where a value is `null`. */
  readonly points: readonly { readonly time: number; readonly value: number | null }[];
  /** Whether the line is dashed. */
  readonly isDashed?: boolean;
}

/** A time that a chart shades. */
export interface ChartSpan {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

type Scale = (value: number) => number;

const LINE = "#343a40";
const SHADE = "#e9f5ec";
const DASHES = "8 6";

/** Draws the spans of a plot between its upper and lower edge. */
export function spanMarks(
  spans: readonly ChartSpan[],
  { x, top, bottom }: { readonly x: Scale; readonly top: number; readonly bottom: number },
): readonly XmlElement[] {
  return spans.map(({ from, to }) =>
    elementWith("rect", {
      x: fixed(x(from)),
      y: fixed(top),
      width: fixed(Math.max(1, x(to) - x(from))),
      height: fixed(bottom - top),
      fill: SHADE,
    }),
  );
}

/** Draws the lines of a plot, each in the parts between its gaps. */
export function lineMarks(
  lines: readonly ChartLine[],
  { x, y }: { readonly x: Scale; readonly y: Scale },
): readonly XmlElement[] {
  return lines.map(({ name, points, isDashed }) => {
    let isOpen = false;
    const moves = points.flatMap(({ time, value }) => {
      if (value === null) {
        isOpen = false;
        return [];
      }
      const move = `${isOpen ? "L" : "M"}${fixed(x(time))},${fixed(y(value))}`;
      isOpen = true;
      return [move];
    });
    const path = { d: moves.join(""), fill: "none", stroke: LINE, "stroke-width": "2", "stroke-linejoin": "round" };
    return elementWith("path", { ...path, ...dashes(isDashed) }, elementWith("title", {}, name));
  });
}

/** Names the lines, from `left` on, each beside a piece of it. */
export function lineNames(
  lines: readonly ChartLine[],
  { left, y, color }: { readonly left: number; readonly y: number; readonly color: string },
): readonly XmlElement[] {
  let at = left;
  return lines.flatMap(({ name, isDashed }) => {
    const style = { x: at + 30, y: y + 5, size: 15, color };
    const ends = { x1: fixed(at - 6), y1: fixed(y), x2: fixed(at + 22), y2: fixed(y) };
    const piece = elementWith("line", { ...ends, stroke: LINE, "stroke-width": "2", ...dashes(isDashed) });
    at += textWidth(name, style) + 58;
    return [piece, textOutline(name, style)];
  });
}

const dashes = (isDashed: boolean | undefined): Readonly<Record<string, string>> =>
  isDashed === true ? { "stroke-dasharray": DASHES } : {};

/** A coordinate with hundredths of a pixel. */
function fixed(value: number): string {
  return String(Number(value.toFixed(2)));
}
