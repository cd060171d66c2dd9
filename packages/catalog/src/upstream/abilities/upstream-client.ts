import type { CollectionRegistry } from "@swath/schema";
import type { UpstreamKindFile } from "@swath/schema/files";
import { upstreamKindOf } from "@swath/schema/upstreams";
import {
  type AggregationAnswer,
  createStacClient,
  type PageRequest,
  type SearchPage,
  type StacClient,
  StacClientError,
  type StacClientOptions,
} from "@swath/stac";
import { CatalogError } from "../../errors.ts";
import type { Json } from "../../json.ts";

/** The upstream: its address with the options of a STAC client, or a client; and its registry. */
export type UpstreamOptions = (StacClientOptions | { readonly client: StacClient; readonly now?: () => number }) & {
  /** Its collections are those whose `upstream.name` is `name`. Default: the registry of the built-in collections. */
  readonly registry?: CollectionRegistry | undefined;
  /** Name of the upstream in the registry. Default `default`. */
  readonly name?: string | undefined;
  /** The abilities of the upstream. Default: those of the kind that its host is known to be of. */
  readonly kind?: UpstreamKindFile | undefined;
};

/** The kind of an upstream. */
export function upstreamKind(options: UpstreamOptions): UpstreamKindFile {
  return options.kind ?? upstreamKindOf("client" in options ? options.client.url : options.url);
}

type Signal = AbortSignal | undefined;

/** One page of the upstream, with its own links. */
export interface UpstreamPage {
  readonly items: readonly Json[];
  readonly matched: number | undefined;
  readonly next: PageRequest | undefined;
  readonly prev: PageRequest | undefined;
}

interface PageOptions {
  readonly signal: Signal;
  /** Whether the request holds what a client's token says. */
  readonly hasToken: boolean;
  /** Milliseconds of the search's time that are over already. */
  readonly spentMs?: number;
  /** Tries after the first; default those of the client. */
  readonly retries?: number | undefined;
}

/** The requests of the catalogue to its upstream; every failure is a `CatalogError`. */
export interface UpstreamClient {
  /** Address of the upstream's search. */
  readonly searchUrl: string;
  /** @param body may hold `next`, the cursor after which the page starts. */
  search(body: Json, options: PageOptions): Promise<UpstreamPage>;
  /** Returns the page that a link of the upstream leads to, of the size that the link states. */
  page(request: PageRequest, options: PageOptions): Promise<UpstreamPage>;
  item(collection: string, id: string, signal: Signal): Promise<unknown>;
  collection(id: string, signal: Signal): Promise<Json | undefined>;
  /** Ids of collections that it has. */
  collectionIds(signal: Signal): Promise<readonly string[]>;
  /** Returns the counts of items that satisfy some conditions (STAC aggregation extension). */
  aggregate(parameters: Readonly<Record<string, string>>, signal: Signal): Promise<AggregationAnswer>;
  /** The conformance classes of its landing page; none where it names none. */
  conformsTo(signal: Signal): Promise<readonly string[]>;
  ping(signal: Signal): Promise<void>;
}

export function upstreamClient(options: UpstreamOptions): UpstreamClient {
  const client = "client" in options ? options.client : createStacClient(options);
  return {
    searchUrl: `${client.url}/search`,
    search: async (body, { signal, hasToken, spentMs, retries }) =>
      toUpstreamPage(await withCatalogError(client.search(body, { signal, spentMs, retries }), hasToken)),
    page: async (request, { signal, hasToken, spentMs, retries }) =>
      toUpstreamPage(
        await withCatalogError(client.page(request, { signal, spentMs, retries, keepsLimit: true }), hasToken),
      ),
    item: (collection, id, signal) => withCatalogError(client.item(collection, id, { signal })),
    collection: (id, signal) => withCatalogError(client.collection(id, { signal })),
    collectionIds: (signal) => withCatalogError(client.collectionIds({ signal, retries: 0 })),
    aggregate: (parameters, signal) => withCatalogError(client.aggregate(parameters, { signal, retries: 0 })),
    conformsTo: async (signal) => (await withCatalogError(client.landing({ signal }))).conformsTo ?? [],
    ping: async (signal) => {
      await withCatalogError(client.landing({ signal }));
    },
  };
}

function toUpstreamPage({ items, numberMatched, next, prev }: SearchPage): UpstreamPage {
  return { items, matched: numberMatched, next, prev };
}

async function withCatalogError<T>(answer: Promise<T>, hasToken = false): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw cause instanceof StacClientError ? catalogError(cause, hasToken) : cause;
  }
}

function catalogError(cause: StacClientError, hasToken: boolean): CatalogError {
  const { message, retryAfter } = cause;
  switch (cause.code) {
    case "timeout":
      return new CatalogError("timeout", message, { cause, retryAfter });
    case "rejected":
      // the upstream accepted the same search before: what it refuses is the cursor
      return hasToken
        ? new CatalogError("invalid-token", "The upstream refused the token.", { cause })
        : new CatalogError("rejected", message, { cause });
    case "not-found":
      if (hasToken) return new CatalogError("invalid-token", "The upstream no longer knows the token.", { cause });
      return new CatalogError("unavailable", message, { cause });
    default:
      return new CatalogError("unavailable", message, { cause, retryAfter });
  }
}
