import type { MaskClass } from "@swath/schema";
import { creditLines } from "../job/image-plan.ts";
import {
  type PlannedOverpass,
  planTimeseries,
  readTimeseries,
  type SeriesPlan,
  type SeriesScenes,
  type SeriesSpec,
  seriesScenes,
} from "../job/series-plan.ts";
import type { EngineParts } from "../parts.ts";
import type { SeriesRequest } from "../request.ts";
import type { ReducedGroup, ReducedOutput, SkippedScene } from "../run/compute-job.ts";
import { undetectableClasses } from "../what/cloud-mask.ts";
import { type Finishing, groupsOf, prepareNumbers, type Reduced } from "./numbers.ts";
import { ObservedGroups } from "./observed-groups.ts";
import type { Prepared } from "./prepared.ts";

/** The values of the area in one overpass. */
export interface Observation {
  /** RFC 3339, UTC: of the item named here. */
  readonly datetime: string;
  /** The item that gave pixels, the one on top where several did. */
  readonly itemId: string;
  /** The collection that has the item's files: of a virtual collection the member. */
  readonly collection: string;
  readonly platform: string | null;
  /** `null`: every pixel is masked or missing, or no scene could be read. */
  readonly value: number | null;
  /** Share of the pixels that have a value, 0 to 1; `null`: no scene could be read. */
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
export function prepareSeries(
  parts: SeriesServices,
  request: SeriesRequest,
  options: { readonly signal: AbortSignal },
): Promise<Prepared<Timeseries>> {
  const { renderer, observed = new ObservedGroups() } = parts;
  return prepareNumbers(
    parts,
    request,
    {
      read: readTimeseries,
      walk: ({ matches, place, window }) => ({ matches, ...place.searched, window }),
      settledDays: SETTLED_DAYS,
      group: seriesScenes,
      plan: planTimeseries,
      reduce: async (job, reducing) => {
        await observed.reduce(renderer, job, reducing);
        return [];
      },
      finish,
      words,
    },
    options,
  );
}

function words({ job, overpasses }: SeriesPlan, done: Reduced): string {
  const groups = groupsOf(job);
  const missing = groups.find(({ id }) => !done.has(id))?.id;
  const open = overpasses.find(({ id }) => id === missing)?.scenes[0]?.id;
  const waiting = open === undefined ? "" : ` The first that was not is ${open}.`;
  return `${done.size} of ${groups.length} overpasses were read.${waiting} What was read is kept for a while, so the same request gets further.`;
}

function finish({ spec, overpasses }: SeriesPlan, groups: Reduced, { isSettled }: Finishing<SeriesScenes>): Timeseries {
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
  { reducer }: SeriesSpec,
): Observation {
  const skipped = [...missing, ...(group?.skipped ?? [])];
  const isRead = skipped.length < items.length;
  const { item, source, program } = items.find((each) => group?.used.includes(each.item.id) === true) ?? items[0]!;
  const { platform } = item.properties;
  const output = group?.outputs[0];
  return {
    // as the item has it, with all its digits; items without a time are in no overpass
    datetime: item.properties.datetime ?? "",
    itemId: item.id,
    collection: source.id,
    platform: typeof platform === "string" ? platform : null,
    value: output === undefined ? null : valueBy(output, reducer),
    validFraction: isRead && output !== undefined && output.pixels > 0 ? output.count / output.pixels : null,
    harmonization: program.harmonize,
    ...(sampledAt === undefined ? {} : { sampledAt }),
    skipped,
  };
}

function valueBy(output: ReducedOutput, reducer: SeriesSpec["reducer"]): number | null {
  const values = {
    first: output.first,
    mean: output.mean,
    median: output.percentiles?.[0],
    min: output.min,
    max: output.max,
  };
  return values[reducer] ?? null;
}
