import type { CurveDescription } from "@swath/curve";
import { itemTime } from "@swath/query";
import type { MaskClass } from "@swath/schema";
import { creditLines } from "../../job/image-plan.ts";
import {
  allReducers,
  checkSeriesPlaces,
  type PlannedOverpass,
  placeSeries,
  planTimeseries,
  readTimeseries,
  type SeriesPlan,
  type SeriesScenes,
  type SeriesSpec,
  seriesScenes,
  seriesUnits,
} from "../../job/series-plan.ts";
import type { EngineParts } from "../../parts.ts";
import type { SeriesRequest } from "../../request.ts";
import type { ReducedGroup, ReducedOutput, SkippedScene } from "../../run/compute/compute-job.ts";
import { ObservedGroups } from "../../run/compute/observed-groups.ts";
import { undetectableClasses } from "../../what/cloud-mask.ts";
import { reducedNumber } from "../../what/series-reducers.ts";
import type { Prepared } from "../prepared.ts";
import { groupsOf, type NumbersProduct, prepareNumbers, type Reduced } from "./numbers.ts";
import { curveOf } from "./series-curve.ts";

/** The values of the area in one overpass. */
export interface Observation {
  /** RFC 3339, UTC: of the item named here. */
  readonly datetime: string;
  /** The item that gave pixels, the one on top where several did. */
  readonly itemId: string;
  /** The collection that has the item's files: of a virtual collection the member. */
  readonly collection: string;
  readonly platform: string | null;
  /** `null`: every pixel is masked or missing, or no scene could be read; of several measures that of the first. */
  readonly value: number | null;
  /** The values of several measures, by name. */
  readonly values?: Readonly<Record<string, number | null>>;
  /** Numbers of further reducers by their names; absent: none was asked for. `null` as the value, or where no scene could be read. */
  readonly reducers?: Readonly<Record<string, number | null>>;
  /** Share of the pixels that have a value, of several measures of any, 0 to 1; `null`: no scene could be read. */
  readonly validFraction: number | null;
  readonly harmonization: string;
  /** Longitude and latitude of the point whose pixel stands for a polygon without a pixel's centre. */
  readonly sampledAt?: readonly [longitude: number, latitude: number];
  /** Scenes that can never be read: without them the value may be of fewer pixels. */
  readonly skipped: readonly SkippedScene[];
}

/** A curve: one observation for each overpass. */
export interface Timeseries {
  readonly spec: SeriesSpec;
  /** Oldest first. */
  readonly observations: readonly Observation[];
  /** Descriptions of the values that were asked for. */
  readonly curve: CurveDescription;
  /** Credit lines. */
  readonly attribution: readonly string[];
  /** Classes that are to be dropped and that the mask of a collection cannot detect, by collection. */
  readonly undetectable: Readonly<Record<string, readonly MaskClass[]>>;
  /** Whether no scene can come to the window any more. */
  readonly isSettled: boolean;
}

/** The parts of the engine that time series use. */
export type SeriesServices = Pick<
  EngineParts,
  "catalog" | "registry" | "renderer" | "now" | "angles" | "sceneDocuments" | "observed"
>;

/** Days after which no scene of a window is published any more. */
const SETTLED_DAYS = 5;

/**
 * The values of an index or expression at a point or in a polygon, one for each overpass: all scenes by one search walk, each
 * file opened once. Complete, or an error. A scene that can never be read is named in its observation.
 *
 * @throws {Refusal} with what is wrong with the request; {CatalogError}
 */
export async function prepareSeries(
  parts: SeriesServices,
  request: SeriesRequest,
  options: { readonly signal: AbortSignal },
): Promise<Prepared<Timeseries>> {
  const prepared = await prepareNumbers(parts, request, seriesProduct(parts), options);
  return {
    ...prepared,
    async run({ signal, onProgress }) {
      const series = await prepared.run({ signal, ...(onProgress === undefined ? {} : { onProgress }) });
      return { ...series, curve: await curveOf(series.observations, series.spec.curve, signal) };
    },
  };
}

interface SeriesTypes {
  readonly request: SeriesRequest;
  readonly spec: SeriesSpec;
  readonly scenes: SeriesScenes;
  readonly result: Timeseries;
}

