import type { Item } from "@swath/catalog";
import type { CollectionRegistry } from "@swath/schema";
import { counted } from "../../counted.ts";
import { checkFeatures, checkFeatureWork } from "../../limits/limits.ts";
import { PlannedReads } from "../../read/item-groups.ts";
import { readMetadata, type SceneMetadata, type ScenesToRead } from "../../read/read-metadata.ts";
import { Refusal } from "../../refusal.ts";
import type { FeaturesRequest } from "../../request.ts";
import type { FeatureResult } from "../../result/features.ts";
import type { ComputeJob, GridGroups, ReducedGroup } from "../../run/compute/compute-job.ts";
import { WorkBreaks } from "../../run/work-breaks.ts";
import { walkPlaces } from "../../when/feature-scenes.ts";
import { isSettledFor } from "../../when/time-window.ts";
import { checkFeatureIds, type FeaturePlace, featureOrder, featurePlace } from "../../where/feature-places.ts";
import { inTime, keyOf, type Prepared } from "../prepared.ts";
import { type Grouped, groupsOf, type NumbersPlan, type NumbersProduct, type NumbersTypes } from "./numbers.ts";

/** The results of several places, in the order of the request. */
export interface FeatureResults<R> {
  readonly features: readonly FeatureResult<R>[];
  /** Whether no scene can come to the window any more. */
  readonly isSettled: boolean;
}

/** A place and what was found for it. */
interface Found<S> {
  readonly place: FeaturePlace;
  /** Absent: it was refused. */
  readonly scenes?: S;
  readonly refusal?: Refusal;
}

/** The plan of a place, and where its groups are in the job. */
interface Planned<R> extends Found<unknown> {
  readonly plan?: NumbersPlan<R>;
  /** Number of its first grid. */
  readonly grid: number;
  /** Its groups that are reduced, by their ids in its own plan. */
  readonly done: Map<string, ReducedGroup>;
}

type Parts = Parameters<typeof readMetadata>[1] & {
  readonly catalog: Parameters<typeof walkPlaces>[0];
  readonly registry: CollectionRegistry;
  readonly now: () => Date;
};

/**
 * Carries out a request for several places: as many requests for one, whose scenes are found by one walk, whose reads are planned once for
 * each item, and whose groups are reduced by one job, those of one scene after each other. The numbers of a place are those of a
 * request for it alone.
 *
 * @throws {Refusal} with the place's path where one cannot be read; `output-too-large` and `area-too-large` beyond the bounds of all
 *   together; {CatalogError}
 */
export async function prepareFeatures<T extends NumbersTypes>(
  parts: Parts,
  request: FeaturesRequest,
  product: NumbersProduct<T>,
  { signal: searching }: { readonly signal: AbortSignal },
): Promise<Prepared<FeatureResults<T["result"]>>> {
  const { catalog, registry, now } = parts;
  const { features } = request.where;
  checkFeatures(features.length);
  checkFeatureIds(features);
  const { places, specs } = await readPlaces(request, product, registry, now(), searching);
  product.several.check(specs);
  const walks = specs.map((spec) => ({ ...product.walk(spec), registry, filter: request.when.filter }));
  const isSettled = isSettledFor(walks[0]!.window, now(), product.settledDays);
  const words = (): string => "The search for scenes had not ended.";
  const found = await inTime(searching, words, async () => {
    const items = await walkPlaces(catalog, walks, { signal: searching });
    return groupPlaces(places, specs, items, product, searching);
  });
  const known = found.flatMap(({ scenes }) => scenes ?? []);
  const units = product.several.unitsOf(known);
  const scenes = known.reduce((sum, { items }) => sum + items.length, 0);
  checkFeatureWork({ scenes, results: known.reduce((sum, each) => sum + product.several.numbersOf(each), 0) });
  const { order, hasNeighbour } = featureOrder(walks.map(({ boxes }) => middleOf(boxes)));
  return {
    units,
    isSettled,
    key: () => keyOf(request, [...new Set(known.flatMap(({ items }) => items))]),
    run: ({ signal, onProgress }) => {
      const run = new FeaturesRun(found, product);
      return inTime(
        signal,
        () => run.words,
        async () => {
          const metadata = await readMetadata(mergedReads(known), parts, signal);
          const job = await run.plan({ ...metadata, planned: new PlannedReads() }, order, hasNeighbour, signal);
          const onGroup = (group: ReducedGroup): void => {
            const part = run.take(group);
            onProgress?.(part);
          };
          const pixels = await product.reduce(job, { signal, onGroup });
          return { features: await run.finish(pixels, isSettled, signal), isSettled };
        },
      );
    },
  };
}

