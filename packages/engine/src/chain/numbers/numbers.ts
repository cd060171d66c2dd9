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

/** The types of a product of numbers. */
export interface NumbersTypes {
  readonly request: Request;
  /** A valid request, before its scenes are searched. */
  readonly spec: unknown;
  readonly scenes: Grouped;
  readonly result: unknown;
}

/** One of the two products of numbers, by interval and by overpass: they are read, found, reduced and reported in the same order. */
export interface NumbersProduct<T extends NumbersTypes> {
  /** Validates a request without a search. @throws {Refusal} */
  readonly read: (request: T["request"], registry: CollectionRegistry, now: Date) => T["spec"];
  readonly walk: (spec: T["spec"]) => Omit<SceneWalk, "registry" | "filter">;
  /** Days after the end of the window in which scenes still come. */
  readonly settledDays: number;
  readonly group: (spec: T["spec"], found: readonly Item[]) => T["scenes"];
  readonly plan: (scenes: T["scenes"], metadata: SceneMetadata) => NumbersPlan<T["result"]>;
  /** Reduces the groups of a job, and calls `onGroup` with each; gives the pixels of each grid where they are known. */
  readonly reduce: (
    job: ComputeJob,
    options: { readonly signal: AbortSignal; readonly onGroup: (group: ReducedGroup) => void },
  ) => Promise<readonly number[]>;
  readonly several: SeveralPlaces<T>;
}

/** The reads of a product, and what is made of them. */
export interface NumbersPlan<R> {
  readonly job: ComputeJob;
  /** Describes the pixels that were read, in words for clients. */
  readonly words: (groups: Reduced) => string;
  readonly finish: (groups: Reduced, facts: Finishing) => R;
}

/** The rules for several places in one request. */
export interface SeveralPlaces<T extends NumbersTypes> {
  /** The same of another place. @throws {Refusal} of the place. */
  readonly place: (spec: T["spec"], request: T["request"]) => T["spec"];
  /** Holds all places against the bounds of one, before a search. @throws {Refusal} */
  readonly check: (specs: readonly T["spec"][]) => void;
  /** Units of all, not rounded. @throws {Refusal} where they are too much together. */
  readonly unitsOf: (scenes: readonly T["scenes"][]) => number;
  /** Numbers that a place has in the answer at most. */
  readonly numbersOf: (scenes: T["scenes"]) => number;
}

/** Facts beside the numbers that a result is made of. */
export interface Finishing {
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
export async function prepareNumbers<T extends NumbersTypes>(
  parts: Pick<EngineParts, "catalog" | "registry" | "angles" | "sceneDocuments" | "now">,
  request: T["request"],
  product: NumbersProduct<T>,
  { signal: searching }: { readonly signal: AbortSignal },
): Promise<Prepared<T["result"]>> {
  const { catalog, registry, now } = parts;
  const { read, plan, reduce } = product;
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
      let words = (_: Reduced): string => "The metadata of the scenes had not been read.";
      return inTime(
        signal,
        () => words(done),
        async () => {
          const planned = plan(scenes, await readMetadata(scenes.toRead, parts, signal));
          const { job } = planned;
          words = planned.words;
          const count = groupsOf(job).length;
          const onGroup = (each: ReducedGroup): void => {
            done.set(each.id, each);
            onProgress?.(done.size / count);
          };
          const [pixels = 0] = await reduce(job, { signal, onGroup });
          return planned.finish(done, { pixels, isSettled });
        },
      );
    },
  };
}

/** The groups of all grids of a job. */
export const groupsOf = ({ grids }: ComputeJob) => grids.flatMap(({ groups }) => groups);
