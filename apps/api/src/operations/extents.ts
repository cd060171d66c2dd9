import { type Catalog, CatalogError, type CatalogOptions, type Extent } from "@swath/catalog";
import type { CollectionSchema } from "@swath/schema";

/** Where and when a collection has items, as far as it is known. */
export interface KnownExtent {
  readonly extent: Extent;
  /** False where the catalog did not answer: then it is the last extent that it gave, or the schema's. */
  readonly isCurrent: boolean;
}

/**
 * Extents of collections that are known even while the catalog does not answer: a document that only lacks its extent
 * is still served.
 */
export class Extents {
  readonly #catalog: Pick<Catalog, "extent">;
  readonly #last = new Map<string, Extent>();

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
    try {
      const extent = await this.#catalog.extent(collection.id, options);
      this.#last.set(collection.id, extent);
      return { extent, isCurrent: true };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof CatalogError)) throw error;
      return { extent: this.#last.get(collection.id) ?? schemaExtent(collection), isCurrent: false };
    }
  }
}

function schemaExtent({ start }: CollectionSchema): Extent {
  return { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[start, null]] } };
}
