import type { SeriesRequest, StatisticsRequest } from "@swath/engine";
import type { StatisticsRow } from "@swath/engine/results";
import { seriesCsv, skippedDetail, statisticsCsv, statisticsRows } from "@swath/engine/results";
import { InvalidArgumentError } from "commander";
import { type Context, print, withEngine } from "../context.ts";
import { withError } from "../failure.ts";
import { type Add, type OptionName, type Options, requestOf } from "../options.ts";

const SHARED: readonly OptionName[] = ["collection", "time", "maxCloud", "area", "index", "expression", "harmonize"];
const STATS: readonly OptionName[] = ["order", "bbox", "crs", "size", "resolution", "bands", "units", "every"];

/** `swath stats` and `swath series` */
export function addNumbers(add: Add, context: Context): void {
  const stats = "statistics of an area, one row for each interval";
  add("stats", stats, [...SHARED, "exclude", ...STATS, "percentiles"], async (options) => {
    const { percentiles } = options;
    const calculations = percentiles === undefined ? undefined : { default: { percentiles } };
    const request: StatisticsRequest = { ...(await requestOf(options)), into: { kind: "intervals", calculations } };
    const statistics = await withEngine(context, options, (engine, running) => engine.run(request, running));
    const { intervals, units, bandUnits, attribution, undetectable, sampledAt } = statistics;
    const data = statisticsRows(statistics, { calculations });
    print(context, options, {
      json: { data, units, bandUnits, attribution, undetectable, sampledAt },
      csv: () => statisticsCsv(data),
      columns: ["from", "to", "output", "mean", "min", "max", "stDev", "valid", "of"],
      rows: data.flatMap(tableRows),
      notes: [...attribution, ...intervals.map(({ skipped }) => leftOut(skipped))],
    });
  });

  const series = "values at a point or in a polygon, one for each overpass";
  add("series", series, ["lon", "lat", ...SHARED, "exclude", "reducer"], async (options) => {
    const { where, when, what } = await requestOf(options);
    const into = { kind: "overpasses", reducer: options.reducer } as const;
    const request: SeriesRequest = { where: pointOf(options) ?? where, when, what, into };
    const found = await withEngine(context, options, (engine, running) => engine.run(request, running));
    const { observations, spec, attribution, undetectable } = found;
    const { index, expression, harmonize, unit, bandUnits } = spec.programs;
    print(context, options, {
      json: { index, expression, harmonize, unit, bandUnits, series: observations, attribution, undetectable },
      csv: () => seriesCsv(found),
      columns: ["datetime", "value", "valid", "platform", "id"],
      rows: observations.map((row) => [row.datetime, row.value, row.validFraction, row.platform, row.itemId]),
      notes: [
        observations.length === 0 ? "No scene matches." : undefined,
        ...attribution,
        ...observations.map(({ skipped }) => leftOut(skipped)),
      ],
    });
  });
}

/** Names scenes that were left out, with the addresses of the files that were tried. */
const leftOut = (skipped: StatisticsRow["skipped"]): string | undefined =>
  skippedDetail(skipped.map(({ error, reason, ...scene }) => ({ ...scene, reason: withError(reason, error) })));

const tableRows = ({ interval: { from, to }, outputs }: StatisticsRow) =>
  Object.entries(outputs).map(([name, { stats }]) => {
    const { mean, min, max, stDev, sampleCount, noDataCount } = stats;
    return [from.slice(0, 10), to.slice(0, 10), name, mean, min, max, stDev, sampleCount - noDataCount, sampleCount];
  });

function pointOf({ lon, lat, area }: Options): SeriesRequest["where"] | undefined {
  if (area !== undefined) return undefined;
  if (lon === undefined || lat === undefined) throw new InvalidArgumentError("Expected --lon and --lat, or --area.");
  if (Math.abs(lat) > 90) throw new InvalidArgumentError(`--lat: Expected -90 to 90 degrees, got ${lat}.`);
  if (Math.abs(lon) > 180) throw new InvalidArgumentError(`--lon: Expected -180 to 180 degrees, got ${lon}.`);
  return { kind: "point", lon, lat };
}
