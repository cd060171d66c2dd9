import { encodePng } from "@swath/encode";
import type { Timeseries } from "@swath/engine/node";
import { lineChart } from "../../documents/chart/line-chart.ts";

/** A chart of the values of a series, each in the color of its collection, as PNG. */
export async function toChart({ spec, observations, attribution }: Timeseries): Promise<Uint8Array<ArrayBuffer>> {
  const { programs, window } = spec;
  const { geometry } = spec.place;
  const { index, expression, harmonize } = programs;
  const place =
    geometry.type === "Point" ? `at ${geometry.coordinates.slice(0, 2).join(", ")}` : `(${spec.reducer} of a polygon)`;
  const points = observations.flatMap(({ datetime, value, collection }) =>
    value === null ? [] : [{ time: Date.parse(datetime), value, name: collection }],
  );
  const canvas = lineChart(points, {
    title: `${(index ?? expression).slice(0, 30)} ${place}, ${harmonize}`.slice(0, 60),
    from: Number(window.start.nanoseconds / 1_000_000n),
    to: Number(window.end.nanoseconds / 1_000_000n),
    credit: attribution.join("; "),
  });
  const { width, height, data } = canvas;
  return Uint8Array.from(await encodePng({ width, height, channels: 3, data }));
}
