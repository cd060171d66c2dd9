import type { Item } from "@swath/catalog";
import {
  type Geometry,
  type PolygonGeometry,
  polygonGeometry,
  polygonsOf,
  uniteBounds,
  unwrapPolygons,
  wrapBbox,
} from "@swath/geometry";
import { rasterizePolygon } from "@swath/mosaic";
import { ProblemError } from "@swath/problem";
import { findInstant, type Interval, parseDatetime, parseIntersects } from "@swath/query";
import { type Bbox, type Grid, resolveCrs } from "@swath/raster";
import {
  type CloudMask,
  type CollectionMatch,
  type CollectionRegistry,
  type MaskClass,
  sourceCollection,
} from "@swath/schema";
import type { ReduceJob, Reducer } from "../render/reduce-job.ts";
import { gridSpec } from "../render/scene-read.ts";
import { unknownCollection } from "../unknown-names.ts";
import { type AnalysisGrid, analysisGrid } from "./analysis-grid.ts";
import type { Area } from "./area.ts";
import { maskSettings } from "./cloud-mask.ts";
import { LEAST_TIMESERIES, overpassUnits } from "./cost.ts";
import { type Fault, faultsOf, pointerOf } from "./faults.ts";
import { groundAreaKm2 } from "./ground-area.ts";
import { bandOfItem } from "./item-bands.ts";
import type { Measure } from "./measure.ts";
import type { NadirFactors } from "./nadir.ts";
import { groupByOverpass, type SourceItem, withoutOlderProcessings } from "./overpasses.ts";
import { type PlannedGroup, pixelCorners, planGroups } from "./series.ts";
import { type SeriesMeasures, seriesMeasures } from "./series-measures.ts";
import type { SeriesReducer, TimeseriesRequest } from "./timeseries-request.ts";

/** The collection of a series that names none. */
const DEFAULT_COLLECTION = "optical-sr";
/** Largest area of a series. */
const MAX_AREA_KM2 = 25;
/** Longest interval of a series. */
const MAX_YEARS = 15;
/**
 * Pixel of the grid of a point, degrees: far smaller than pixels of files, so that they are read at full resolution and
 * the one around the point is taken.
 */
const POINT_PIXEL = 1e-7;

/** A valid request, before its scenes are searched. */
export interface SeriesSpec {
  readonly geometry: Geometry;
  /** Absent: a point. */
  readonly area?: Area & { readonly polygon: PolygonGeometry };
  readonly bbox: Bbox;
  readonly matches: readonly CollectionMatch[];
  readonly registry: CollectionRegistry;
  readonly measures: SeriesMeasures;
  readonly window: Required<Interval>;
  readonly mask: CloudMask & { readonly exclude: MaskClass[] };
  readonly maxCloudCover: number | undefined;
  readonly reducer: SeriesReducer | "first";
}

/** An item of a series, and how it is read. */
export interface SeriesItem extends SourceItem {
  readonly match: CollectionMatch;
  readonly measure: Measure;
}

/** One observation of a series: the items of an overpass, first on top, and what is read of them. */
export interface PlannedOverpass extends PlannedGroup {
  readonly items: readonly SeriesItem[];
}

export interface SeriesPlan {
  readonly spec: SeriesSpec;
  /** Oldest first; each has its index as `id`. */
  readonly overpasses: readonly PlannedOverpass[];
  /** One a grid; its groups are the overpasses that are read on it. */
  readonly jobs: readonly ReduceJob[];
  /** Units, not rounded. */
  readonly units: number;
}

/**
 * Validates a request without a search.
 *
 * @param now the end of a window that is open
 * @throws {ProblemError} with the code and pointer of what is wrong.
 */
export function readTimeseries(request: TimeseriesRequest, registry: CollectionRegistry, now: Date): SeriesSpec {
  const fault = faultsOf(request.in);
  const matches = matchesOf(request, registry, fault);
  const { geometry, area, bbox } = geometryOf(request, fault);
  return {
    geometry,
    ...(area === undefined ? {} : { area }),
    bbox,
    matches,
    registry,
    measures: seriesMeasures(matches, request, fault),
    window: windowOf(request, matches, now, fault),
    mask: maskSettings(request.cloudMask),
    // without a ceiling, scenes whose cloud cover is unknown count too
    maxCloudCover: request.maxCloudCoverage === 100 ? undefined : request.maxCloudCoverage,
    reducer: area === undefined ? "first" : (request.reducer ?? "mean"),
  };
}

