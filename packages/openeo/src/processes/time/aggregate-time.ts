import {
  type Cube,
  type Dimension,
  dimensionIndex,
  fromLines,
  type Label,
  linesAlong,
  onlyDimension,
  withDimension,
} from "../../cube/cube.ts";
import { OpenEoError } from "../../errors.ts";
import type { Arguments } from "../../interpreter/arguments.ts";
import type { Compilation } from "../../interpreter/compilation.ts";
import { fromExpression, toJson, type Value } from "../../interpreter/values.ts";
import { WORK } from "../../work.ts";
import { PERIODS, type Period, periodsBetween } from "./periods.ts";
import { intervalOf, labelTime } from "./times.ts";

/** Labels of one aggregated dimension. */
const MAX_INTERVALS = 4000;

interface TimeSpan {
  readonly start: number;
  readonly end: number;
  readonly label: Label;
}

function temporalDimension(data: Cube, given: Arguments): number {
  const name = given.optionalText("dimension");
  const index = name === undefined ? onlyDimension(data, "temporal") : dimensionIndex(data, name);
  if (data.dimensions[index]!.type !== "temporal") throw given.invalid("dimension", "the name of a temporal dimension");
  return index;
}

/** Times of the labels of a dimension. */
function timesOf(dimension: Dimension, given: Arguments): readonly number[] {
  return dimension.labels.map((label) => {
    const time = labelTime(dimension, label);
    if (Number.isNaN(time)) throw given.invalid("data", "a cube whose temporal labels are times", String(label));
    return time;
  });
}

/** Positions of the times in each span, ascending. */
function positionsIn(
  spans: readonly TimeSpan[],
  times: readonly number[],
  compilation: Compilation,
): readonly (readonly number[])[] {
  const order = times.map((time, position) => ({ time, position })).sort((a, b) => a.time - b.time);
  const positions = order.map(({ position }) => position);
  const isAscending = positions.every((position, i) => position === i);
  /** Counts the times before a moment. */
  const before = (moment: number): number => {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (order[middle]!.time < moment) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return spans.map(({ start, end }) => {
    const [first, last] = [before(start), before(end)];
    compilation.spend(WORK.item * (last - first));
    const inside = positions.slice(first, last);
    return isAscending ? inside : inside.sort((a, b) => a - b);
  });
}

/** The cube with one label per span: the values whose times are in it, reduced. */
function aggregate(
  data: Cube,
  index: number,
  spans: readonly TimeSpan[],
  isOpen: boolean,
  given: Arguments,
  compilation: Compilation,
): Cube {
  const reducer = given.callback("reducer");
  const context = given.value("context");
  const own = data.dimensions[index]!;
  // before times are known, any of them may be in a span
  const inside = own.isOpen
    ? spans.map(() => own.labels.map((_, i) => i))
    : positionsIn(spans, timesOf(own, given), compilation);
  const labels = inside.map((positions) => positions.map((i) => own.labels[i]!));
  const lines = linesAlong(data, index).map((line) =>
    inside.map((positions, span) => {
      compilation.spend(WORK.item * positions.length);
      const items = positions.map((i) => fromExpression(line[i]!));
      const array = { kind: "array" as const, items, labels: labels[span]!, isOpen: own.isOpen === true };
      return given.scalar("reducer", compilation.call(reducer, { data: array, context }));
    }),
  );
  const { isOpen: _, ...rest } = own;
  const dimension: Dimension = {
    ...rest,
    labels: spans.map(({ label }) => label),
    starts: new Map(spans.map(({ label, start }) => [label, start])),
    ...(isOpen ? { isOpen: true } : {}),
  };
  return fromLines({ ...data, dimensions: withDimension(data.dimensions, index, dimension) }, index, lines);
}

export function aggregateTemporal(given: Arguments, compilation: Compilation): Value {
  const data = given.cube("data");
  const index = temporalDimension(data, given);
  const { items } = given.array("intervals");
  if (items.length === 0 || items.length > MAX_INTERVALS) {
    throw given.invalid("intervals", `an array of 1 to ${MAX_INTERVALS} intervals`);
  }
  const asked = given.has("labels") ? given.labels("labels") : [];
  if (asked.length > 0 && asked.length !== items.length) {
    const message = `Expected as many labels as intervals, got ${asked.length} and ${items.length}.`;
    throw new OpenEoError("DimensionLabelCountMismatch", message);
  }
  const spans = items.map((item, i): TimeSpan => {
    const json = toJson(item);
    const [start, end] = intervalOf(given, "intervals", json);
    const label = asked[i] ?? (Array.isArray(json) ? (json[0] as unknown) : undefined);
    if (typeof label !== "string" && typeof label !== "number") {
      throw given.invalid("intervals", "intervals with a start, or labels for them");
    }
    return { start: start ?? Number.NEGATIVE_INFINITY, end: end ?? Number.POSITIVE_INFINITY, label };
  });
  // the names of rows are texts
  if (new Set(spans.map(({ label }) => String(label))).size < spans.length) {
    throw new OpenEoError(
      "DistinctDimensionLabelsRequired",
      "Expected intervals with different starts, or labels for them.",
    );
  }
  return aggregate(data, index, spans, false, given, compilation);
}

export function aggregateTemporalPeriod(given: Arguments, compilation: Compilation): Value {
  const data = given.cube("data");
  const index = temporalDimension(data, given);
  const asked = given.text("period");
  const period = PERIODS.find((each): each is Period => each === asked);
  if (period === undefined) throw given.invalid("period", PERIODS.join(", "));
  const own = data.dimensions[index]!;
  const times = timesOf(own, given);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const spans = times.length === 0 ? [] : periodsBetween(first, last, period, MAX_INTERVALS);
  if (spans === undefined) {
    const message = `There would be more than ${MAX_INTERVALS} periods: ask for less time, or longer periods.`;
    throw new OpenEoError("ProcessGraphComplexity", message);
  }
  compilation.spend(WORK.node * spans.length);
  return aggregate(data, index, spans, own.isOpen === true, given, compilation);
}
