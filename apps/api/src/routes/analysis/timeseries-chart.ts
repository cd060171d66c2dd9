import { dayLabel, seriesChart } from "@swath/chart";
import { curveDrawing } from "@swath/curve";
import type { Timeseries } from "@swath/engine/node";
import { toPng } from "../images/svg-png.ts";

/** Returns a day as `14 Apr 2024`, UTC. */
const inWords = (time: number): string => `${dayLabel(new Date(time))} ${new Date(time).getUTCFullYear()}`;

/** Returns a chart of a series as SVG, each value in the color of its collection; of several measures in that of its measure. */
export function toSvg({ spec, observations, curve, attribution }: Timeseries): string {
  const { programs, window } = spec;
  const { geometry } = spec.place;
  const { index, expression, harmonize, unit, measures } = programs;
  const place =
    geometry.type === "Point" ? `at ${geometry.coordinates.slice(0, 2).join(", ")}` : `${spec.reducer} of a polygon`;
  const [from, to] = [window.start, window.end].map(({ nanoseconds }) => Number(nanoseconds / 1_000_000n)) as [
    number,
    number,
  ];
  const days = `${inWords(from)} to ${inWords(to)}`;
  const inUnit = unit === undefined || unit === "1" ? [] : [unit.toLowerCase()];
  const what = measures?.map(({ name }) => name).join(", ") ?? index?.toUpperCase() ?? expression;
  const points = observations.flatMap(({ datetime, value, values, collection }) => {
    const time = Date.parse(datetime);
    if (values === undefined) return [{ time, value, name: collection }];
    const all = Object.entries(values).map(([name, own]) => ({ time, value: own, name }));
    const known = all.filter((point) => point.value !== null);
    // an overpass without any value is one that is masked, not one for each measure
    return known.length > 0 ? known : all.slice(0, 1);
  });
  return seriesChart(points, {
    title: `${what} ${place}`,
    subtitle: [days, ...inUnit, `harmonized: ${harmonize}`].join(" · "),
    from,
    to,
    credit: attribution.join("; "),
    ...curveDrawing(points, curve, [from, to]),
    ...(measures === undefined ? {} : { curves: "by-name" }),
  });
}

/** Returns the chart as PNG, without transparency. */
export async function toChart(series: Timeseries): Promise<Uint8Array<ArrayBuffer>> {
  return toPng(toSvg(series));
}
