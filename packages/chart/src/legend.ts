import { elementWith, type XmlElement, xmlDocument } from "@swath/web/xml";
import { scaleLinear } from "d3-scale";
import { LEGEND_SIZE } from "./legend-size.ts";
import { textOutline } from "./text.ts";

/** Colors of values from the lowest to the highest. */
export interface ColorRamp {
  readonly kind: "ramp";
  readonly title: string;
  /** Symbol of the values' unit; absent: plain numbers. */
  readonly unit?: string;
  /** Values of the first and the last color. */
  readonly range: readonly [low: number, high: number];
  /** At least two CSS colors at equal steps, the lowest value first. */
  readonly colors: readonly string[];
}

/** The meaning of red, green and blue, or of grey, in an image. */
export interface ColorChannels {
  readonly kind: "channels";
  readonly title: string;
  /** One to three. */
  readonly channels: readonly { readonly color: string; readonly name: string }[];
}

/** The legend of an image. */
export type Legend = ColorRamp | ColorChannels;

const MARGIN = 16;
const WIDTH = LEGEND_SIZE.width - 2 * MARGIN;
const INK = "#212529";
const GRADIENT = "ramp";

/** Draws a legend as an SVG document of {@link LEGEND_SIZE}. */
export function legendChart(legend: Legend): string {
  const { width, height } = LEGEND_SIZE;
  const { title } = legend;
  const unit = legend.kind === "ramp" && legend.unit !== undefined ? ` (${legend.unit})` : "";
  return xmlDocument(
    elementWith(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width: String(width),
        height: String(height),
        viewBox: `0 0 ${width} ${height}`,
      },
      elementWith("title", {}, `${title}${unit}`),
      elementWith("rect", { width: "100%", height: "100%", fill: "#ffffff" }),
      textOutline(`${title}${unit}`, { x: MARGIN, y: 24, size: 14, weight: 600, color: INK, maxWidth: WIDTH }),
      ...(legend.kind === "ramp" ? ramp(legend) : channels(legend)),
    ),
  );
}

/** Spans in which d3 finds round steps: beyond, a step is 0 or infinite. */
const STEPS = { least: 1e-300, most: 1e300 };

/**
 * Returns the values that a ramp's axis names, each with its label: round numbers within its range, or the ends of one that is
 * near the limits of doubles.
 */
export function rampTicks(range: ColorRamp["range"]): readonly { readonly value: number; readonly label: string }[] {
  const [low, high] = range;
  const span = high - low;
  if (span < STEPS.least || span > STEPS.most) {
    return range.map((value) => ({ value, label: Number(value.toPrecision(3)).toExponential() }));
  }
  const scale = scaleLinear([...range], [0, 1]);
  const isShort = Math.max(Math.abs(low), Math.abs(high)) < 1e6 && span > 1e-4;
  const label = isShort ? scale.tickFormat(5) : scale.tickFormat(5, "~e");
  // the sign that keyboards have: labels are read by programs too
  return scale.ticks(5).map((value) => ({ value, label: label(value).replace("−", "-") }));
}

function ramp({ range, colors }: ColorRamp): readonly XmlElement[] {
  // in parts of the largest value, whose differences no double is too small for
  const largest = Math.max(...range.map(Math.abs));
  const x = scaleLinear(
    range.map((value) => value / largest),
    [MARGIN, MARGIN + WIDTH],
  );
  const last = Math.max(1, colors.length - 1);
  const stops = colors.map((color, i) =>
    elementWith("stop", { offset: String(Number((i / last).toFixed(4))), "stop-color": color }),
  );
  return [
    elementWith("defs", {}, elementWith("linearGradient", { id: GRADIENT }, ...stops)),
    elementWith("rect", {
      x: String(MARGIN),
      y: "36",
      width: String(WIDTH),
      height: "16",
      fill: `url(#${GRADIENT})`,
    }),
    ...rampTicks(range).flatMap(({ value, label }) => {
      const at = Number(x(value / largest).toFixed(2));
      // labels at the ends stay inside the image
      const align = at < MARGIN + 12 ? "start" : at > MARGIN + WIDTH - 12 ? "end" : "middle";
      return [
        elementWith("line", { x1: String(at), y1: "52", x2: String(at), y2: "57", stroke: INK }),
        textOutline(label, { x: at, y: 72, size: 12, align, color: INK }),
      ];
    }),
  ];
}

function channels({ channels: all }: ColorChannels): readonly XmlElement[] {
  const step = WIDTH / Math.max(1, all.length);
  return all.flatMap(({ color, name }, i) => {
    const x = MARGIN + i * step;
    return [
      elementWith("rect", { x: String(x), y: "40", width: "16", height: "16", fill: color }),
      textOutline(name, { x: x + 22, y: 53, size: 12, color: INK, maxWidth: step - 28 }),
    ];
  });
}
