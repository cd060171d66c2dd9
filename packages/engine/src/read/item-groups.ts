import type { Item } from "@swath/catalog";
import type { CloudMask } from "@swath/schema";
import { type Path, Refusal } from "../refusal.ts";
import type { SceneGroup, SkippedScene } from "../run/compute/compute-job.ts";
import type { SceneRead } from "../run/scene/scene-read.ts";
import type { BandProgram } from "../what/band-program.ts";
import { lacksCoefficients } from "./extract-scenes.ts";
import { type ItemScene, itemScene, type Lacking } from "./item-scene.ts";
import type { NadirFactors } from "./nadir.ts";

/** Items that give one row of a series: those of an interval or of an overpass. */
export interface ItemGroup {
  readonly id: string;
  /** In mosaicking order, first on top. */
  readonly items: readonly Item[];
}

/** The reads for a group, and its items that cannot be read. */
export interface PlannedGroup extends SceneGroup {
  /** Items that lack a file that is needed: they are left out. */
  readonly missing: readonly SkippedScene[];
}

/** Facts beside the items themselves by which their reads are planned. */
export interface PlanFacts {
  /** Factors of the items, for a program at nadir view. */
  readonly factors?: NadirFactors | undefined;
  /** Reads that were planned, which groups of several places share. */
  readonly planned?: PlannedReads | undefined;
}

/** Reads of items by a program and a mask, each planned once: places of one request have most of them in common. */
export class PlannedReads {
  readonly #known = new Map<BandProgram, Map<Item, ItemScene>>();

  of(program: BandProgram, item: Item, plan: () => ItemScene): ItemScene {
    const own = this.#known.get(program) ?? new Map<Item, ItemScene>();
    this.#known.set(program, own);
    const scene = own.get(item) ?? plan();
    own.set(item, scene);
    return scene;
  }
}

/**
 * Plans the reads of groups of items. An item that lacks a file is left out and named.
 *
 * @throws {Refusal} as {@link valuesScene}.
 */
export function planGroups(
  groups: readonly ItemGroup[],
  program: BandProgram,
  mask: CloudMask | undefined,
  { factors = new Map(), planned = new PlannedReads() }: PlanFacts = {},
): readonly PlannedGroup[] {
  return groups.map(({ id, items }) => {
    const scenes: SceneRead[] = [];
    const missing: SkippedScene[] = [];
    for (const item of items) {
      const scene = planned.of(program, item, () => valuesScene(item, program, mask, factors));
      if (scene.lacks === undefined) scenes.push(scene.read);
      else missing.push(skippedScene(item, scene.lacks));
    }
    return { id, scenes, missing };
  });
}

/**
 * A band that no scene has is a fault of the request; one that some lack, of those scenes.
 *
 * @param path where the request names the bands
 * @throws {Refusal} `unknown-band` where every scene lacks one.
 */
export function checkBands(groups: readonly PlannedGroup[], path: Path): void {
  const missing = groups.flatMap((group) => group.missing);
  const [first] = missing;
  if (first === undefined || groups.some(({ scenes }) => scenes.length > 0)) return;
  if (!missing.every(({ lacksBand: lacks }) => lacks === true)) return;
  const others = missing.length > 1 ? `, nor can one of the other ${missing.length - 1}` : "";
  const detail = `Scene ${first.id} cannot be read, ${first.reason}${others}.`;
  throw new Refusal("unknown-band", path, detail);
}

/**
 * Plans the read of an item for computing, or returns what it lacks.
 *
 * @throws {Refusal} `harmonize-unavailable` where no coefficients are published for its platform.
 */
export function valuesScene(
  item: Item,
  program: BandProgram,
  mask: CloudMask | undefined,
  factors: NadirFactors = new Map(),
): ItemScene {
  const scene = itemScene(item, program, { kind: "values", mask, validWhere: program.validWhere }, factors);
  if (scene.lacks?.[0]?.kind === "coefficients") throw lacksCoefficients(item, scene.lacks);
  return scene;
}

/** An item that is left out, for the first of what it lacks. */
export function skippedScene({ id }: Item, lacks: Lacking["lacks"]): SkippedScene {
  const reason = lacks[0]?.reason ?? "it has no file";
  return { id, reason, ...(lacks.some(({ kind }) => kind === "band") ? { lacksBand: true } : {}) };
}