/** The steps that make a series; its curve is not described. */
export function seriesProduct({
  renderer,
  observed = new ObservedGroups(),
}: SeriesServices): NumbersProduct<SeriesTypes> {
  return {
    read: readTimeseries,
    walk: ({ matches, place, window }) => ({ matches, ...place.searched, window }),
    settledDays: SETTLED_DAYS,
    group: seriesScenes,
    plan: (scenes, metadata) => {
      const plan = planTimeseries(scenes, metadata);
      return {
        job: plan.job,
        words: (groups) => words(plan, groups),
        finish: (groups, { isSettled }) => finish(plan, groups, isSettled),
      };
    },
    reduce: async (job, reducing) => {
      await observed.reduce(renderer, job, reducing);
      return [];
    },
    several: {
      place: placeSeries,
      check: checkSeriesPlaces,
      unitsOf: seriesUnits,
      numbersOf: ({ spec, overpasses }) => overpasses.length * (spec.programs.measures?.length ?? 1),
    },
  };
}

function words({ job, overpasses }: SeriesPlan, done: Reduced): string {
  const groups = groupsOf(job);
  const missing = groups.find(({ id }) => !done.has(id))?.id;
  const open = overpasses.find(({ id }) => id === missing)?.scenes[0]?.id;
  const waiting = open === undefined ? "" : ` The first that was not is ${open}.`;
  return `${done.size} of ${groups.length} overpasses were read.${waiting} What was read is kept for a while, so the same request gets further.`;
}

function finish({ spec, overpasses }: SeriesPlan, groups: Reduced, isSettled: boolean): Timeseries {
  const used = new Set([...groups.values()].flatMap((group) => group.used));
  const items = overpasses.flatMap((overpass) =>
    overpass.items.flatMap(({ item }) => (used.has(item.id) ? [item] : [])),
  );
  const byCollection = spec.matches.map(
    ({ collection }) => [collection, items.filter((item) => item.collection === collection.id)] as const,
  );
  return {
    spec,
    observations: overpasses
      .map((overpass) => observationOf(overpass, groups.get(overpass.id), spec))
      .sort((a, b) => Date.parse(a.datetime) - Date.parse(b.datetime) || (a.itemId < b.itemId ? -1 : 1)),
    curve: {},
    attribution: creditLines(byCollection),
    undetectable: undetectableClasses(
      spec.mask,
      overpasses.flatMap((overpass) => overpass.items.map(({ source }) => source)),
    ),
    isSettled,
  };
}

function observationOf(
  { items, missing, sampledAt }: PlannedOverpass,
  group: ReducedGroup | undefined,
  spec: SeriesSpec,
): Observation {
  const skipped = [...missing, ...(group?.skipped ?? [])];
  const isRead = skipped.length < items.length;
  const { item, source, program } = items.find((each) => group?.used.includes(each.item.id) === true) ?? items[0]!;
  const { platform } = item.properties;
  const output = group?.outputs[0];
  const count = group?.outputs.reduce((most, each) => Math.max(most, each.count), 0) ?? 0;
  const all = allReducers(spec);
  const numberOf = (reduced: ReducedOutput | undefined, each: (typeof all)[number]) =>
    reduced === undefined ? null : reducedNumber(reduced, each, all);
  const { measures } = spec.programs;
  const values = measures?.map(({ name }, i) => [name, numberOf(group?.outputs[i], spec.reducer)] as const);
  const reducers = spec.reducers.map(({ name, reducer }) => [name, numberOf(output, reducer)] as const);
  return {
    // as the item has it, with all its digits; items without a time are in no overpass
    datetime: itemTime(item.properties) ?? "",
    itemId: item.id,
    collection: source.id,
    platform: typeof platform === "string" ? platform : null,
    value: numberOf(output, spec.reducer),
    ...(values === undefined ? {} : { values: Object.fromEntries(values) }),
    ...(reducers.length === 0 ? {} : { reducers: Object.fromEntries(reducers) }),
    validFraction: isRead && output !== undefined && output.pixels > 0 ? count / output.pixels : null,
    harmonization: program.harmonize,
    ...(sampledAt === undefined ? {} : { sampledAt }),
    skipped,
  };
}
