import { type Item, sortItems } from "@swath/catalog";
import { type Interval, itemTime } from "@swath/query";
import type { CloudMask, CollectionRegistry, MaskClass, MosaickingOrder } from "@swath/schema";
import { coarsestResolution, pixelCorners } from "../items/pixel-corners.ts";
import { placesUnits, type StatisticsWork, statisticsUnits } from "../limits/cost.ts";
import { checkNumbers, checkNumbersTogether } from "../limits/limits.ts";
import { checkBands, type ItemGroup, type PlannedGroup, planGroups } from "../read/item-groups.ts";
import { type SceneMetadata, type ScenesToRead, scenesToRead } from "../read/read-metadata.ts";
import { Refusal } from "../refusal.ts";
import type { Frame, StatisticsRequest, When } from "../request.ts";
import { MAX_BINS } from "../run/compute/bins.ts";
import { type ComputeJob, mosaicGroup, type ReducedExpression, type Reducer } from "../run/compute/compute-job.ts";
import { gridSpec } from "../run/scene/scene-read.ts";
import { type BandProgram, NUMBERS, readProgram } from "../what/band-program.ts";
import { reducersOf } from "../what/calculations.ts";
import { maskSettings, undetectableClasses } from "../what/cloud-mask.ts";
import { onlyCollection } from "../when/collections.ts";
import { divideTime, intervalOf, readClosedTime, type TimeInterval } from "../when/intervals.ts";
import { itemsThatCount, sourceItems, timeOf } from "../when/overpasses.ts";
import { cloudCeiling } from "../when/scene-walk.ts";
import { type Area, areaOf } from "../where/area.ts";
import { analysisGrid } from "../where/frame.ts";
import { type AnalysisGrid, orSampledPixel } from "../where/native-grid.ts";

/** Intervals of one request. */
export const MAX_INTERVALS = 400;

/** A valid request, before its scenes are searched. */
export interface StatisticsSpec {
  readonly program: BandProgram;
  readonly area: Area;
  readonly window: Required<Interval>;
  readonly intervals: readonly TimeInterval[];
  readonly size: Frame;
  readonly maxCloudCover: number | undefined;
  readonly order: MosaickingOrder;
  readonly mask: CloudMask;
  readonly reducers: (output: string) => readonly Reducer[];
}

/** The scenes of each interval, and what their statistics cost; nothing of them is read. */
export interface StatisticsScenes {
  readonly spec: StatisticsSpec;
  readonly grid: AnalysisGrid;
  /** One per interval. */
  readonly groups: readonly ItemGroup[];
  /** Whose metadata is needed. */
  readonly toRead: readonly ScenesToRead[];
  /** Items of all intervals. */
  readonly items: readonly Item[];
  /** Classes to drop that masks of the scenes cannot detect, by collection. */
  readonly undetectable: Readonly<Record<string, readonly MaskClass[]>>;
  readonly work: StatisticsWork;
  /** Units, not rounded. */
  readonly units: number;
}

/** An interval and what is read for it. */
export interface PlannedInterval extends TimeInterval, PlannedGroup {
  readonly items: readonly Item[];
}

export interface StatisticsPlan {
  readonly spec: StatisticsSpec;
  readonly intervals: readonly PlannedInterval[];
  /** Its groups are the intervals that have scenes. */
  readonly job: ComputeJob;
  readonly outputs: readonly ReducedExpression[];
}

/**
 * Validates a request without a search: everything that can be refused without one is refused here.
 *
 * @throws {Refusal} with the code and path of what is wrong.
 */
export function readStatistics(
  { where, when, what, into }: StatisticsRequest,
  registry: CollectionRegistry,
): StatisticsSpec {
  const program = readProgram(onlyCollection(when, registry), what, NUMBERS);
  const reducers = reducersOf(
    into.calculations ?? {},
    program.outputs.map(({ name }) => name),
  );
  const { window, intervals } = intervalsOf(when);
  return placeStatistics(
    {
      program,
      window,
      intervals,
      maxCloudCover: cloudCeiling(when),
      order: when.order ?? "mostRecent",
      mask: maskSettings(what.mask),
      reducers,
    },
    where,
  );
}

/**
 * The same statistics of another place.
 *
 * @throws {Refusal} as {@link readStatistics}, of the place alone.
 */
export function placeStatistics(
  asked: Omit<StatisticsSpec, "area" | "size">,
  where: StatisticsRequest["where"],
): StatisticsSpec {
  const spec: StatisticsSpec = { ...asked, area: areaOf(where), size: where.frame ?? {} };
  // what no grid holds is refused before a search
  analysisGrid(spec.area, spec.size, coarsestResolution(spec.program), []);
  return spec;
}

