import type { Point } from "../geometry/area.ts";

/** The longest series, as a duration. */
export const LONGEST_SPAN = "P15Y";
/** Spans to choose from: durations that end with the last day in view. */
export const SPANS = ["view", "P1Y", "P2Y", "P5Y", LONGEST_SPAN] as const;
export type Span = (typeof SPANS)[number];

/** A computed value: an index of the schema, or band math. */
export type Quantity =
  | { readonly kind: "index"; readonly id: string }
  | { readonly kind: "expression"; readonly text: string };

/** The choice in a hash: an index id, `band:red`, or `=expression`. */
export function parseMeasure(text: string): Quantity | undefined {
  if (text.startsWith("=") && text.length > 1 && text.length <= 501) return { kind: "expression", text: text.slice(1) };
  if (/^band:[A-Za-z0-9_]{1,40}$/.test(text)) return { kind: "expression", text: text.slice(5) };
  return /^[a-z0-9_-]{1,40}$/.test(text) ? { kind: "index", id: text } : undefined;
}

/** Members that the analysis adds to the view, and with it to the address. */
export interface AnalysisView {
  /** The point that is asked about; absent: the area of the view. */
  readonly point?: Point | undefined;
  /** The computed value: id of an index, `band:red`, or `=` and band math. Absent: what fits the preset. */
  readonly measure?: string | undefined;
  /** Collection of the sensors that are asked; absent: all optical ones. */
  readonly sensors?: string | undefined;
  /** Time that is asked about, up to the last day in view; absent: two years. */
  readonly span?: Span | undefined;
  /** The kind of numbers; absent: a series. */
  readonly numbers?: "series" | "statistics" | undefined;
  /** Whether pixels stay that masks call cloud or shadow; absent: they are left out. */
  readonly clouds?: "kept" | undefined;
}

/** Names of its members, for what holds the view. */
export const ANALYSIS_MEMBERS = [
  "point",
  "measure",
  "sensors",
  "span",
  "numbers",
  "clouds",
] as const satisfies readonly (keyof AnalysisView)[];

const degrees = (value: number): string => String(Number(value.toFixed(5)));

/** Fields of the address, by name; undefined ones are left out. */
export function analysisFields(view: AnalysisView): [string, string | undefined][] {
  const { point, measure, sensors, span, numbers, clouds } = view;
  return [
    ["point", point?.map(degrees).join(",")],
    ["measure", measure],
    ["sensors", sensors],
    ["span", span],
    ["numbers", numbers === "series" ? undefined : numbers],
    ["clouds", clouds],
  ];
}

const ID = /^[A-Za-z0-9_.-]{1,128}$/;

function parsePoint(text: string | null): Point | undefined {
  const numbers = text?.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (numbers?.length !== 2) return undefined;
  const [lon = Number.NaN, lat = Number.NaN] = numbers;
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [lon, lat] : undefined;
}

/** Reads the fields, possibly edited by hand: unusable ones are ignored. */
export function parseAnalysis(fields: URLSearchParams): AnalysisView {
  const point = parsePoint(fields.get("point"));
  const measure = fields.get("measure") ?? "";
  const sensors = fields.get("sensors") ?? "";
  const span = SPANS.find((each) => each === fields.get("span"));
  return {
    ...(point === undefined ? {} : { point }),
    ...(parseMeasure(measure) === undefined ? {} : { measure }),
    ...(ID.test(sensors) ? { sensors } : {}),
    ...(span === undefined ? {} : { span }),
    ...(fields.get("numbers") === "statistics" ? { numbers: "statistics" } : {}),
    ...(fields.get("clouds") === "kept" ? { clouds: "kept" } : {}),
  };
}
