import type { Bbox } from "@swath/geometry";
import { Remembered } from "@swath/http";
import type { CollectionSchema } from "@swath/schema";
import type { Catalog, CatalogOptions } from "../catalog.ts";
import { CatalogError } from "../errors.ts";

/** Time for which the box of a scene is kept, milliseconds; where the catalog failed, that of none is kept for less. */
const KEPT_MS = 600_000;
const FAILED_MS = 60_000;
/** Time for which a document waits for the search, milliseconds. */
const DEADLINE_MS = 3000;

/** Collections of which it is kept. */
const MAX_KEPT = 1000;

/** The boxes of the newest scenes of collections: one search of one item for each collection in ten minutes. */
export class RecentScenes {
  readonly #catalog: Pick<Catalog, "search">;
  readonly #known: Remembered<{ readonly bbox: Bbox | undefined; readonly hasFailed: boolean }>;

  constructor(catalog: Pick<Catalog, "search">, now: () => Date) {
    this.#catalog = catalog;
    this.#known = new Remembered({
      max: MAX_KEPT,
      ttlMs: ({ hasFailed }) => (hasFailed ? FAILED_MS : KEPT_MS),
      now: () => now().getTime(),
    });
  }

  /**
   * The box of a collection's newest scene; `undefined` where there is none, or the catalog does not say in three seconds.
   *
   * @throws the reason of `signal` when that is aborted.
   */
  async of({ id }: CollectionSchema, { signal }: CatalogOptions): Promise<Bbox | undefined> {
    const { bbox } = await this.#known.of(id, (shared) => this.#search(id, shared), signal);
    return bbox;
  }

  async #search(id: string, signal: AbortSignal) {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    try {
      const query = {
        collections: [id],
        sortby: [{ field: "datetime", direction: "desc" }],
        limit: 1,
      } as const;
      const { items } = await this.#catalog.search(query, { signal: AbortSignal.any([signal, deadline]) });
      return { bbox: items[0]?.bbox, hasFailed: false };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CatalogError) && !deadline.aborted) throw error;
      return { bbox: undefined, hasFailed: true };
    }
  }
}