/** Reads the request of the first place whole, and of the others the place alone. */
async function readPlaces<T extends NumbersTypes>(
  request: FeaturesRequest,
  { read, several }: NumbersProduct<T>,
  registry: CollectionRegistry,
  now: Date,
  signal: AbortSignal,
): Promise<{ readonly places: readonly FeaturePlace[]; readonly specs: readonly T["spec"][] }> {
  const breaks = new WorkBreaks(signal);
  const hasPoints = request.into.kind === "overpasses";
  const places: FeaturePlace[] = [];
  const specs: T["spec"][] = [];
  for (const [i, feature] of request.where.features.entries()) {
    await breaks.take();
    const place = featurePlace(feature, i, request.where, hasPoints);
    const own = { ...request, where: place.where } as unknown as T["request"];
    specs.push(atPlace(place, () => (i === 0 ? read(own, registry, now) : several.place(specs[0]!, own))));
    places.push(place);
  }
  return { places, specs };
}

/** Groups the scenes of each place. One whose scenes cannot be taken is refused alone, unless it is too large. */
async function groupPlaces<T extends NumbersTypes>(
  places: readonly FeaturePlace[],
  specs: readonly T["spec"][],
  items: readonly (readonly Item[])[],
  { group }: NumbersProduct<T>,
  signal: AbortSignal,
): Promise<readonly Found<T["scenes"]>[]> {
  const breaks = new WorkBreaks(signal);
  const found: Found<T["scenes"]>[] = [];
  for (const [i, place] of places.entries()) {
    await breaks.take();
    found.push({ place, ...refusedAlone(place, () => ({ scenes: group(specs[i]!, items[i]!) })) });
  }
  checkAny(found);
  return found;
}

/** Runs the job of all places. */
class FeaturesRun<T extends NumbersTypes> {
  readonly #found: readonly Found<T["scenes"]>[];
  readonly #product: NumbersProduct<T>;
  /** In the order of the request. */
  #planned: readonly Planned<T["result"]>[] = [];
  #groups = 0;
  #done = 0;

  constructor(found: readonly Found<T["scenes"]>[], product: NumbersProduct<T>) {
    this.#found = found;
    this.#product = product;
  }

