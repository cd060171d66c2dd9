import type { MaskClass } from "@swath/schema";
import { creditLines } from "../job/image-plan.ts";
import {
  type PlannedInterval,
  planStatistics,
  readStatistics,
  type StatisticsPlan,
  type StatisticsScenes,
  statisticsScenes,
} from "../job/statistics-plan.ts";
import type { EngineParts } from "../parts.ts";
import { readMetadata } from "../read/read-metadata.ts";
import { Refusal } from "../refusal.ts";
import type { StatisticsRequest } from "../request.ts";
import { numbersOfNothing } from "../run/partial-numbers.ts";
import type { ReducedGroup, ReducedOutput, SkippedScene } from "../run/reduce-job.ts";
import { sharedUnit, unitOfBand } from "../what/units.ts";
import { walkScenes } from "../when/scene-walk.ts";

/** The numbers of one interval. */
export interface IntervalStatistics {
  readonly interval: PlannedInterval;
  readonly outputs: readonly ReducedOutput[];
  /** Ids of the scenes that gave pixels, first on top. */
  readonly used: readonly string[];
  /** Scenes that were left out. */
  readonly skipped: readonly SkippedScene[];
}

export interface Statistics {
  readonly intervals: readonly IntervalStatistics[];
  readonly attribution: readonly string[];
  /** Classes to drop that masks of the scenes cannot detect, by collection. */
  readonly undetectable: Readonly<Record<string, readonly MaskClass[]>>;
  /** Of the outputs, by name; without those of expressions over bands, which may have any. */
  readonly outputUnits: Readonly<Record<string, string>>;
  /** The unit that all bands share, else the one that was asked for. */
  readonly units: string;
  /** Of the bands that are read, by name. */
  readonly bandUnits: Readonly<Record<string, string>>;
  /** Longitude and latitude of the point whose pixel stands for an area without a pixel's centre. */
  readonly sampledAt?: readonly [longitude: number, latitude: number];
}

/** What computing statistics needs. */
export type StatisticsServices = Pick<EngineParts, "catalog" | "registry" | "renderer" | "angles" | "sceneDocuments">;

export interface StatisticsOptions {
  readonly signal: AbortSignal;
  /** Called once with the units that the request costs, before anything of a scene is read. */
  readonly admit: (units: number) => Promise<void>;
}

/**
 * Statistics of an area by interval: searches the scenes in one walk, and reduces all intervals on one grid.
 *
 * @throws {ProblemError} with what is wrong with the request; `render-timeout` with how much was read where the
 *   signal ends it; what searching and reading throw. A scene that can never be read, or whose factors of a band are
 *   not known, is left out and named.
 */
export async function computeStatistics(
  { catalog, registry, renderer, angles, sceneDocuments }: StatisticsServices,
  request: StatisticsRequest,
  { signal, admit }: StatisticsOptions,
): Promise<Statistics> {
  const spec = readStatistics(request, registry);
  const progress: Progress = { isFound: false, done: 0, of: 0 };
  try {
    const { searchBbox, searchArea: area, window, measure } = spec;
    const walk = { matches: [measure.match], registry, boxes: [searchBbox], area, window };
    const scenes = statisticsScenes(spec, await walkScenes(catalog, walk, { signal }));
    await admit(scenes.units);
    progress.isFound = true;
    const metadata = await readMetadata([scenes.toRead], { angles, sceneDocuments }, signal);
    const plan = planStatistics(scenes, metadata);
    progress.of = plan.job.grids.reduce((sum, { groups }) => sum + groups.length, 0);
    const onGroup = (): void => {
      progress.done += 1;
    };
    const { pixels, groups } = await renderer.reduce(plan.job, { signal, onGroup });
    return finish(plan, scenes, pixels[0] ?? 0, groups);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Refusal("render-timeout", [], `${reasonOf(signal)} ${readSoFar(progress)}`, { cause: error });
  }
}

const reasonOf = ({ reason }: AbortSignal): string => (reason instanceof Error ? reason.message : "No answer in time.");

interface Progress {
  /** Whether the search for scenes has ended. */
  isFound: boolean;
  /** Intervals that are read. */
  done: number;
  /** Intervals with scenes; 0 before they are planned. */
  of: number;
}

function readSoFar({ isFound, done, of }: Progress): string {
  if (!isFound) return "The search for scenes had not ended.";
  if (of === 0) return "The metadata of the scenes had not been read.";
  return `${done} of ${of} intervals with scenes were read. What was read is kept for a while, so the same request may get further: ask for less area, fewer bands or fewer dates where it does not.`;
}

function finish(
  { spec, intervals, job }: StatisticsPlan,
  { undetectable, grid: { sampledAt } }: StatisticsScenes,
  pixels: number,
  groups: readonly ReducedGroup[],
): Statistics {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const nothing = job.outputs.map(({ name, reducers }) => numbersOfNothing(name, pixels, reducers));
  const rows = intervals.map((interval): IntervalStatistics => {
    const { outputs = nothing, used = [], skipped = [] } = byId.get(interval.id) ?? {};
    return { interval, outputs, used, skipped: [...interval.missing, ...skipped] };
  });
  const used = new Set(rows.flatMap((row) => row.used));
  const items = intervals.flatMap((interval) => interval.items.filter(({ id }) => used.has(id)));
  const { measure } = spec;
  return {
    intervals: rows,
    attribution: creditLines([[measure.match.collection, items]]),
    undetectable,
    ...(sampledAt === undefined ? {} : { sampledAt }),
    outputUnits: Object.fromEntries(
      measure.outputs.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]])),
    ),
    units: sharedUnit(measure.bands, measure.units),
    bandUnits: Object.fromEntries(measure.bands.map((band) => [band.name, unitOfBand(band, measure.units)])),
  };
}
