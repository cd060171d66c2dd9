import { createHash } from "node:crypto";
import { Remembered } from "@swath/http";
import type { Renderer } from "../job.ts";
import type { SceneRead } from "../scene/scene-read.ts";
import { WorkBreaks } from "../work-breaks.ts";
import type { ComputeJob, ComputeOptions, GridGroups, Group, GroupRead, ReducedGroup } from "./compute-job.ts";

/** Groups kept: some hundred bytes each. */
const MAX_GROUPS = 50_000;

/**
 * Numbers of groups that were read before, by everything that they depend on. A request that ran out of time gets
 * further when it is asked again, and one that did not is answered without a file. Groups with scenes that could not be
 * read are read again.
 */
export class ObservedGroups {
  readonly #groups = new Remembered<ReducedGroup>({ max: MAX_GROUPS });

  /**
   * Reduces the groups that are not known, and calls `onGroup` with each of the job's.
   *
   * @throws what `Renderer.compute` throws; what was read until then is kept.
   */
  async reduce(
    renderer: Pick<Renderer, "compute">,
    job: ComputeJob,
    { signal, onGroup }: Pick<ComputeOptions, "signal"> & { readonly onGroup: (group: ReducedGroup) => void },
  ): Promise<void> {
    const keys = new Map<string, string>();
    const open: GridGroups[] = [];
    const breaks = new WorkBreaks(signal);
    for (const { groups, ...grid } of job.grids) {
      const prefix = digest(grid);
      const unknown: Group[] = [];
      for (const group of groups) {
        await breaks.take();
        const key = digest([prefix, contentOf(group)]);
        const known = this.#groups.get(key);
        if (known === undefined) {
          keys.set(group.id, key);
          unknown.push(group);
        } else onGroup({ ...known, id: group.id });
      }
      if (unknown.length > 0) open.push({ ...grid, groups: unknown });
    }
    if (open.length === 0) return;
    await renderer.compute(
      { ...job, grids: open },
      {
        signal,
        onGroup: (group) => {
          const key = keys.get(group.id);
          if (key !== undefined && group.skipped.length === 0) this.#groups.set(key, group);
          onGroup(group);
        },
      },
    );
  }
}

/** Plans are made by the same code in the same order, so their text names them. */
const digest = (plan: unknown): string => createHash("sha256").update(JSON.stringify(plan)).digest("base64");

/** Digests of scenes, which the groups of many places have in common. */
const scenesKnown = new WeakMap<SceneRead, string>();

function sceneDigest(scene: SceneRead): string {
  const known = scenesKnown.get(scene) ?? digest(scene);
  scenesKnown.set(scene, known);
  return known;
}

/** Everything that the numbers of a group depend on, besides its pixels. */
function contentOf({ id: _id, reads, ...content }: Group): unknown {
  const named = reads.map((read: GroupRead) =>
    read.kind === "scenes" ? { ...read, scenes: read.scenes.map(sceneDigest) } : read,
  );
  return [content, named];
}
