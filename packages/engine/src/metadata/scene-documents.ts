import type { Item } from "@swath/catalog";
import { CogError, type Source } from "@swath/cog";
import { mapLimited, Remembered } from "@swath/http";
import type { CollectionSchema } from "@swath/schema";
import { unavailable, unreadable } from "../run/errors.ts";
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

/** @param sourceFor how files are read, with the credentials and limits of images. */
export function sceneDocuments(sourceFor: (href: string) => Source): SceneDocuments {
  // a document that is not there may come
  const known = new Remembered<unknown>({ max: KEPT, ttlMs: (found) => (found === undefined ? 0 : Infinity) });
  const load = async (href: string, signal: AbortSignal): Promise<unknown> => {
    try {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
      const bytes = await readWhole(sourceFor(href), ending);
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch (cause) {
      if (cause instanceof CogError && cause.code === "not-found") return undefined;
      const what = "The document with a scene's factors cannot be read";
      throw cause instanceof CogError ? unreadable(what, cause) : unavailable(`${what}.`, { cause });
    }
  };
  return { read: (href, signal) => known.of(href, (shared) => load(href, shared), signal) };
}

async function readWhole(source: Source, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = await source.read(0, MAX_BYTES, { signal });
  if (bytes.length >= MAX_BYTES) throw new RangeError(`A scene's document has more than ${MAX_BYTES} bytes.`);
  return bytes;
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
