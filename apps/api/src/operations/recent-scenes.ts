import { type Catalog, CatalogError, type CatalogOptions } from "@swath/catalog";
import { InFlight } from "@swath/http";
import type { Bbox } from "@swath/raster";
import type { CollectionSchema } from "@swath/schema";

/** How long the box of a scene is kept; that of none, where the catalog failed, for less. */
const KEPT_MS = 600_000;
const FAILED_MS = 60_000;
/** How long a document waits for the search. */
const DEADLINE_MS = 3000;

interface Known {
  readonly bbox: Bbox | undefined;
  readonly until: number;
}

/** Where the newest scenes of collections are: one search of one item for each collection in ten minutes. */
export class RecentScenes {
  readonly #catalog: Pick<Catalog, "search">;
  readonly #now: () => Date;
  readonly #known = new Map<string, Known>();
  readonly #inFlight = new InFlight<Bbox | undefined>();

  constructor(catalog: Pick<Catalog, "search">, now: () => Date) {
    this.#catalog = catalog;
    this.#now = now;
  }

  /**
   * The box of a collection's newest scene; `undefined` where there is none, or the catalog does not say in three seconds.
   *
   * @throws the reason of `signal` when that is aborted.
   */
  async of({ id }: CollectionSchema, { signal }: CatalogOptions): Promise<Bbox | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined && this.#now().getTime() < known.until) return known.bbox;
    return await this.#inFlight.share(id, (shared) => this.#search(id, shared), signal);
  }

  async #search(id: string, signal: AbortSignal): Promise<Bbox | undefined> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    try {
      const query = {
        collections: [id],
        sortby: [{ field: "datetime", direction: "desc" }],
        limit: 1,
      } as const;
      const { items } = await this.#catalog.search(query, { signal: AbortSignal.any([signal, deadline]) });
      return this.#keep(id, items[0]?.bbox, KEPT_MS);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CatalogError) && !deadline.aborted) throw error;
      return this.#keep(id, undefined, FAILED_MS);
    }
  }

  #keep(id: string, bbox: Bbox | undefined, milliseconds: number): Bbox | undefined {
    this.#known.set(id, { bbox, until: this.#now().getTime() + milliseconds });
    return bbox;
  }
}
