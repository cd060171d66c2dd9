import type { Item } from "@swath/catalog";
import type { EngineParts } from "../parts.ts";
import { readMetadata, type SceneMetadata, type ScenesToRead } from "../read/read-metadata.ts";
import type { Request } from "../request.ts";
import type { ComputeJob, ReducedGroup } from "../run/compute-job.ts";
import { type SceneWalk, walkScenes } from "../when/scene-walk.ts";
import { inTime, keyOf, type Prepared } from "./prepared.ts";

/** Scenes in groups, each of which gives a row, and what these cost. */
interface Grouped {
  readonly items: readonly Item[];
  /** Whose metadata is needed. */
  readonly toRead: readonly ScenesToRead[];
  /** Units, not rounded. */
  readonly units: number;
}

/** Groups that were reduced, by their ids. */
export type Reduced = ReadonlyMap<string, ReducedGroup>;

/** One of the two products of numbers, by interval and by overpass: they are found, reduced and reported in the same way. */
export interface NumbersProduct<S extends Grouped, P extends { readonly job: ComputeJob }, R> {
  readonly request: Request;
  readonly walk: SceneWalk;
  readonly isSettled: boolean;
  readonly group: (found: readonly Item[]) => S;
  readonly plan: (scenes: S, metadata: SceneMetadata) => P;
  /** Reduces the groups of a job, and calls `onGroup` with each; gives the pixels of each grid where they are known. */
  readonly reduce: (
    job: ComputeJob,
    options: { readonly signal: AbortSignal; readonly onGroup: (group: ReducedGroup) => void },
  ) => Promise<readonly number[]>;
  readonly finish: (plan: P, groups: Reduced, scenes: S, pixels: number) => R;
  /** Describes the pixels that were read, in words for clients. */
  readonly words: (plan: P, groups: Reduced) => string;
}

/**
 * Finds all scenes of numbers in one walk and groups them.
 *
 * @throws {Refusal} what grouping throws; `output-too-large` for more scenes than one request may have; {CatalogError}
 */
export async function prepareNumbers<S extends Grouped, P extends { readonly job: ComputeJob }, R>(
  parts: Pick<EngineParts, "catalog" | "angles" | "sceneDocuments">,
  { request, walk, isSettled, group, plan, reduce, finish, words }: NumbersProduct<S, P, R>,
  { signal: searching }: { readonly signal: AbortSignal },
): Promise<Prepared<R>> {
  const scenes = await inTime(
    searching,
    () => "The search for scenes had not ended.",
    async () => group(await walkScenes(parts.catalog, walk, { signal: searching })),
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
        return finish(planned, done, scenes, pixels);
      });
    },
  };
}

/** The groups of all grids of a job. */
export const groupsOf = ({ grids }: ComputeJob) => grids.flatMap(({ groups }) => groups);