function matchesOf(request: TimeseriesRequest, registry: CollectionRegistry, fault: Fault): readonly CollectionMatch[] {
  const names = request.collections?.length ? request.collections : [DEFAULT_COLLECTION];
  const matches = names.map((name, i) => {
    const match = registry.find(name);
    if (match !== undefined) return match;
    const pointer = pointerOf(request.in, request.in === "body" ? `collections/${i}` : "collections");
    throw unknownCollection(name, pointer, registry);
  });
  const ids = new Set(matches.map(({ collection }) => collection.id));
  for (const { collection } of matches) {
    const member = collection.virtual?.members.find(({ id }) => ids.has(id));
    if (member === undefined) continue;
    throw fault("collections", `${collection.id} has the items of ${member.id}: expected one of them, got both.`);
  }
  return matches;
}

function geometryOf(request: TimeseriesRequest, fault: Fault): Pick<SeriesSpec, "geometry" | "area" | "bbox"> {
  const pointer = pointerOf(request.in, "geometry");
  const geometry = parseIntersects(request.geometry, { in: "body", pointer });
  if (geometry.type === "Point") {
    const [lon = 0, lat = 0] = geometry.coordinates;
    return { geometry, bbox: [lon, lat, lon, lat] };
  }
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") {
    throw fault("geometry/type", `Expected a Point, Polygon or MultiPolygon, got ${geometry.type}.`);
  }
  const polygon = polygonGeometry(unwrapPolygons(geometry));
  const bounds = uniteBounds(
    polygonsOf(polygon).map(([outer = []]) => uniteBounds(outer.map(([x = 0, y = 0]) => [x, y, x, y]))),
  );
  if (!(bounds[0] < bounds[2] && bounds[1] < bounds[3])) throw fault("geometry", "Expected a geometry with an area.");
  const requestedAreaKm2 = groundAreaKm2(polygon);
  if (requestedAreaKm2 > MAX_AREA_KM2) {
    const limits = { maxAreaKm2: MAX_AREA_KM2, requestedAreaKm2: Math.round(requestedAreaKm2 * 1000) / 1000 };
    const detail = `The geometry has ${limits.requestedAreaKm2} km² (at most ${MAX_AREA_KM2}).`;
    throw new ProblemError("area-too-large", detail, { limits, errors: [{ pointer, detail }] });
  }
  return { geometry, area: { crs: resolveCrs("EPSG:4326"), bounds, polygon }, bbox: wrapBbox(bounds) };
}

/** The window with both ends: an open start is the first day of the collections, an open end is now. */
function windowOf(
  request: TimeseriesRequest,
  matches: readonly CollectionMatch[],
  now: Date,
  fault: Fault,
): Required<Interval> {
  const asked = parseDatetime(request.datetime, { in: request.in, pointer: pointerOf(request.in, "datetime") });
  const instant = (date: Date) => findInstant(date.toISOString())!;
  const end = asked.end ?? instant(now);
  const first = matches.map(({ collection }) => Date.parse(collection.start)).filter(Number.isFinite);
  const start = asked.start ?? instant(new Date(Math.min(...first, milliseconds(end))));
  const latest = new Date(milliseconds(start));
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_YEARS);
  if (milliseconds(end) <= latest.getTime()) return { start, end };
  const days = (milliseconds(end) - milliseconds(start)) / 86_400_000;
  const hint =
    asked.start === undefined
      ? ` from ${new Date(milliseconds(start)).toISOString().slice(0, 10)}, when the collections begin`
      : "";
  throw fault("datetime", `The interval has ${(days / 365.25).toFixed(1)} years${hint} (at most ${MAX_YEARS}).`);
}

const milliseconds = ({ nanoseconds }: Required<Interval>["start"]): number => Number(nanoseconds / 1_000_000n);

/**
 * Decides what is read of which item.
 *
 * @param items all that match but for cloud cover, in any order
 * @param factors c-factors of the items, where the level needs them.
 * @throws {ProblemError} `output-too-large` for a polygon that spans more than 2,500 pixels.
 */
