import type { Item } from "@swath/catalog";
import { CogError, type Source } from "@swath/cog";
import type { CollectionSchema } from "@swath/schema";
import { LRUCache } from "lru-cache";
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
  const known = new LRUCache<string, { readonly document: unknown }>({ max: KEPT });
  const reading = new Map<string, Promise<unknown>>();

  const load = async (href: string): Promise<unknown> => {
    try {
      const bytes = await readWhole(sourceFor(href), AbortSignal.timeout(DEADLINE_MS));
      const document: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      known.set(href, { document });
      return document;
    } catch (cause) {
      if (cause instanceof CogError && cause.code === "not-found") return undefined;
      const what = "The document with a scene's factors cannot be read";
      throw cause instanceof CogError ? unreadable(what, cause) : unavailable(`${what}.`, { cause });
    } finally {
      reading.delete(href);
    }
  };
  return {
    read: async (href, signal) => {
      const found = known.get(href);
      if (found !== undefined) return found.document;
      let shared = reading.get(href);
      if (shared === undefined) {
        shared = load(href);
        reading.set(href, shared);
      }
      return unlessAborted(shared, signal);
    },
  };
}

async function readWhole(source: Source, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = await source.read(0, MAX_BYTES, { signal });
  if (bytes.length >= MAX_BYTES) throw new RangeError(`A scene's document has more than ${MAX_BYTES} bytes.`);
  return bytes;
}

/** A reading that others wait for too goes on without the one who left. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
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
  const found: Item[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const some = items.slice(start, start + AT_ONCE).map(async (item) => {
      const href = item.assets[scaling.asset]?.href;
      const document = href === undefined ? undefined : await documents?.read(href, signal);
      return withSceneFactors(item, collection, document);
    });
    found.push(...(await Promise.all(some)));
  }
  return found;
}
