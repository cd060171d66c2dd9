import type { Catalog, Item } from "@swath/catalog";
import { boundsRing, footprintShape, shapesIntersect, toShape, unwrapBbox } from "@swath/geometry";
import { WorkBreaks } from "../run/work-breaks.ts";
import { withMargin } from "../where/area.ts";
import { searchBoxes } from "../where/search-boxes.ts";
import { type SceneWalk, walkBoxes } from "./scene-walk.ts";

/** Tests of footprints between two looks at the clock. */
const TESTS = 64;

/**
 * Every scene over several places, by one walk for all: of each place those that a walk of its own would find.
 *
 * @param walks at least one; they differ in where alone
 * @throws {Refusal} and {CatalogError} as `walkScenes`.
 */
export async function walkPlaces(
  catalog: Catalog,
  walks: readonly SceneWalk[],
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly (readonly Item[])[]> {
  const boxes = searchBoxes({
    type: "MultiPolygon",
    coordinates: walks.flatMap((walk) => walk.boxes.map((box) => [boundsRing(withMargin(unwrapBbox(box)))])),
  });
  const items = await walkBoxes(catalog, { ...walks[0]!, boxes }, { signal });
  const breaks = new WorkBreaks(signal);
  const shapes: (ReturnType<typeof footprintShape> | undefined)[] = [];
  for (const { geometry } of items) {
    await breaks.take();
    shapes.push(geometry === null ? undefined : footprintShape(geometry));
  }
  const found: Item[][] = [];
  for (const { geometry } of walks) {
    const place = toShape(geometry);
    const own: Item[] = [];
    for (const [i, item] of items.entries()) {
      if (i % TESTS === 0) await breaks.take();
      const shape = shapes[i];
      if (shape === undefined || shapesIntersect(shape, place)) own.push(item);
    }
    found.push(own);
  }
  return found;
}
