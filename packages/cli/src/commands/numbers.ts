import {
  type SeriesRequest,
  type StatisticsRow,
  seriesCsv,
  skippedDetail,
  statisticsCsv,
  statisticsRows,
} from "@swath/engine";
import { computeStatistics, computeTimeseries } from "@swath/engine/node";
import { type Command, InvalidArgumentError } from "commander";
import { type Context, print, withEngine } from "../context.ts";
import type { On } from "../main.ts";
import { addOptions, type Options, requestOf } from "../options.ts";

const SCENES = ["collection", "time", "maxCloud", "area"] as const;
const PRODUCT = ["index", "expression", "harmonize", "exclude"] as const;
/** Nobody pays here. */
const admit = async (): Promise<void> => {};

/** `swath stats` and `swath series` */
export function addNumbers(program: Command, context: Context, on: On): void {
  const { signal } = context;
  const stats = addOptions(program.command("stats"), [
    ...SCENES,
    "order",
    "bbox",
    "crs",
    "size",
    "resolution",
    ...PRODUCT,
  ]);
  addOptions(stats, ["bands", "units", "every", "percentiles"]);
  on(stats.description("statistics of an area, one row for each interval"), async (options) => {
    const { percentiles } = options;
    const calculations = percentiles === undefined ? undefined : { default: { percentiles } };
    const request = { ...(await requestOf(options)), into: { kind: "intervals", calculations } } as const;
    const statistics = await withEngine(context, options, (parts, progress) => {
      progress();
      return computeStatistics(parts, request, { signal, admit });
    });
    const { intervals, outputUnits: _, ...facts } = statistics;
    const data = statisticsRows(statistics, { calculations });
    print(context, options, {
      json: { data, ...facts },
      csv: () => statisticsCsv(data),
      columns: ["from", "to", "output", "mean", "min", "max", "stDev", "valid", "of"],
      rows: data.flatMap(tableRows),
      notes: [...facts.attribution, ...intervals.map(({ skipped }) => skippedDetail(skipped))],
    });
  });

  const series = addOptions(program.command("series"), [...SCENES, "lon", "lat", ...PRODUCT, "reducer"]);
  on(series.description("values at a point or in a polygon, one for each overpass"), async (options) => {
    const { where, when, what } = await requestOf(options);
    const into = { kind: "overpasses", reducer: options.reducer } as const;
    const request: SeriesRequest = {
      where: pointOf(options) ?? where,
      when: { ...when, time: options.time },
      what,
      into,
    };
    const { observations, spec, attribution, undetectable } = await withEngine(context, options, (parts, progress) => {
      progress();
      return computeTimeseries(parts, request, { signal, admit });
    });
    const { index, expression, harmonize, unit, bandUnits } = spec.measures;
    print(context, options, {
      json: { index, expression, harmonize, unit, bandUnits, series: observations, attribution, undetectable },
      csv: () => seriesCsv(observations),
      columns: ["datetime", "value", "valid", "platform", "id"],
      rows: observations.map((row) => [row.datetime, row.value, row.validFraction, row.platform, row.itemId]),
      notes: [
        observations.length === 0 ? "No scene matches." : undefined,
        ...attribution,
        ...observations.map(({ skipped }) => skippedDetail(skipped)),
      ],
    });
  });
}

const tableRows = ({ interval: { from, to }, outputs }: StatisticsRow) =>
  Object.entries(outputs).map(([name, { stats }]) => {
    const { mean, min, max, stDev, sampleCount, noDataCount } = stats;
    return [from.slice(0, 10), to.slice(0, 10), name, mean, min, max, stDev, sampleCount - noDataCount, sampleCount];
  });

function pointOf({ lon, lat, area }: Options): SeriesRequest["where"] | undefined {
  if (area !== undefined) return undefined;
  if (lon === undefined || lat === undefined) throw new InvalidArgumentError("Expected --lon and --lat, or --area.");
  return { kind: "point", lon, lat };
}
