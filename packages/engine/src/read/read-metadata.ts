import type { Item } from "@swath/catalog";
import type { FactorGrid } from "@swath/mosaic/nbar";
import type { AngleReader } from "../metadata/angle-reader.ts";
import { type SceneDocuments, withFactors } from "../metadata/scene-documents.ts";
import type { BandProgram } from "../what/band-program.ts";
import type { PlannedReads } from "./item-groups.ts";
import { type NadirFactors, type NadirScene, nadirFactorsOf, nadirScenes } from "./nadir.ts";

/** Scenes whose metadata documents a product needs, before one is read. */
export interface ScenesToRead {
  readonly items: readonly Item[];
  readonly product: Pick<BandProgram, "match" | "conversion">;
  /** The inputs of their c-factors; empty for levels other than `nbar`. */
  readonly nadir: readonly NadirScene[];
}

/** Facts from the metadata documents of scenes. */
export interface SceneMetadata {
  /** The item with the factors of its document; the item as it is where its collection needs none. */
  readonly complete: (item: Item) => Item;
  readonly factors: NadirFactors;
  /** Reads that were planned for another place of the same request. */
  readonly planned?: PlannedReads;
}

export interface MetadataReaders {
  readonly angles: AngleReader;
  /** Documents of scenes, for collections whose factors are there. */
  readonly sceneDocuments?: SceneDocuments | undefined;
}

/**
 * Decides which metadata is read of items, from what they say themselves.
 *
 * @throws {Refusal} `harmonize-unavailable` where an item says too little for `nbar`.
 */
export function scenesToRead(
  items: readonly Item[],
  product: Pick<BandProgram, "match" | "bands" | "conversion" | "isNadir">,
): ScenesToRead {
  return { items, product, nadir: nadirScenes(items, product) };
}

/**
 * Reads the metadata documents of scenes: factors of stored samples, and angles. Units are admitted first.
 *
 * @throws {Refusal} `harmonize-unavailable` where a document has no angles; `upstream-unavailable` where one cannot be
 *   read.
 */
export async function readMetadata(
  scenes: readonly ScenesToRead[],
  { angles, sceneDocuments }: MetadataReaders,
  signal: AbortSignal,
): Promise<SceneMetadata> {
  const complete = new Map<Item, Item>();
  const factors = new Map<string, ReadonlyMap<string, FactorGrid>>();
  for (const { items, product, nadir } of scenes) {
    if (product.conversion === "physical") {
      const known = await withFactors(items, product.match.collection, sceneDocuments, signal);
      for (const [i, item] of items.entries()) complete.set(item, known[i] ?? item);
    }
    for (const [key, own] of await nadirFactorsOf(nadir, { angles, signal })) factors.set(key, own);
  }
  return { complete: (item) => complete.get(item) ?? item, factors };
}
