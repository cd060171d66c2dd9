import { type CurveDescription, trendAt } from "./describe.ts";
import type { CurvePoint } from "./points.ts";

/** Lines and times that a chart of a curve shows beside its values. */
export interface CurveDrawing {
  /** The smoothed curve, then the trend. */
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly CurvePoint[];
    readonly isDashed: boolean;
  }[];
  /** The seasons, from start to end. */
  readonly spans: readonly { readonly from: number; readonly to: number }[];
}

/**
 * Returns a description as lines and spans of time.
 *
 * @param points those that it describes
 * @param ends times of the chart's axis, milliseconds since 1970
 */
export function curveDrawing(
  points: readonly CurvePoint[],
  { smooth, trend, season }: CurveDescription,
  ends: readonly [from: number, to: number],
): CurveDrawing {
  const smoothed = smooth?.values.map((value, i) => ({ time: points[i]!.time, value }));
  const line = trend && ends.map((time) => ({ time, value: trendAt(trend, time) }));
  return {
    lines: [
      ...(smooth === undefined ? [] : [{ name: smooth.method, points: smoothed ?? [], isDashed: false }]),
      ...(line === undefined ? [] : [{ name: "trend", points: line, isDashed: true }]),
    ],
    spans: season?.seasons.map(({ start, end, reach }) => ({ from: start ?? reach[0], to: end ?? reach[1] })) ?? [],
  };
}