/** @throws {Refusal} `invalid`; `output-too-large` for more than 400 intervals. */
function intervalsOf({ time, every }: When): Pick<StatisticsSpec, "window" | "intervals"> {
  if (time === undefined) throw new Refusal("invalid", ["when", "time"], "Expected a time.");
  const window = readClosedTime(time);
  const { intervals, count } = divideTime(window, every, MAX_INTERVALS);
  if (count <= MAX_INTERVALS) return { window, intervals };
  throw new Refusal("output-too-large", [], `There would be ${count} intervals (at most ${MAX_INTERVALS}).`, {
    limits: { maxIntervals: MAX_INTERVALS, requestedIntervals: count },
  });
}

/**
 * Groups items by interval, and computes the cost of their statistics. Nothing is read.
 *
 * @param found all that match, whatever their cloud cover, in any order
 * @throws {Refusal} `output-too-large`; `harmonize-unavailable` where an item says too little for the level.
 */
export function statisticsScenes(spec: StatisticsSpec, found: readonly Item[]): StatisticsScenes {
  const { area, program, order } = spec;
  const counted = itemsThatCount(sourceItems(found, program.match.collection), spec.maxCloudCover);
  const items = counted.map(({ item }) => item);
  const analysis = orSampledPixel(
    analysisGrid(area, spec.size, coarsestResolution(program), pixelCorners(items, program)),
    area.crs,
  );
  const members = spec.intervals.map((): Item[] => []);
  for (const item of items) {
    const time = timeOf(item);
    if (Number.isFinite(time)) members[intervalOf(spec.intervals, time)]?.push(item);
  }
  const dates = members.reduce((sum, each) => sum + daysOf(each), 0);
  const { width, height } = analysis.grid;
  const work = { width, height, bands: program.bands.length, dates };
  checkNumbers(work);
  return {
    spec,
    grid: analysis,
    groups: members.map((each, i) => ({ id: String(i), items: sortItems(each, order) })),
    toRead: [scenesToRead(members.flat(), program)],
    items: members.flat(),
    undetectable: undetectableClasses(
      spec.mask,
      counted.map(({ source }) => source),
    ),
    work,
    units: statisticsUnits(work),
  };
}

/**
 * Units of statistics of several places, not rounded: those of each, and the least of one request.
 *
 * @throws {Refusal} `output-too-large` for more than 200,000,000 values together.
 */
export function unitsOfPlaces(places: readonly StatisticsScenes[]): number {
  checkNumbersTogether(places.map(({ work }) => work));
  return placesUnits(places.map(({ work }) => work));
}

/** Numbers of the answer: those of each interval and output, with percentiles and bins. */
export function numbersOfPlace({ spec }: StatisticsScenes): number {
  const each = spec.program.outputs.map(({ name }) =>
    spec.reducers(name).reduce((sum, reducer) => sum + numbersBy(reducer), 0),
  );
  return spec.intervals.length * each.reduce((sum, numbers) => sum + numbers, 0);
}

function numbersBy(reducer: Reducer): number {
  if (reducer.kind === "percentiles") return reducer.at.length;
  if (reducer.kind !== "histogram") return 3;
  return "edges" in reducer ? reducer.edges.length - 1 : (reducer.equal.count ?? MAX_BINS);
}

/**
 * Plans the reads of each item for each interval, once the metadata of the scenes is known.
 *
 * @throws {Refusal} `unknown-band` where every item lacks a band.
 */
export function planStatistics(
  { spec, grid: { grid, region }, groups: found }: StatisticsScenes,
  { complete, factors, planned }: SceneMetadata,
): StatisticsPlan {
  const { program, mask } = spec;
  const sorted = found.map(({ id, items }) => ({ id, items: items.map(complete) }));
  const groups = planGroups(sorted, program, mask, { factors, planned });
  checkBands(groups, program.path);
  const outputs = program.outputs.map(({ name, expression }) => ({ name, expression, reducers: spec.reducers(name) }));
  return {
    spec,
    intervals: groups.map((group, i) => ({ ...spec.intervals[i]!, ...group, items: sorted[i]!.items })),
    outputs,
    job: {
      kind: "compute",
      grids: [
        {
          parts: [{ grid: gridSpec(grid), ...(region === undefined ? {} : { clip: region }) }],
          groups: groups.flatMap((group) =>
            group.scenes.length === 0 ? [] : [mosaicGroup(group, program.names, outputs)],
          ),
        },
      ],
    },
  };
}

/** Different days of acquisition, UTC. */
function daysOf(items: readonly Item[]): number {
  return new Set(items.map(({ properties }) => new Date(itemTime(properties) ?? "").toISOString().slice(0, 10))).size;
}
