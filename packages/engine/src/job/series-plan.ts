import type { Item } from "@swath/catalog";
import { itemKey } from "@swath/catalog/overpasses";
import type { CurveOptions } from "@swath/curve";
import { findDay, findInstant, type Instant, type Interval } from "@swath/query";
import {
  type CloudMask,
  type CollectionMatch,
  type CollectionRegistry,
  type MaskClass,
  sourceCollection,
} from "@swath/schema";
import { LEAST_TIMESERIES, overpassUnits } from "../limits/cost.ts";
import { checkGroundAreas } from "../limits/limits.ts";
import { checkBands, type PlannedGroup, planGroups } from "../read/item-groups.ts";
import { type SceneMetadata, type ScenesToRead, scenesToRead } from "../read/read-metadata.ts";
import { Refusal } from "../refusal.ts";
import type { SeriesRequest, When } from "../request.ts";
import { type ComputeJob, mosaicGroup } from "../run/compute/compute-job.ts";
import { maskSettings } from "../what/cloud-mask.ts";
import { curveSettings } from "../what/curve-settings.ts";
import { type SeriesPrograms, seriesPrograms } from "../what/series-programs.ts";
import { calculationsFor, checkClasses, type NamedReducer, namedReducers } from "../what/series-reducers.ts";
import { collectionsOf } from "../when/collections.ts";
import { readTime } from "../when/intervals.ts";
import { groupByOverpass, itemsThatCount } from "../when/overpasses.ts";
import { cloudCeiling } from "../when/scene-walk.ts";
import type { PolygonGrid } from "../where/polygon-grid.ts";
import { type SeriesItem, type SeriesPlace, seriesPlace } from "./series-place.ts";

/** The collection of a series that names none. */
const DEFAULT_COLLECTION = "optical-sr";
/** Longest interval of a series. */
const MAX_YEARS = 15;

/** A valid request, before its scenes are searched. */
export interface SeriesSpec {
  readonly place: SeriesPlace;
  readonly matches: readonly CollectionMatch[];
  readonly registry: CollectionRegistry;
  readonly programs: SeriesPrograms;
  readonly window: Required<Interval>;
  readonly mask: CloudMask & { readonly exclude: MaskClass[] };
  readonly maxCloudCover: number | undefined;
  /** Gives the value: that of the first pixel, of a point. */
  readonly reducer: NamedReducer["reducer"];
  /** Give the numbers beside it. */
  readonly reducers: readonly NamedReducer[];
  /** Descriptions of the curve that are wanted. */
  readonly curve: CurveOptions;
}

/** The scenes of a series by overpass, and what the series costs; nothing of them is read. */
export interface SeriesScenes {
  readonly spec: SeriesSpec;
  /** Oldest first; of each the items, first on top. */
  readonly overpasses: readonly { readonly items: readonly SeriesItem[]; readonly grid: PolygonGrid }[];
  /** Whose metadata is needed, by collection. */
  readonly toRead: readonly ScenesToRead[];
  /** Items of all overpasses. */
  readonly items: readonly Item[];
  /** Units, not rounded. */
  readonly units: number;
}

/** One observation of a series: the items of an overpass, first on top, and what is read of them. */
export interface PlannedOverpass extends PlannedGroup, Pick<PolygonGrid, "sampledAt"> {
  readonly items: readonly SeriesItem[];
}

export interface SeriesPlan {
  readonly spec: SeriesSpec;
  /** Oldest first; each has its index as `id`. */
  readonly overpasses: readonly PlannedOverpass[];
  /** Its groups are the overpasses that are read, on the grid of each. */
  readonly job: ComputeJob;
}

/**
 * Validates a request without a search.
 *
 * @param now the end of a window that is open
 * @throws {Refusal} with the code and path of what is wrong.
 */
export function readTimeseries(
  { where, when, what, into }: SeriesRequest,
  registry: CollectionRegistry,
  now: Date,
): SeriesSpec {
  const matches = collectionsOf(when, registry, [DEFAULT_COLLECTION]);
  checkMembers(matches);
  // the place first: of several faults it is named
  const place = seriesPlace(where);
  const programs = seriesPrograms(matches, what);
  return {
    place,
    matches,
    registry,
    programs,
    window: windowOf(when, matches, now),
    mask: maskSettings(what.mask),
    maxCloudCover: cloudCeiling(when),
    reducer: reducerAt(place, into, programs),
    reducers: namedReducers(into.reducers ?? [], programs, ["into", "reducers"]),
    curve: curveSettings(into, programs),
  };
}