  get words(): string {
    if (this.#planned.length === 0) return "The metadata of the scenes had not been read.";
    const rows = `${this.#done} of ${this.#groups} rows with scenes of ${counted(this.#found.length, "feature")} were read.`;
    return `${rows} What was read is kept for a while, so the same request may get further: ask for fewer features or less time where it does not.`;
  }

  /**
   * Plans all places: one job, whose grids are those of the places in an order in which neighbours follow each other.
   *
   * @throws {Refusal} where every place is refused.
   */
  async plan(
    metadata: SceneMetadata,
    order: readonly number[],
    hasNeighbour: readonly boolean[],
    signal: AbortSignal,
  ): Promise<ComputeJob> {
    const breaks = new WorkBreaks(signal);
    const grids: GridGroups[] = [];
    const planned: Planned<T["result"]>[] = [];
    for (const i of order) {
      await breaks.take();
      const found = this.#found[i]!;
      const { scenes, place } = found;
      const own =
        scenes === undefined ? {} : refusedAlone(place, () => ({ plan: this.#product.plan(scenes, metadata) }));
      planned[i] = { ...found, ...own, grid: grids.length, done: new Map() };
      const { plan } = planned[i];
      if (plan !== undefined) grids.push(...plan.job.grids.map((grid) => gridOf(grid, i, hasNeighbour[i]!)));
    }
    checkAny(planned);
    this.#planned = planned;
    const job: ComputeJob = { kind: "compute", grids };
    this.#groups = groupsOf(job).length;
    return job;
  }

  /** Takes the numbers of a group, and returns the part of the work that is done. */
  take(group: ReducedGroup): number {
    const at = group.id.indexOf("/");
    const id = group.id.slice(at + 1);
    this.#planned[Number(group.id.slice(0, at))]!.done.set(id, { ...group, id });
    this.#done += 1;
    return this.#done / this.#groups;
  }

  async finish(
    pixels: readonly number[],
    isSettled: boolean,
    signal: AbortSignal,
  ): Promise<readonly FeatureResult<T["result"]>[]> {
    const breaks = new WorkBreaks(signal);
    const results: FeatureResult<T["result"]>[] = [];
    for (const { place, plan, refusal, grid, done } of this.#planned) {
      await breaks.take();
      const { id } = place;
      if (plan === undefined) results.push({ id, ...(refusal === undefined ? {} : { refusal }) });
      else results.push({ id, result: plan.finish(done, { pixels: pixels[grid] ?? 0, isSettled }) });
    }
    return results;
  }
}

/** The grid of a place, whose groups have the place in their ids. */
function gridOf({ parts, groups, ...grid }: GridGroups, place: number, hasNeighbour: boolean): GridGroups {
  return {
    ...grid,
    parts: hasNeighbour ? parts.map((part) => ({ ...part, wholeBlocks: true as const })) : parts,
    groups: groups.map((group) => ({ ...group, id: `${place}/${group.id}` })),
  };
}

/** The metadata that all places need, of each scene once. */
function mergedReads(places: readonly Grouped[]): readonly ScenesToRead[] {
  const byProduct = new Map<
    ScenesToRead["product"],
    { items: Set<Item>; nadir: Map<Item, ScenesToRead["nadir"][0]> }
  >();
  for (const { product, items, nadir } of places.flatMap(({ toRead }) => toRead)) {
    const own = byProduct.get(product) ?? { items: new Set(), nadir: new Map() };
    byProduct.set(product, own);
    for (const item of items) own.items.add(item);
    for (const scene of nadir) own.nadir.set(scene.item, scene);
  }
  return [...byProduct].map(([product, { items, nadir }]) => ({
    product,
    items: [...items],
    nadir: [...nadir.values()],
  }));
}

/** A refusal of what is too large is one of the whole request; any other is the place's own. */
function refusedAlone<T>(place: FeaturePlace, work: () => T): T | { readonly refusal: Refusal } {
  try {
    return atPlace(place, work);
  } catch (error) {
    const isOwn = error instanceof Refusal && !/too-(large|many)/.test(error.code);
    if (isOwn) return { refusal: error };
    throw error;
  }
}

/** @throws {Refusal} the first one where no place has a result. */
function checkAny(found: readonly Found<unknown>[]): void {
  const [first] = found;
  if (first?.refusal !== undefined && found.every(({ refusal }) => refusal !== undefined)) throw first.refusal;
}

/** Does work for a place; a refusal of its area names the feature. */
function atPlace<T>({ path, id }: FeaturePlace, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isOfPlace = error.path.length === 0 || error.path[0] === "where";
    const isNamed = error.path[1] === "features" || error.path[1] === "frame";
    if (!isOfPlace || isNamed) throw error;
    const detail = `Feature ${String(id).slice(0, 100)}: ${error.detail}`;
    const { limits, retryAfter, facts } = error;
    throw new Refusal(error.code, [...path, ...error.path.slice(1)], detail, {
      cause: error,
      facts,
      ...(limits === undefined ? {} : { limits }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  }
}

/** The middle of the first of some boxes, degrees. */
function middleOf([box]: readonly (readonly [number, number, number, number])[]): readonly [number, number] {
  const [west, south, east, north] = box ?? [0, 0, 0, 0];
  return [(west + (east < west ? east + 360 : east)) / 2, (south + north) / 2];
}
