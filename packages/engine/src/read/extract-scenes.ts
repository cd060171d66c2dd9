import type { Item } from "@swath/catalog";
import { itemTime } from "@swath/query";
import { bandOfItem } from "../items/item-bands.ts";
import { type Fault, Refusal, refuseAny } from "../refusal.ts";
import type { ExtractScene } from "../run/extract/extract-job.ts";
import type { Product } from "../what/product.ts";
import { type ItemScene, itemScene, type Lacking } from "./item-scene.ts";
import type { NadirFactors } from "./nadir.ts";

/**
 * The product as its scenes can give it: without the bands that one of them lacks and the request does not name. Sensors of
 * one collection differ, and not every scene has surface temperature.
 */
export function productOfScenes(product: Product, items: readonly Item[]): Product {
  if (!product.hasDefaultBands) return product;
  const { collection } = product.match;
  const bands = product.bands.filter((band) => items.every((item) => bandOfItem(item, collection, band) !== undefined));
  if (bands.length === 0 || bands.length === product.bands.length) return product;
  const names = bands.map(({ name }) => name);
  return { ...product, bands, names, paths: product.paths.slice(0, bands.length) };
}

/**
 * Plans the reads of items for the file of a product, in mosaicking order.
 *
 * @param factors of the items, for a product at nadir view
 * @throws {Refusal} `units-unavailable` where a scene has no factors of a band, `unknown-band` where an item lacks one,
 *   `harmonize-unavailable` where no coefficients are published for its platform.
 */
export function extractScenes(
  items: readonly Item[],
  product: Product,
  factors: NadirFactors = new Map(),
): readonly ExtractScene[] {
  const { nodata = 0, validWhere, math } = product;
  // expressions are computed in double precision, and rounded once
  const sampleType = math === undefined ? product.sampleType : "float64";
  const use = { kind: "exact", isMosaic: items.length > 1, output: { sampleType, nodata }, validWhere } as const;
  const scenes = items.map((item) => itemScene(item, product, use, factors));
  refuseAny("units-unavailable", lackingFactors(items, product, scenes));
  return scenes.map((scene, i) => extractScene(items[i]!, product, scene));
}

/** For each band the first item without factors. */
function lackingFactors(
  items: readonly Item[],
  { bands, paths }: Product,
  scenes: readonly ItemScene[],
): readonly Fault[] {
  return bands.flatMap(({ name }, i): readonly Fault[] => {
    const first = scenes.findIndex(({ lacks = [] }) =>
      lacks.some(({ kind, band }) => kind === "factors" && band === i),
    );
    if (first < 0) return [];
    return [{ path: paths[i]!, detail: `Scene ${items[first]!.id} has no factors of ${name}: ask for DN.` }];
  });
}

function extractScene(item: Item, { bands: asked, paths, match, math }: Product, scene: ItemScene): ExtractScene {
  if (scene.lacks !== undefined) {
    const missing = scene.lacks.flatMap(({ kind, band = 0 }): readonly Fault[] => {
      if (kind !== "band") return [];
      return [{ path: paths[band]!, detail: `Scene ${item.id} has no band ${asked[band]!.name}.`, scene: item.id }];
    });
    refuseAny("unknown-band", missing);
    throw lacksCoefficients(item, scene.lacks);
  }
  const { read, bands, source } = scene;
  return {
    datetime: itemTime(item.properties),
    ...(match.collection.virtual === undefined ? {} : { attribution: source.attribution }),
    scales:
      math?.expressions.map(() => ({ scale: 1, offset: 0 })) ?? bands.map(({ scale, offset }) => ({ scale, offset })),
    read,
  };
}

/** The refusal of an item whose values cannot be brought to the reference sensor. */
export function lacksCoefficients({ id }: Item, lacks: Lacking["lacks"]): Refusal {
  const reason = lacks[0]?.reason ?? "it has no file";
  return new Refusal("harmonize-unavailable", [], `Scene ${id} cannot be given at bandpass_adjusted: ${reason}.`);
}
