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
} from "../job/timeseries-plan.ts";
import type { EngineParts } from "../parts.ts";
import { readMetadata } from "../read/read-metadata.ts";
import { Refusal } from "../refusal.ts";
import type { SeriesRequest } from "../request.ts";
import type { ReducedGroup, ReducedOutput, SkippedScene } from "../run/reduce-job.ts";
import { undetectableClasses } from "../what/cloud-mask.ts";
import { walkScenes } from "../when/scene-walk.ts";
import { searchBoxes } from "../when/search-boxes.ts";
import type { ObservedGroups } from "./observed-groups.ts";

/** What one overpass shows of the area. */
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

/** What computing time series needs. */
export interface TimeseriesServices
  extends Pick<EngineParts, "catalog" | "registry" | "renderer" | "now" | "angles" | "sceneDocuments"> {
  readonly observed: ObservedGroups;
}

export interface TimeseriesOptions {
  readonly signal: AbortSignal;
  /** Called once with the units that the request costs, before anything of a scene is read. */
  readonly admit: (units: number) => Promise<void>;
}

/** After so long no scene of a day is published any more. */
const SETTLED_MS = 5 * 86_400_000;

/** A series whose scenes are found, and of which nothing is read or paid for. */
export interface FoundTimeseries {
  /** Text that is equal for series of equal values: what was asked, and the items that answer it. */
  key(): string;
  /** Whether no scene can come to the window any more. */
  readonly isSettled: boolean;
  /** @throws as `computeTimeseries`. */
  compute(): Promise<Timeseries>;
}

/**
 * The values of an index or expression at a point or in a polygon, one for each overpass: all scenes by one search walk,
 * each file opened once. Complete, or an error.
 *
 * @throws {ProblemError} with what is wrong with the request; `render-timeout` with how much was read where the signal
 *   ends it; what searching and reading throw. A scene that can never be read is named in its observation.
 */
export async function computeTimeseries(
  services: TimeseriesServices,
  request: SeriesRequest,
  options: TimeseriesOptions,
): Promise<Timeseries> {
  return (await findTimeseries(services, request, options)).compute();
}

/**
 * Searches the scenes of a series.
 *
 * @throws as `computeTimeseries`.
 */
export async function findTimeseries(
  { catalog, registry, renderer, now, observed, angles, sceneDocuments }: TimeseriesServices,
  request: SeriesRequest,
  { signal, admit }: TimeseriesOptions,
): Promise<FoundTimeseries> {
  const spec = readTimeseries(request, registry, now());
  const progress = new Progress();
  const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!signal.aborted) throw error;
      const reason = signal.reason instanceof Error ? signal.reason.message : "No answer in time.";
      throw new Refusal("render-timeout", [], `${reason} ${progress.text}`, { cause: error });
    }
  };
  const found = await inTime(() => walkScenes(catalog, walkOf(spec), { signal }));
  const scenes = seriesScenes(spec, found);
  return {
    key: () => keyOf(request, scenes),
    isSettled: isSettled(spec, now()),
    compute: () =>
      inTime(async () => {
        await admit(scenes.units);
        progress.isFound = true;
        const plan = planTimeseries(scenes, await readMetadata(scenes.toRead, { angles, sceneDocuments }, signal));
        progress.begin(plan);
        await observed.reduce(renderer, plan.job, { signal, onGroup: (group) => progress.add(group) });
        return finish(plan, progress.done, now());
      }),
  };
}

/** What is asked, and of each item what its value depends on: which it is, when it was last changed, and its files. */
function keyOf(request: SeriesRequest, { overpasses }: SeriesScenes): string {
  const items = overpasses.flatMap(({ items: own }) =>
    own.map(({ item: { id, collection, geometry, properties, assets } }) => [
      id,
      collection,
      geometry,
      properties,
      Object.entries(assets).map(([name, { href }]) => [name, href]),
    ]),
  );
  return JSON.stringify([request, items]);
}

function isSettled({ window }: SeriesSpec, now: Date): boolean {
  return Number(window.end.nanoseconds / 1_000_000n) + SETTLED_MS < now.getTime();
}

function walkOf({ matches, registry, geometry, area, bbox, window }: SeriesSpec) {
  const boxes = area === undefined ? [bbox] : searchBoxes(area.polygon);
  return { matches, registry, area: area?.polygon ?? geometry, boxes, window };
}

/** What of a series has been read. */
class Progress {
  readonly done = new Map<string, ReducedGroup>();
  /** Whether the search for scenes has ended. */
  isFound = false;
  #plan: SeriesPlan | undefined;

  begin(plan: SeriesPlan): void {
    this.#plan = plan;
  }

  add(group: ReducedGroup): void {
    this.done.set(group.id, group);
  }

  /** In words for clients. */
  get text(): string {
    if (!this.isFound) return "The search for scenes had not ended.";
    if (this.#plan === undefined) return "The metadata of the scenes had not been read.";
    const groups = this.#plan.job.grids.flatMap((grid) => grid.groups);
    const open = groups.find(({ id }) => !this.done.has(id))?.scenes[0]?.id;
    const waiting = open === undefined ? "" : ` The first that was not is ${open}.`;
    return `${this.done.size} of ${groups.length} overpasses were read.${waiting} What was read is kept for a while, so the same request gets further.`;
  }
}

function finish(plan: SeriesPlan, groups: ReadonlyMap<string, ReducedGroup>, now: Date): Timeseries {
  const { spec, overpasses } = plan;
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
    isSettled: isSettled(spec, now),
  };
}

function observationOf(
  { items, missing, sampledAt }: PlannedOverpass,
  group: ReducedGroup | undefined,
  { reducer }: SeriesSpec,
): Observation {
  const skipped = [...missing, ...(group?.skipped ?? [])];
  const isRead = skipped.length < items.length;
  const { item, source, measure } = items.find((each) => group?.used.includes(each.item.id) === true) ?? items[0]!;
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
    harmonization: measure.harmonize,
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
