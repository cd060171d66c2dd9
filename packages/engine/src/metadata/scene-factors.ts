import type { Item } from "@swath/catalog";
import {
  type BandFactors,
  type BandSchema,
  type CollectionSchema,
  fileOfBand,
  hasSceneFactors,
  SCENE_FACTORS,
} from "@swath/schema";
import { findPattern } from "@swath/schema/files";
import { parseLandsatMtl } from "./landsat-mtl.ts";

type Factors = Readonly<Record<string, BandFactors>>;

/** The factors that a planned item carries. */
export function sceneFactorsOf({ properties }: Item): Factors | undefined {
  return properties[SCENE_FACTORS] as Factors | undefined;
}

/** Whether a band's values need factors that the item does not carry. */
export function lacksFactors(item: Item, collection: CollectionSchema, band: BandSchema): boolean {
  return hasSceneFactors(collection, band) && sceneFactorsOf(item)?.[band.name] === undefined;
}

/** The item for planning, with the factors that its document names; bands without any have none. */
export function withSceneFactors(item: Item, collection: CollectionSchema, document: unknown): Item {
  const factors: Record<string, BandFactors> = {};
  const { scaling } = collection;
  const mtl = scaling === undefined ? undefined : parseLandsatMtl(document);
  for (const band of collection.bands) {
    const own = mtl && hasSceneFactors(collection, band) ? documentBand(item, collection, band) : undefined;
    const found = own === undefined ? undefined : band.kind === "thermal" ? mtl?.thermal(own) : mtl?.reflectance(own);
    if (found !== undefined) factors[band.name] = found;
  }
  return { ...item, properties: { ...item.properties, [SCENE_FACTORS]: factors } };
}

/** Returns the name of a band in the scene's document: that of its file, which differs between platforms. */
function documentBand(item: Item, { scaling }: CollectionSchema, band: BandSchema): string | undefined {
  const href = item.assets[fileOfBand(band).asset]?.href;
  return href === undefined || scaling === undefined ? undefined : findPattern(href, scaling.band, "$1");
}
