import type { CollectionRegistry } from "@swath/schema";
import {
  createStacClient,
  type SearchPage,
  type StacClient,
  StacClientError,
  type StacClientOptions,
} from "@swath/stac";
import { CatalogError } from "./errors.ts";
import { type Json, textOf } from "./json.ts";
import type { UpstreamAnswer } from "./upstream-pages.ts";

/** Where the upstream is: its address with the options of a STAC client, or a client; and its registry. */
export type UpstreamOptions = (StacClientOptions | { readonly client: StacClient; readonly now?: () => number }) & {
  /** Its collections are those whose `upstream.name` is `name`. Default: the registry of the built-in collections. */
  readonly registry?: CollectionRegistry | undefined;
  /** Name of the upstream in the registry. Default `default`. */
  readonly name?: string | undefined;
};

type Signal = AbortSignal | undefined;

/** The requests of the catalogue to its upstream; every failure is a `CatalogError`. */
export interface UpstreamClient {
  /** @param body may hold `next`, the cursor after which the page starts; `hasToken` says that it came with a client's token. */
  search(body: Json, options: { readonly signal: Signal; readonly hasToken: boolean }): Promise<UpstreamAnswer>;
  item(collection: string, id: string, signal: Signal): Promise<unknown>;
  collection(id: string, signal: Signal): Promise<Json | undefined>;
  ping(signal: Signal): Promise<void>;
}

/** @param member of a search body in which the upstream takes its cursor. */
export function upstreamClient(options: UpstreamOptions, member = "next"): UpstreamClient {
  const client = "client" in options ? options.client : createStacClient(options);
  return {
    search: async ({ next, ...rest }, { signal, hasToken }) => {
      const body = next === undefined ? rest : { ...rest, [member]: next };
      return toAnswer(await withCatalogError(client.search(body, { signal }), hasToken), member);
    },
    item: (collection, id, signal) => withCatalogError(client.item(collection, id, { signal })),
    collection: (id, signal) => withCatalogError(client.collection(id, { signal })),
    ping: async (signal) => {
      await withCatalogError(client.landing({ signal }));
    },
  };
}

/** @throws {CatalogError} `unavailable` for a next link without the member, rather than to lose items. */
function toAnswer({ items, numberMatched, next }: SearchPage, member: string): UpstreamAnswer {
  const cursor = next?.method === "POST" ? textOf(next.body[member]) : undefined;
  if (next !== undefined && cursor === undefined) {
    throw new CatalogError(
      "unavailable",
      `The upstream's next link has no \`${member}\` in its body: its paging is not known.`,
    );
  }
  return { items, matched: numberMatched, next: cursor };
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
    default:
      return new CatalogError("unavailable", message, { cause, retryAfter });
  }
}
