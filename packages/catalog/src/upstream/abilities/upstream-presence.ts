import type { CollectionSchema } from "@swath/schema";
import { upstreamCollections } from "@swath/schema/upstreams";
import type { Json } from "../../json.ts";
import type { UpstreamClient } from "./upstream-client.ts";

type Signal = AbortSignal | undefined;

/** Milliseconds for which it is remembered that a collection is there, and that it is not. */
const [THERE_MS, ABSENT_MS] = [3_600_000, 600_000];

/**
 * The collections that an upstream has, and their names there: they are asked for when needed, and remembered. A search
 * asks only for collections that have other names.
 */
export class Presence {
  readonly #client: Pick<UpstreamClient, "collection" | "collectionIds">;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly until: number; readonly isThere: boolean }>();
  #listed: { readonly until: number; readonly ids: readonly string[] } | undefined;

  /** @param now milliseconds. */
  constructor(client: Pick<UpstreamClient, "collection" | "collectionIds">, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /**
   * The document of the first of a collection's names at the upstream that it has.
   *
   * @throws {CatalogError} `unavailable`, `timeout`.
   */
  async document({ upstream }: CollectionSchema, signal: Signal): Promise<Json | undefined> {
    for (const first of upstreamCollections(upstream)) {
      for (const name of [first, ...(upstream.otherNames?.[first] ?? [])]) {
        if (this.#isKnown(name) === false) continue;
        const document = await this.#ask(name, signal);
        if (document !== undefined) return document;
      }
    }
    return undefined;
  }

  /** @throws {CatalogError} `unavailable`, `timeout`. */
  async has(collection: CollectionSchema, signal: Signal): Promise<boolean> {
    const names = upstreamCollections(collection.upstream);
    const others = names.flatMap((name) => collection.upstream.otherNames?.[name] ?? []);
    if ([...names, ...others].some((name) => this.#isKnown(name) === true)) return true;
    return (await this.document(collection, signal)) !== undefined;
  }

  /**
   * The names by which the upstream has these of its collections, without those that it is known to lack. Where it cannot
   * be asked, the first name.
   */
  async names(collection: CollectionSchema, wanted: readonly string[], signal: Signal): Promise<readonly string[]> {
    const { otherNames = {} } = collection.upstream;
    const found = await Promise.all(
      wanted.map(async (first) => {
        const others = otherNames[first] ?? [];
        if (others.length === 0) return this.#isKnown(first) === false ? [] : [first];
        for (const name of [first, ...others]) if (await this.#isThere(name, signal)) return [name];
        return [];
      }),
    );
    return found.flat();
  }

  /** Ids of the collections that the upstream has; none where it does not list them. */
  async ids(signal: Signal): Promise<readonly string[]> {
    if (this.#listed !== undefined && this.#listed.until > this.#now()) return this.#listed.ids;
    const ids = await this.#client.collectionIds(signal).catch(() => []);
    signal?.throwIfAborted();
    if (ids.length > 0) this.#listed = { until: this.#now() + ABSENT_MS, ids };
    return ids;
  }

  /**
   * Asks for collections of which nothing is known, after a search for them found that something is not there.
   *
   * @returns whether the upstream lacks one of them.
   * @throws {CatalogError} `unavailable`, `timeout`.
   */
  async lacksAny(names: readonly string[], signal: Signal): Promise<boolean> {
    const unknown = names.filter((name) => this.#isKnown(name) === undefined);
    const found = await Promise.all(unknown.map((name) => this.#ask(name, signal)));
    return found.includes(undefined);
  }

  async #isThere(name: string, signal: Signal): Promise<boolean> {
    const known = this.#isKnown(name);
    if (known !== undefined) return known;
    try {
      return (await this.#ask(name, signal)) !== undefined;
    } catch {
      signal?.throwIfAborted();
      // a search fails by itself where the upstream does not answer
      return true;
    }
  }

  #isKnown(name: string): boolean | undefined {
    const known = this.#known.get(name);
    return known !== undefined && known.until > this.#now() ? known.isThere : undefined;
  }

  async #ask(name: string, signal: Signal): Promise<Json | undefined> {
    const document = await this.#client.collection(name, signal);
    const isThere = document !== undefined;
    this.#known.set(name, { isThere, until: this.#now() + (isThere ? THERE_MS : ABSENT_MS) });
    return document;
  }
}
