import type { Item } from "@swath/catalog";
import { itemKey } from "@swath/catalog/overpasses";
import { mapLimited } from "@swath/http";
import {
  type AngleGrid,
  computedAngles,
  type FactorGrid,
  type KernelWeights,
  nadirFactors,
  nodesOver,
} from "@swath/mosaic/nbar";
import { itemTime } from "@swath/query";
import { CrsError, resolveCrs } from "@swath/raster";
import { type AngleSource, nadirAdjustment, PRESCRIBED_SUN_ZENITH } from "@swath/schema/harmonization";
import { bandOfItem, type ItemBand } from "../items/item-bands.ts";
import { assetFact, placementOf } from "../items/placement.ts";
import type { AngleReader } from "../metadata/angle-reader.ts";
import { anglesOfBand } from "../metadata/granule-metadata.ts";
import { Refusal } from "../refusal.ts";
import type { BandProgram } from "../what/band-program.ts";

/** c-factors by key of the item and name of the product's band; none for bands that stay as they are. */
export type NadirFactors = ReadonlyMap<string, ReadonlyMap<string, FactorGrid>>;

/** The inputs of an item's c-factors, before any angle is read. */
export interface NadirScene {
  readonly item: Item;
  /** Bands that change. */
  readonly bands: readonly NadirBand[];
  /** Absent where no band changes. */
  readonly angles?: AnglesOfScene;
}

interface NadirBand {
  /** Name of the band in the product. */
  readonly name: string;
  /** Native name of the band in the item's collection. */
  readonly native: string;
  readonly weights: KernelWeights;
}

/** Reads or computes a scene's angles, by native name of a band; `undefined` where it has none. */
type AnglesOfScene = (reader: AngleReader, signal: AbortSignal) => Promise<(band: string) => AngleGrid | undefined>;

/** Items whose angles are read at the same time. */
const AT_ONCE = 16;

/**
 * Returns the inputs of the c-factors of items at the level `nbar`, one for each item; empty for products of other
 * levels. Nothing is read.
 *
 * @throws {Refusal} `harmonize-unavailable` where an item says too little: no metadata file, no orbit.
 */
export function nadirScenes(
  items: readonly Item[],
  product: Pick<BandProgram, "match" | "bands" | "isNadir">,
): readonly NadirScene[] {
  return product.isNadir ? items.map((item) => nadirScene(item, product)) : [];
}

/**
 * Returns the c-factors of scenes. Angles are read or computed once per item.
 *
 * @throws {Refusal} `harmonize-unavailable` where a scene's metadata has no angles, `upstream-unavailable` where they
 *   cannot be read.
 */
export async function nadirFactorsOf(
  scenes: readonly NadirScene[],
  { angles, signal }: { readonly angles: AngleReader; readonly signal: AbortSignal },
): Promise<NadirFactors> {
  const found = await mapLimited(scenes, AT_ONCE, (scene) => factorsOfScene(scene, angles, signal));
  return new Map(scenes.map(({ item }, i) => [itemKey(item), found[i]!]));
}

/** The c-factors of a band of an item as a part of its conversion. */
export function nadirPart(factors: NadirFactors, item: Item, band: string): { readonly factors?: FactorGrid } {
  const own = factors.get(itemKey(item));
  if (own === undefined) throw new TypeError(`The c-factors of scene ${item.id} are not known.`);
  const grid = own.get(band);
  return grid === undefined ? {} : { factors: grid };
}

function nadirScene(item: Item, { match, bands }: Pick<BandProgram, "match" | "bands">): NadirScene {
  const changing: NadirBand[] = [];
  let angles: AnglesOfScene | undefined;
  for (const asked of bands) {
    const own = bandOfItem(item, match.collection, asked);
    // that a band is absent is said by those who read it
    if (own === undefined) continue;
    const adjustment = nadirAdjustment(own.collection, own.band);
    const source = own.collection.harmonize.nbar?.angles;
    if (adjustment === undefined || source === undefined) {
      throw noFactors(item, `there are no kernel weights of ${own.band.name}`);
    }
    if (adjustment.kind === "unchanged") continue;
    angles ??= anglesOf(item, own, source);
    changing.push({ name: asked.name, native: own.band.name, weights: adjustment.weights });
  }
  return { item, bands: changing, ...(angles === undefined ? {} : { angles }) };
}

async function factorsOfScene(
  { item, bands, angles }: NadirScene,
  reader: AngleReader,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FactorGrid>> {
  const factors = new Map<string, FactorGrid>();
  const anglesOfBands = await angles?.(reader, signal);
  for (const { name, native, weights } of bands) {
    const grid = anglesOfBands?.(native);
    if (grid === undefined) throw noFactors(item, `its metadata has no angles of ${native}`);
    factors.set(name, nadirFactors(grid, weights, PRESCRIBED_SUN_ZENITH.coefficients));
  }
  return factors;
}

function anglesOf(item: Item, band: ItemBand, source: AngleSource): AnglesOfScene {
  switch (source.kind) {
    case "granule-metadata": {
      const href = item.assets[source.asset]?.href;
      if (href === undefined) throw noFactors(item, `it has no asset ${source.asset}`);
      return async (reader, signal) => {
        const granule = await reader.read(href, item.id, signal);
        return (name) => {
          const bandId = Object.hasOwn(source.bandIds, name) ? source.bandIds[name] : undefined;
          return granule === undefined || bandId === undefined ? undefined : anglesOfBand(granule, bandId);
        };
      };
    }
    case "computed": {
      const compute = computedGrid(item, band, source);
      return async () => {
        const grid = compute();
        return () => grid;
      };
    }
    case "normalized":
      return async () => () => undefined;
  }
}

/** One grid for all bands: they are seen within a second. */
function computedGrid(
  item: Item,
  { asset }: ItemBand,
  { path: property, orbit }: Extract<AngleSource, { kind: "computed" }>,
): () => AngleGrid {
  const time = Date.parse(itemTime(item.properties) ?? "");
  if (!Number.isFinite(time)) throw noFactors(item, "it has no time");
  const path = Number(item.properties[property]);
  if (!(Number.isInteger(path) && path >= 1 && path <= orbit.orbits)) throw noFactors(item, `it has no ${property}`);
  const placement = placementOf(item, asset);
  const shape = assetFact(item, asset, "proj:shape");
  if (placement === undefined || !isResolved(placement.crs) || !isShape(shape)) {
    throw noFactors(item, "it does not say where its pixels are (proj:code, proj:shape, proj:transform)");
  }
  const [rows, columns] = shape;
  if (rows < 1 || columns < 1) throw noFactors(item, "it has no pixels");
  return () => computedAngles(nodesOver(placement.crs, placement.transform, [columns, rows]), { time, orbit, path });
}

const isShape = (value: unknown): value is readonly [rows: number, columns: number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

/** Whether a CRS is known without being loaded. */
function isResolved(crs: string): boolean {
  try {
    return resolveCrs(crs).name !== "";
  } catch (error) {
    if (error instanceof CrsError) return false;
    throw error;
  }
}

function noFactors(item: Item, reason: string): Refusal {
  return new Refusal("harmonize-unavailable", [], `Scene ${item.id} cannot be given at nbar: ${reason}.`);
}