/**
 * The same series of another place.
 *
 * @throws {Refusal} as {@link readTimeseries}, of the place alone.
 */
export function placeSeries(spec: SeriesSpec, { where, into }: Pick<SeriesRequest, "where" | "into">): SeriesSpec {
  const place = seriesPlace(where);
  return { ...spec, place, reducer: reducerAt(place, into, spec.programs) };
}

/** @throws {Refusal} `area-too-large` for fields of more than 25 km² together; `invalid` for descriptions of several curves. */
export function checkSeriesPlaces(specs: readonly SeriesSpec[]): void {
  checkGroundAreas(specs.flatMap(({ place }) => place.area ?? []));
  const [described] = Object.keys(specs[0]?.curve ?? {});
  if (described === undefined) return;
  throw new Refusal("invalid", ["into", described], "Expected one geometry: several features have several curves.");
}

/** @throws {Refusal} `invalid` for a reducer that does not suit the values. */
function reducerAt(
  { area }: SeriesPlace,
  { reducer: asked }: SeriesRequest["into"],
  { isClass }: SeriesPrograms,
): SeriesSpec["reducer"] {
  const reducer = area === undefined ? "first" : (asked ?? (isClass ? "majority" : "mean"));
  checkClasses(reducer, isClass, ["into", "reducer"]);
  return reducer;
}

/** @throws {Refusal} `invalid` for a virtual collection beside one of its members. */
function checkMembers(matches: readonly CollectionMatch[]): void {
  const ids = new Set(matches.map(({ collection }) => collection.id));
  for (const { collection } of matches) {
    const member = collection.virtual?.members.find(({ id }) => ids.has(id));
    if (member === undefined) continue;
    const detail = `${collection.id} has the items of ${member.id}: expected one of them, got both.`;
    throw new Refusal("invalid", ["when", "collections"], detail);
  }
}

/** The window with both ends: an open start is the first day of the collections, an open end is now. */
function windowOf({ time }: When, matches: readonly CollectionMatch[], now: Date): Required<Interval> {
  if (time === undefined) throw new Refusal("invalid", ["when", "time"], "Expected a time.");
  const asked = readTime(time);
  const instant = (date: Date) => findInstant(date.toISOString())!;
  const end = asked.end ?? instant(now);
  const first = matches.map(({ collection }) => Date.parse(collection.start)).filter(Number.isFinite);
  const start = asked.start ?? instant(new Date(Math.min(...first, milliseconds(end))));
  const latest = new Date(milliseconds(start));
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_YEARS);
  if (milliseconds(startOfLastDay(end)) <= latest.getTime()) return { start, end };
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  const from = day(new Date(milliseconds(start))) + (asked.start === undefined ? ", when the collections begin," : "");
  const range = `from ${from} to ${day(latest)}`;
  throw new Refusal(
    "invalid",
    ["when", "time"],
    `The interval may have ${MAX_YEARS} years at most, ${range}; it ends on ${day(new Date(milliseconds(end)))}.`,
  );
}

/**
 * Returns the start of an end that is a whole day, written without a time: the same day of another year is whole years
 * away.
 */
function startOfLastDay(end: Instant): Instant {
  const text = new Date(milliseconds(end)).toISOString().slice(0, 10);
  const day = findDay(text);
  return day?.end.nanoseconds === end.nanoseconds ? day.start : end;
}

const milliseconds = ({ nanoseconds }: Instant): number => Number(nanoseconds / 1_000_000n);

/**
 * Groups the items of a series by overpass, and computes its cost. Nothing is read.
 *
 * @param items all that match, whatever their cloud cover, in any order
 * @throws {Refusal} `output-too-large` for a polygon of more than 6,250,000 pixels; `harmonize-unavailable` where an item
 *   says too little for the level.
 */
