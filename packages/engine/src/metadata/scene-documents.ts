import type { Item } from "@swath/catalog";
import type { Source } from "@swath/cog";
import { mapLimited } from "@swath/http";
import type { CollectionSchema } from "@swath/schema";
import { Documents } from "./documents.ts";
import { withSceneFactors } from "./scene-factors.ts";

/** Documents of scenes by address, for factors that items do not carry. */
export interface SceneDocuments {
  /**
   * The JSON document; `undefined` where there is none.
   *
   * @throws {Refusal} `upstream-unavailable` where it cannot be read, or is not JSON.
   */
  read(href: string, signal: AbortSignal): Promise<unknown>;
}

/** Documents kept: a Landsat scene has 15 kB, which are some 50 kB as values. */
const KEPT = 500;
/** Bytes of a document. */
const MAX_BYTES = 262_144;
/** Milliseconds in which a document is read. */
const DEADLINE_MS = 8000;
/** Documents of one request that are read at once. */
const AT_ONCE = 8;

/** @param sourceFor opens files, with the keys, tokens and limits of images. */
export function sceneDocuments(sourceFor: (href: string) => Source): SceneDocuments {
  const documents = new Documents<unknown>({
    sourceFor,
    maxBytes: MAX_BYTES,
    deadlineMs: DEADLINE_MS,
    parse: (bytes) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    max: KEPT,
    // one that is not there may be written later
    ttlMs: (document) => (document === undefined ? 0 : Number.POSITIVE_INFINITY),
    absent: undefined,
  });
  return {
    read: (href, signal) => documents.read(href, "The document with a scene's factors cannot be read", signal),
  };
}

/**
 * Items for planning: where the collection's factors are in a document of each scene, with those; others as they are.
 *
 * @throws {Refusal} `upstream-unavailable` for a document that cannot be read.
 */
export async function withFactors(
  items: readonly Item[],
  collection: CollectionSchema,
  documents: SceneDocuments | undefined,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const { scaling } = collection;
  if (scaling === undefined) return items;
  return mapLimited(items, AT_ONCE, async (item) => {
    const href = item.assets[scaling.asset]?.href;
    const document = href === undefined ? undefined : await documents?.read(href, signal);
    return withSceneFactors(item, collection, document);
  });
}
