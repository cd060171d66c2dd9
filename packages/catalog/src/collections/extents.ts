import type { CollectionSchema } from "@swath/schema";
import type { Catalog, CatalogOptions, Extent } from "../catalog.ts";
import { CatalogError } from "../errors.ts";

/** The area and time in which a collection has items, as far as they are known. */
export interface KnownExtent {
  readonly extent: Extent;
  /** False where the catalog did not answer: then it is the last extent that it gave, or the schema's. */
  readonly isCurrent: boolean;
  /** Whether the catalog has the collection: some upstreams lack collections of theirs. Where they do, the extent is the schema's. */
  readonly isThere: boolean;
}

/** Longest that a document waits which does not need the catalog, milliseconds. */
const SURVEY_MS = 1000;

/**
 * Extents of collections that are known even while the catalog does not answer: a document that only lacks its extent
 * is still served.
 */
export class Extents {
  readonly #catalog: Pick<Catalog, "extent">;
  readonly #last = new Map<string, Extent>();
  readonly #missing = new Set<string>();
  #survey: Promise<unknown> | undefined;

  constructor(catalog: Pick<Catalog, "extent">) {
    this.#catalog = catalog;
  }

  /**
   * The catalog's extent; while the catalog fails, the last one that it gave, and before the first the whole world
   * since the collection's start.
   *
   * @throws the reason of `signal` when that is aborted.
   */
  async of(collection: CollectionSchema, options: CatalogOptions): Promise<KnownExtent> {
    const { id } = collection;
    try {
      const extent = await this.#catalog.extent(id, options);
      if (extent === undefined) {
        this.#missing.add(id);
        this.#last.delete(id);
      } else {
        this.#missing.delete(id);
        this.#last.set(id, extent);
      }
      return { extent: extent ?? schemaExtent(collection), isCurrent: true, isThere: extent !== undefined };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof CatalogError)) throw error;
      const extent = this.#last.get(id) ?? schemaExtent(collection);
      return { extent, isCurrent: false, isThere: !this.#missing.has(id) };
    }
  }

  /**
   * The collections that the catalog had when it was last asked; those of which it is not known are among them. Only the
   * first call asks the catalog, and waits for it no longer than a second: documents that are nothing but links are served
   * as fast without it.
   */
  async there(collections: readonly CollectionSchema[]): Promise<readonly CollectionSchema[]> {
    this.#survey ??= Promise.race([
      Promise.allSettled(collections.map((each) => this.of(each, {}))),
      new Promise((resolve) => void setTimeout(resolve, SURVEY_MS).unref()),
    ]);
    await this.#survey;
    return collections.filter(({ id }) => !this.#missing.has(id));
  }
}

function schemaExtent({ start }: CollectionSchema): Extent {
  return { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[start, null]] } };
}
