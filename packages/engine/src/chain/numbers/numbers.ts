import type { Item } from "@swath/catalog";
import type { CollectionRegistry } from "@swath/schema";
import type { EngineParts } from "../../parts.ts";
import { readMetadata, type SceneMetadata, type ScenesToRead } from "../../read/read-metadata.ts";
import type { Request } from "../../request.ts";
import type { ComputeJob, ReducedGroup } from "../../run/compute/compute-job.ts";
import { type SceneWalk, walkScenes } from "../../when/scene-walk.ts";
import { isSettledFor } from "../../when/time-window.ts";
import { inTime, keyOf, type Prepared } from "../prepared.ts";

/** Scenes in groups, each of which gives a row, and what these cost. */
export interface Grouped {
  readonly items: readonly Item[];
  /** Whose metadata is needed. */
  readonly toRead: readonly ScenesToRead[];
  /** Units, not rounded. */
  readonly units: number;
}

/** Groups that were reduced, by their ids. */
export type Reduced = ReadonlyMap<string, ReducedGroup>;

/** One of the two products of numbers, by interval and by overpass: they are read, found, reduced and reported in the same order. */
export interface NumbersProduct<Q extends Request, C, S extends Grouped, P extends { readonly job: ComputeJob }, R> {
  /** Validates a request without a search. @throws {Refusal} */
  readonly read: (request: Q, registry: CollectionRegistry, now: Date) => C;
  readonly walk: (spec: C) => Omit<SceneWalk, "registry" | "filter">;
  /** Days after the end of the window in which scenes still come. */
  readonly settledDays: number;
  readonly group: (spec: C, found: readonly Item[]) => S;
  readonly plan: (scenes: S, metadata: SceneMetadata) => P;
  /** Reduces the groups of a job, and calls `onGroup` with each; gives the pixels of each grid where they are known. */
  readonly reduce: (
    job: ComputeJob,
    options: { readonly signal: AbortSignal; readonly onGroup: (group: ReducedGroup) => void },
  ) => Promise<readonly number[]>;
  readonly finish: (plan: P, groups: Reduced, facts: Finishing<S>) => R;
  /** Describes the pixels that were read, in words for clients. */
  readonly words: (plan: P, groups: Reduced) => string;
  readonly several: SeveralPlaces<Q, C, S>;
}

/** The rules for several places in one request. */
export interface SeveralPlaces<Q, C, S> {
  /** The same of another place. @throws {Refusal} of the place. */
  readonly place: (spec: C, request: Q) => C;
  /** Holds all places against the bounds of one, before a search. @throws {Refusal} */
  readonly check: (specs: readonly C[]) => void;
  /** Units of all, not rounded. @throws {Refusal} where they are too much together. */
  readonly unitsOf: (scenes: readonly S[]) => number;
  /** Numbers that a place has in the answer at most. */
  readonly numbersOf: (scenes: S) => number;
}

/** Facts beside the numbers that a result is made of. */
export interface Finishing<S> {
  readonly scenes: S;
  /** Pixels of the first grid, or 0. */
  readonly pixels: number;
  /** Whether no scene can come to the window any more. */
  readonly isSettled: boolean;
}

/**
 * Reads a request for numbers, finds all its scenes in one walk and groups them.
 *
 * @throws {Refusal} what reading and grouping throw; `output-too-large` for more scenes than one request may have; {CatalogError}
 */
export async function prepareNumbers<
  Q extends Request,
  C,
  S extends Grouped,
  P extends { readonly job: ComputeJob },
  R,
>(
  parts: Pick<EngineParts, "catalog" | "registry" | "angles" | "sceneDocuments" | "now">,
  request: Q,
  product: NumbersProduct<Q, C, S, P, R>,
  { signal: searching }: { readonly signal: AbortSignal },
): Promise<Prepared<R>> {
  const { catalog, registry, now } = parts;
  const { read, plan, reduce, finish, words } = product;
  const spec = read(request, registry, now());
  const walk = { ...product.walk(spec), registry, filter: request.when.filter };
  const isSettled = isSettledFor(walk.window, now(), product.settledDays);
  const scenes = await inTime(
    searching,
    () => "The search for scenes had not ended.",
    async () => product.group(spec, await walkScenes(catalog, walk, { signal: searching })),
  );
  return {
    units: scenes.units,
    isSettled,
    key: () => keyOf(request, scenes.items),
    run({ signal, onProgress }) {
      const done = new Map<string, ReducedGroup>();
      let planned: P | undefined;
      const progress = (): string =>
        planned === undefined ? "The metadata of the scenes had not been read." : words(planned, done);
      return inTime(signal, progress, async () => {
        planned = plan(scenes, await readMetadata(scenes.toRead, parts, signal));
        const { job } = planned;
        const count = groupsOf(job).length;
        const onGroup = (each: ReducedGroup): void => {
          done.set(each.id, each);
          onProgress?.(done.size / count);
        };
        const [pixels = 0] = await reduce(job, { signal, onGroup });
        return finish(planned, done, { scenes, pixels, isSettled });
      });
    },
  };
}

/** The groups of all grids of a job. */
export const groupsOf = ({ grids }: ComputeJob) => grids.flatMap(({ groups }) => groups);