export function planTimeseries(
  spec: SeriesSpec,
  items: readonly Item[],
  factors: NadirFactors = new Map(),
): SeriesPlan {
  const found = items.flatMap((item): SeriesItem[] => {
    const match = spec.matches.find(({ collection }) => collection.id === item.collection);
    const source = match && sourceCollection(match.collection, item.properties);
    const measure = match && spec.measures.measures.get(match);
    return source === undefined || measure === undefined || match === undefined
      ? []
      : [{ item, match, source, measure }];
  });
  const newest = withoutOlderProcessings(found).filter(({ item }) => {
    const cover = item.properties["eo:cloud_cover"];
    return spec.maxCloudCover === undefined || (typeof cover === "number" && cover <= spec.maxCloudCover);
  });
  const grids = new SeriesGrids(spec);
  const jobs = new Map<SeriesGrid, PlannedGroup[]>();
  let units = 0;
  const overpasses = groupByOverpass(newest, spec.area?.polygon).map((own, i): PlannedOverpass => {
    const parts = own.map(
      ({ item, measure }) => planGroups([{ id: item.id, items: [item] }], measure, spec.mask, factors)[0]!,
    );
    const group = {
      id: String(i),
      scenes: parts.flatMap(({ scenes }) => scenes),
      missing: parts.flatMap(({ missing }) => missing),
    };
    const grid = grids.of(own);
    units += overpassUnits({ pixels: grid.pixels, bands: spec.measures.names.length });
    const groups = jobs.get(grid) ?? [];
    jobs.set(grid, groups);
    if (group.scenes.length > 0) groups.push(group);
    return { ...group, items: own };
  });
  return {
    spec,
    overpasses,
    jobs: [...jobs].map(([grid, groups]) => jobOf(spec, grid, groups)),
    units: Math.max(LEAST_TIMESERIES, units),
  };
}

function jobOf(
  { measures, reducer }: SeriesSpec,
  { grid, region }: SeriesGrid,
  groups: readonly PlannedGroup[],
): ReduceJob {
  const { expression, names } = measures;
  return {
    kind: "reduce",
    grid: gridSpec(grid),
    groups: groups.map(({ id, scenes }) => ({ id, scenes })),
    bands: names,
    outputs: [{ name: "value", expression, reducers: [REDUCERS[reducer]] }],
    ...(region === undefined ? {} : { clip: region }),
  };
}

const REDUCERS: Readonly<Record<SeriesSpec["reducer"], Reducer>> = {
  first: { kind: "first" },
  mean: { kind: "moments" },
  median: { kind: "percentiles", at: [50] },
  min: { kind: "extremes" },
  max: { kind: "extremes" },
};

interface SeriesGrid extends AnalysisGrid {
  /** Pixels whose values count. */
  readonly pixels: number;
}

/** Grids by what they depend on: a point has one, a polygon one for each collection, of its files' own pixels. */
class SeriesGrids {
  readonly #spec: SeriesSpec;
  readonly #grids = new Map<string, SeriesGrid>();

  constructor(spec: SeriesSpec) {
    this.#spec = spec;
  }

  /** The grid of an overpass: that of the collection on top. */
  of(items: readonly SeriesItem[]): SeriesGrid {
    const { area, bbox } = this.#spec;
    const [top] = items;
    const key = area === undefined ? "" : (top?.source.id ?? "");
    let grid = this.#grids.get(key);
    if (grid === undefined) {
      const own = items.filter(({ source }) => source === top?.source);
      grid = area === undefined ? pointGrid(bbox) : polygonGrid(area, own);
      this.#grids.set(key, grid);
    }
    return grid;
  }
}

/** Pixels of the coarsest band of a collection's files, in the UTM zone of the area's centre. */
function polygonGrid(area: Area, items: readonly SeriesItem[]): SeriesGrid {
  const resolutions = items.flatMap(({ item, match, measure }) =>
    measure.bands.map((band) => (bandOfItem(item, match.collection, band)?.band ?? band).gsd),
  );
  const corners = items.flatMap(({ item, measure }) => pixelCorners([item], measure));
  const { grid, region } = analysisGrid(area, {}, Math.max(...resolutions), corners, "/geometry");
  const counted = region && rasterizePolygon(region.polygon, grid, resolveCrs(region.crs));
  const pixels = counted?.reduce((sum, flag) => sum + flag, 0) ?? grid.width * grid.height;
  return { grid, ...(region === undefined ? {} : { region }), pixels };
}

function pointGrid([lon, lat]: Bbox): SeriesGrid {
  const half = POINT_PIXEL / 2;
  const transform = [POINT_PIXEL, 0, lon - half, 0, -POINT_PIXEL, lat + half] as const;
  const grid: Grid = { crs: resolveCrs("EPSG:4326"), transform, width: 1, height: 1 };
  return { grid, pixels: 1 };
}