export function seriesScenes(spec: SeriesSpec, items: readonly Item[]): SeriesScenes {
  const found = items.flatMap((item): SeriesItem[] => {
    const match = spec.matches.find(({ collection }) => collection.id === item.collection);
    const source = match && sourceCollection(match.collection, item.properties);
    const program = match && spec.programs.byCollection.get(match);
    return source === undefined || program === undefined || match === undefined
      ? []
      : [{ item, match, source, program }];
  });
  const counted = itemsThatCount(found, spec.maxCloudCover);
  const gridOf = spec.place.gridsOf(counted);
  const overpasses = groupByOverpass(counted, spec.place.area?.polygon).map((own) => ({
    items: own,
    grid: gridOf(own),
  }));
  const bands = spec.programs.names.length;
  const units = overpasses.reduce((sum, { grid: { pixels } }) => sum + overpassUnits({ pixels, bands }), 0);
  const all = overpasses.flatMap((overpass) => overpass.items);
  const toRead = [...spec.programs.byCollection].map(([match, program]) => {
    const own = all.filter((each) => each.match === match);
    return scenesToRead(
      own.map(({ item }) => item),
      program,
    );
  });
  return { spec, overpasses, toRead, items: all.map(({ item }) => item), units: Math.max(LEAST_TIMESERIES, units) };
}

/**
 * Units of series of several places, not rounded: by the pixels of each. What an overpass costs at least pays for its files, which
 * are read once for all places whose first scene is the same.
 */
export function seriesUnits(series: readonly SeriesScenes[]): number {
  const pixelsOf = new Map<string, { pixels: number; readonly bands: number }>();
  for (const { spec, overpasses } of series) {
    const bands = spec.programs.names.length;
    for (const { items, grid } of overpasses) {
      const key = itemKey(items[0]!.item);
      const known = pixelsOf.get(key) ?? { pixels: 0, bands };
      known.pixels += grid.pixels;
      pixelsOf.set(key, known);
    }
  }
  const units = [...pixelsOf.values()].reduce((sum, work) => sum + overpassUnits(work), 0);
  return Math.max(LEAST_TIMESERIES, units);
}

/**
 * Plans the reads of each item, once the metadata of the scenes is known.
 *
 * @throws {Refusal} `unknown-band` where every item lacks a band.
 */
export function planTimeseries(
  { spec, overpasses }: SeriesScenes,
  { complete, factors, planned: reads }: SceneMetadata,
): SeriesPlan {
  const read = new Map<PolygonGrid, PlannedGroup[]>();
  const planned = overpasses.map(({ items, grid }, i): PlannedOverpass => {
    const parts = items.map(
      ({ item, program }) =>
        planGroups([{ id: item.id, items: [complete(item)] }], program, spec.mask, { factors, planned: reads })[0]!,
    );
    const group = {
      id: String(i),
      scenes: parts.flatMap(({ scenes }) => scenes),
      missing: parts.flatMap(({ missing }) => missing),
    };
    const groups = read.get(grid) ?? [];
    read.set(grid, groups);
    if (group.scenes.length > 0) groups.push(group);
    const { sampledAt } = grid;
    return { ...group, items, ...(sampledAt === undefined ? {} : { sampledAt }) };
  });
  checkBands(planned, spec.programs.path);
  return { spec, overpasses: planned, job: jobOf(spec, read) };
}

function jobOf(spec: SeriesSpec, read: ReadonlyMap<PolygonGrid, readonly PlannedGroup[]>): ComputeJob {
  const { expression, measures = [{ name: "value", expression }], names, isClass } = spec.programs;
  const reducers = calculationsFor(allReducers(spec), isClass);
  const outputs = measures.map((measure) => ({ name: measure.name, expression: measure.expression, reducers }));
  return {
    kind: "compute",
    grids: [...read].map(([{ parts }, groups]) => ({
      parts,
      groups: groups.map((group) => mosaicGroup(group, names, outputs)),
    })),
  };
}

/** The reducer of the value, and those beside it. */
export const allReducers = ({ reducer, reducers }: SeriesSpec): NamedReducer["reducer"][] => [
  reducer,
  ...reducers.map((each) => each.reducer),
];
