import { type CurveDescription, type CurveOptions, describeCurve } from "@swath/curve";
import { WorkBreaks } from "../../run/work-breaks.ts";
import { inTime } from "../prepared.ts";

/**
 * Describes the curve of some observations as far as it is wanted, in parts between which others get their turn.
 *
 * @param observations oldest first
 * @throws {Refusal} `render-timeout` where the signal ends it.
 */
export function curveOf(
  observations: readonly { readonly datetime: string; readonly value: number | null }[],
  wanted: CurveOptions,
  signal: AbortSignal,
): Promise<CurveDescription> {
  const points = observations.map(({ datetime, value }) => ({ time: Date.parse(datetime), value }));
  const breaks = new WorkBreaks(signal);
  return inTime(
    signal,
    () => "All overpasses were read, and their curve was being described.",
    () => describeCurve(points, wanted, { pause: () => breaks.take() }),
  );
}
