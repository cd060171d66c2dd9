import type { Timeseries } from "@swath/engine/node";
import sharp from "sharp";
import { dayLabel, seriesChart } from "../../documents/chart/series-chart.ts";

/** Version of the drawing: another one makes other files of the same values. */
export const CHART_VERSION = 2;

/** Returns a day as `14 Apr 2024`, UTC. */
const inWords = (time: number): string => `${dayLabel(new Date(time))} ${new Date(time).getUTCFullYear()}`;

/** Returns a chart of a series as SVG, each value in the color of its collection. */
export function toSvg({ spec, observations, attribution }: Timeseries): string {
  const { programs, window } = spec;
  const { geometry } = spec.place;
  const { index, expression, harmonize, unit } = programs;
  const place =
    geometry.type === "Point" ? `at ${geometry.coordinates.slice(0, 2).join(", ")}` : `${spec.reducer} of a polygon`;
  const [from, to] = [window.start, window.end].map(({ nanoseconds }) => Number(nanoseconds / 1_000_000n)) as [
    number,
    number,
  ];
  const days = `${inWords(from)} to ${inWords(to)}`;
  const inUnit = unit === undefined || unit === "1" ? [] : [unit.toLowerCase()];
  return seriesChart(
    observations.map(({ datetime, value, collection }) => ({ time: Date.parse(datetime), value, name: collection })),
    {
      title: `${index?.toUpperCase() ?? expression} ${place}`,
      subtitle: [days, ...inUnit, `harmonized: ${harmonize}`].join(" · "),
      from,
      to,
      credit: attribution.join("; "),
    },
  );
}

/** Returns the chart as PNG, without transparency. */
export async function toChart(series: Timeseries): Promise<Uint8Array<ArrayBuffer>> {
  const png = sharp(Buffer.from(toSvg(series)))
    .removeAlpha()
    .png({ palette: true });
  return Uint8Array.from(await png.toBuffer());
}
