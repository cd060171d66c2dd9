import type { Item } from "@swath/catalog";
import type { PolygonGeometry } from "@swath/geometry";
import { type MosaickingOrder, sortScenes } from "@swath/mosaic";
import type { Interval } from "@swath/query";
import type { Bbox } from "@swath/raster";
import { type CloudMask, type CollectionRegistry, type MaskClass, sourceCollection } from "@swath/schema";
import { checkBands, type ItemGroup, type PlannedGroup, planGroups } from "../read/item-groups.ts";
import { coarsestResolution, pixelCorners } from "../read/pixel-corners.ts";
import { type SceneMetadata, type ScenesToRead, scenesToRead } from "../read/read-metadata.ts";
import { Refusal } from "../refusal.ts";
import type { Frame, StatisticsRequest, When } from "../request.ts";
import type { ReduceJob, Reducer } from "../run/reduce-job.ts";
import { gridSpec } from "../run/scene-read.ts";
import { type BandProgram, NUMBERS, readProgram } from "../what/band-program.ts";
import { reducersOf } from "../what/calculations.ts";
import { maskSettings, undetectableClasses } from "../what/cloud-mask.ts";
import { onlyCollection } from "../when/collections.ts";
import { divideTime, intervalOf, readClosedTime, type TimeInterval } from "../when/intervals.ts";
import { itemsThatCount } from "../when/overpasses.ts";
import { cloudCeiling } from "../when/scene-walk.ts";
import { type AnalysisGrid, analysisGrid } from "../where/analysis-grid.ts";
import { type Area, areaBbox, areaOf, areaPolygon } from "../where/area.ts";
import { orSampledPixel } from "../where/sampled-pixel.ts";
import { statisticsUnits } from "./cost.ts";

/** Intervals of one request. */
export const MAX_INTERVALS = 400;
/** Width × height × bands × dates of one request. */
const MAX_VALUES_TIMES_DATES = 200_000_000;

const AGGREGATION = "/aggregation";

/** A valid request, before its scenes are searched. */
export interface StatisticsSpec {
  readonly measure: BandProgram;
  readonly area: Area;
  readonly searchBbox: Bbox;
  readonly searchArea: PolygonGeometry;
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
  /** One an interval. */
  readonly groups: readonly ItemGroup[];
  /** Whose metadata is needed. */
  readonly toRead: ScenesToRead;
  /** Classes to drop that masks of the scenes cannot detect, by collection. */
  readonly undetectable: Readonly<Record<string, readonly MaskClass[]>>;
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
  readonly job: ReduceJob;
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
  const measure = readProgram(onlyCollection(when, registry), what, NUMBERS);
  const reducers = reducersOf(
    into.calculations ?? {},
    measure.outputs.map(({ name }) => name),
  );
  const { window, intervals } = intervalsOf(when);
  const area = areaOf(where);
  const spec: StatisticsSpec = {
    measure,
    area,
    searchBbox: areaBbox(area),
    searchArea: areaPolygon(area),
    window,
    intervals,
    size: where.frame ?? {},
    maxCloudCover: cloudCeiling(when),
    order: when.order ?? "mostRecent",
    mask: maskSettings(what.mask),
    reducers,
  };
  gridOf(spec, []);
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

function gridOf({ area, size, measure }: StatisticsSpec, items: readonly Item[]) {
  return analysisGrid(area, size, coarsestResolution(measure), pixelCorners(items, measure), AGGREGATION);
}

/**
 * Groups items by interval, and says what their statistics cost. Nothing is read.
 *
 * @param found all that match but for cloud cover, in any order
 * @throws {Refusal} `output-too-large`; `harmonize-unavailable` where an item says too little for the level.
 */
export function statisticsScenes(spec: StatisticsSpec, found: readonly Item[]): StatisticsScenes {
  const { measure, order } = spec;
  const sources = found.flatMap((item) => {
    const source = sourceCollection(measure.match.collection, item.properties);
    return source === undefined ? [] : [{ item, source }];
  });
  const counted = itemsThatCount(sources, spec.maxCloudCover);
  const items = counted.map(({ item }) => item);
  const analysis = orSampledPixel(gridOf(spec, items), spec.area);
  const members = spec.intervals.map((): Item[] => []);
  for (const item of items) {
    const time = Date.parse(item.properties.datetime ?? "");
    if (Number.isFinite(time)) members[intervalOf(spec.intervals, time)]?.push(item);
  }
  const dates = members.reduce((sum, each) => sum + daysOf(each), 0);
  const { width, height } = analysis.grid;
  const work = { width, height, bands: measure.bands.length, dates };
  checkWork(work);
  return {
    spec,
    grid: analysis,
    groups: members.map((each, i) => ({ id: String(i), items: inOrder(each, order) })),
    toRead: scenesToRead(members.flat(), measure),
    undetectable: undetectableClasses(
      spec.mask,
      counted.map(({ source }) => source),
    ),
    units: statisticsUnits(work),
  };
}

/**
 * Decides what is read of which item for which interval, once the metadata of the scenes is known.
 *
 * @throws {Refusal} `unknown-band` where every item lacks a band.
 */
export function planStatistics(
  { spec, grid: { grid, region }, groups: found }: StatisticsScenes,
  { complete, factors }: SceneMetadata,
): StatisticsPlan {
  const { measure, mask } = spec;
  const sorted = found.map(({ id, items }) => ({ id, items: items.map(complete) }));
  const groups = planGroups(sorted, measure, mask, factors);
  checkBands(groups, measure.path);
  return {
    spec,
    intervals: groups.map((group, i) => ({ ...spec.intervals[i]!, ...group, items: sorted[i]!.items })),
    job: {
      kind: "reduce",
      grids: [
        {
          parts: [{ grid: gridSpec(grid), ...(region === undefined ? {} : { clip: region }) }],
          groups: groups.flatMap(({ id, scenes }) => (scenes.length === 0 ? [] : [{ id, scenes }])),
        },
      ],
      bands: measure.names,
      outputs: measure.outputs.map(({ name, expression }) => ({ name, expression, reducers: spec.reducers(name) })),
    },
  };
}

function inOrder(items: readonly Item[], order: MosaickingOrder): readonly Item[] {
  const sortable = items.map((item) => {
    const cover = item.properties["eo:cloud_cover"];
    return {
      id: item.id,
      time: Date.parse(item.properties.datetime ?? ""),
      cloudCover: typeof cover === "number" ? cover : undefined,
      item,
    };
  });
  return sortScenes(sortable, order).map(({ item }) => item);
}

/** Different days of acquisition, UTC. */
function daysOf(items: readonly Item[]): number {
  return new Set(items.map(({ properties }) => new Date(properties.datetime ?? "").toISOString().slice(0, 10))).size;
}

function checkWork({ width, height, bands, dates }: Parameters<typeof statisticsUnits>[0]): void {
  const work = width * height * bands * dates;
  if (work <= MAX_VALUES_TIMES_DATES) return;
  const number = (value: number): string => value.toLocaleString("en-US");
  const detail = `${number(width)} × ${number(height)} pixels of ${bands} bands on ${dates} dates are ${number(work)} values (at most ${number(MAX_VALUES_TIMES_DATES)}).`;
  throw new Refusal("output-too-large", [], detail, {
    limits: { maxValuesTimesDates: MAX_VALUES_TIMES_DATES, requestedValuesTimesDates: work },
  });
}
