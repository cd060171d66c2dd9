import type { CollectionSchema } from "./collection.ts";
import { landsatOtL2 } from "./collections/landsat-ot-l2.ts";
import { sentinel2L2a } from "./collections/sentinel-2-l2a.ts";

/** Live collections by id. To add one, write its file under `collections/` and name it here. */
export const collections = {
  "sentinel-2-l2a": sentinel2L2a as CollectionSchema,
  "landsat-ot-l2": landsatOtL2 as CollectionSchema,
} as const satisfies Readonly<Record<string, CollectionSchema>>;

/** Id of a live collection. */
export type LiveCollectionId = keyof typeof collections;

/** Ids of the live collections, in the order they are listed. */
export const LIVE_COLLECTION_IDS = Object.keys(collections) as readonly LiveCollectionId[];
