import type { Interval } from "@swath/query";
import type { Bbox } from "@swath/raster";
import type { CollectionSchema, MaskClass } from "@swath/schema";
import { creditLines } from "../../job/image-plan.ts";
import {
  numbersOfPlace,
  type PlannedInterval,
  placeStatistics,
  planStatistics,
  readStatistics,
  type StatisticsPlan,
  type StatisticsScenes,
  type StatisticsSpec,
  statisticsScenes,
  unitsOfPlaces,
} from "../../job/statistics-plan.ts";
import type { EngineParts } from "../../parts.ts";
import type { StatisticsRequest } from "../../request.ts";
import type { ReducedOutput, SkippedScene } from "../../run/compute/compute-job.ts";
import { numbersOfNothing } from "../../run/compute/partial-numbers.ts";
import { sharedUnit, unitOfBand } from "../../what/bands/units.ts";
import type { Prepared } from "../prepared.ts";
import { groupsOf, type NumbersProduct, prepareNumbers, type Reduced } from "./numbers.ts";

/** The numbers of one interval. */
export interface IntervalStatistics {
  readonly interval: PlannedInterval;
  readonly outputs: readonly ReducedOutput[];
  /** Ids of the scenes that gave pixels, first on top. */
  readonly used: readonly string[];
  /** Scenes that were left out. */
  readonly skipped: readonly SkippedScene[];
}

/** Statistics of an area, one row for each interval. */
export interface Statistics {
  readonly intervals: readonly IntervalStatistics[];
  /** Collections, area and time of the search for scenes. */
  readonly asked: {
    readonly collections: readonly CollectionSchema[];
    readonly bbox: Bbox;
    readonly window: Required<Interval>;
  };
  readonly attribution: readonly string[];
  /** Classes to drop that masks of the scenes cannot detect, by collection. */
  readonly undetectable: Readonly<Record<string, readonly MaskClass[]>>;
  /** Units of the outputs, by name; without those of expressions over bands, which may have any. */
  readonly outputUnits: Readonly<Record<string, string>>;
  /** The unit that all bands share, else the one that was asked for. */
  readonly units: string;
  /** Units of the bands that are read, by name. */
  readonly bandUnits: Readonly<Record<string, string>>;
  /** Longitude and latitude of the point whose pixel stands for an area without a pixel's centre. */
  readonly sampledAt?: readonly [longitude: number, latitude: number];
}

/** The parts of the engine that statistics use. */
export type StatisticsServices = Pick<
  EngineParts,
  "catalog" | "registry" | "renderer" | "angles" | "sceneDocuments" | "now"
>;

/**
 * Statistics of an area by interval: all scenes by one search walk, all intervals on one grid. A scene that can never be read,
 * or whose factors of a band are not known, is left out and named.
 *
 * @throws {Refusal} with what is wrong with the request; {CatalogError}
 */
export function prepareStatistics(
  parts: StatisticsServices,
  request: StatisticsRequest,
  options: { readonly signal: AbortSignal },
): Promise<Prepared<Statistics>> {
  return prepareNumbers(parts, request, statisticsProduct(parts), options);
}

interface StatisticsTypes {
  readonly request: StatisticsRequest;
  readonly spec: StatisticsSpec;
  readonly scenes: StatisticsScenes;
  readonly result: Statistics;
}

/** The steps that make statistics. */
export function statisticsProduct({ renderer }: StatisticsServices): NumbersProduct<StatisticsTypes> {
  return {
    read: readStatistics,
    walk: ({ program, area, window }) => ({
      matches: [program.match],
      geometry: area.outline,
      boxes: [area.bbox],
      window,
    }),
    settledDays: 1,
    group: statisticsScenes,
    plan: (scenes, metadata) => {
      const plan = planStatistics(scenes, metadata);
      return {
        job: plan.job,
        words: (groups) => words(plan, groups),
        finish: (groups, { pixels }) => finish(plan, groups, scenes, pixels),
      };
    },
    reduce: async (job, reducing) => (await renderer.compute(job, reducing)).pixels,
    several: {
      place: (spec, { where }) => placeStatistics(spec, where),
      check: () => {},
      unitsOf: unitsOfPlaces,
      numbersOf: numbersOfPlace,
    },
  };
}

function words({ job }: StatisticsPlan, groups: Reduced): string {
  return `${groups.size} of ${groupsOf(job).length} intervals with scenes were read. What was read is kept for a while, so the same request may get further: ask for less area, fewer bands or fewer dates where it does not.`;
}

/** @param pixels of the grid, 0 where nothing was read */
function finish(
  { spec, intervals, outputs: asked }: StatisticsPlan,
  byId: Reduced,
  { undetectable, grid }: StatisticsScenes,
  pixels: number,
): Statistics {
  const nothing = asked.map(({ name, reducers }) => numbersOfNothing(name, pixels, reducers));
  const rows = intervals.map((interval): IntervalStatistics => {
    const { outputs = nothing, used = [], skipped = [] } = byId.get(interval.id) ?? {};
    return { interval, outputs, used, skipped: [...interval.missing, ...skipped] };
  });
  const used = new Set(rows.flatMap((row) => row.used));
  const items = intervals.flatMap((interval) => interval.items.filter(({ id }) => used.has(id)));
  const { program } = spec;
  return {
    intervals: rows,
    asked: { collections: [program.match.collection], bbox: spec.area.bbox, window: spec.window },
    attribution: creditLines([[program.match.collection, items]]),
    undetectable,
    ...(grid.sampledAt === undefined ? {} : { sampledAt: grid.sampledAt }),
    outputUnits: Object.fromEntries(
      program.outputs.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]])),
    ),
    units: sharedUnit(program.bands, program.units),
    bandUnits: Object.fromEntries(program.bands.map((band) => [band.name, unitOfBand(band, program.units)])),
  };
}
