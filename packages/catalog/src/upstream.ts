import type { ItemQuery } from "@swath/query";
import { type CollectionRegistry, type CollectionSchema, defaultRegistry, upstreamCollections } from "@swath/schema";
import type { CatalogOptions, Extent, MergeableCatalog, TokenPage } from "./catalog.ts";
import { isPerCollection } from "./collection-order.ts";
import { CatalogError } from "./errors.ts";
import type { Item } from "./item.ts";
import { mergedPage } from "./merged-page.ts";
import { pageEnd } from "./page-end.ts";
import { toServiceItem } from "./service-item.ts";
import { queryHash } from "./token.ts";
import { type UpstreamClient, type UpstreamOptions, type UpstreamPage, upstreamClient } from "./upstream-client.ts";
import { conformanceReader } from "./upstream-conformance.ts";
import { toUpstreamExtent } from "./upstream-extent.ts";
import { findLinkPosition, linkSearch } from "./upstream-link-search.ts";
import { cursorAt, isMadeOfValues } from "./upstream-order.ts";
import { walk } from "./upstream-pages.ts";
import { toUpstreamPlan, type UpstreamPlan } from "./upstream-plan.ts";
import { MAX_PAGE } from "./upstream-step.ts";
import { toPosition, toValuesPage } from "./upstream-values-page.ts";

const EXTENT_TTL_MS = 600_000;

/** An upstream, and what its answers have shown of its tokens. */
interface Upstream {
  readonly client: UpstreamClient;
  /** Milliseconds. */
  readonly now: () => number;
  /** Whether its tokens are its own, so that a search begins with pages of just the size that is wanted. */
  hasOwnTokens: boolean;
}

/**
 * A catalogue in front of an upstream STAC API. Conditions that the upstream can evaluate are sent to it; the rest of a
 * filter is applied to its responses. Items come whole: the upstream is never sent `fields`. Where its tokens are the
 * sort values of the last item, as stac-server makes them, tokens for every item are made here; else pages are read by
 * its own links.
 */
export function createUpstreamCatalog(options: UpstreamOptions): MergeableCatalog {
  const client = upstreamClient(options);
  const { registry = defaultRegistry, name = "default" } = options;
  const own = registry.withUpstreams([name]);
  const toItem = (document: unknown): Item | undefined => toServiceItem(document, own, name);
  const now = options.now ?? Date.now;
  const upstream: Upstream = { client, now, hasOwnTokens: false };
  const extents = new Map<string, { readonly until: number; readonly extent: Extent }>();
  const filters = conformanceReader(client, now);
  const planOf = async (query: ItemQuery): Promise<UpstreamPlan> => {
    const plan = toUpstreamPlan(query, own, toItem);
    if (!plan.hasConditions || plan.collections.length === 0) return plan;
    const taken = await filters();
    return taken.cql2.size === 0 ? plan : toUpstreamPlan(query, own, toItem, taken);
  };
  const searchWithTokens: MergeableCatalog["searchWithTokens"] = async (query, { signal, maxItems } = {}) => {
    const started = now();
    const plan = await planOf(query);
    signal?.throwIfAborted();
    // waiting for the landing page of an upstream that does not answer is a part of the time that a search has
    const spentMs = now() - started;
    const first: UpstreamClient = { ...client, search: (body, how) => client.search(body, { ...how, spentMs }) };
    return search(upstream, first, plan, query, { signal, maxItems });
  };
  const catalog: MergeableCatalog = {
    search: async (query, options = {}) => {
      const asked = collectionsOf(query, own);
      if (isPerCollection(query, asked)) {
        const members = asked.map(({ id }) => ({ name: id, catalog, query: { ...query, collections: [id] } }));
        return mergedPage(members, query, options);
      }
      const { tokenAt: _, ...page } = await searchWithTokens(query, options);
      return page;
    },
    searchWithTokens,
    item: async (collection, id, { signal } = {}) => {
      const schema = own.find(collection)?.collection;
      if (schema === undefined) return undefined;
      for (const upstreamCollection of upstreamCollections(schema.upstream)) {
        const item = toItem(await client.item(upstreamCollection, id, signal));
        if (item !== undefined) return item.collection === schema.id ? item : undefined;
      }
      return undefined;
    },
    extent: async (collection, { signal }: CatalogOptions = {}) => {
      const known = extents.get(collection);
      if (known !== undefined && known.until > now()) return known.extent;
      const schema = own.find(collection)?.collection;
      const document = schema && (await client.collection(schema.upstream.collection, signal));
      if (schema === undefined || document === undefined) {
        throw new CatalogError("unavailable", `The upstream has no collection "${collection}".`);
      }
      const extent = toUpstreamExtent(document, schema);
      extents.set(collection, { until: now() + EXTENT_TTL_MS, extent });
      return extent;
    },
    ping: ({ signal } = {}) => client.ping(signal),
  };
  return catalog;
}

/** The collections that a search names, each once; all where it names none. */
function collectionsOf(query: ItemQuery, own: CollectionRegistry): CollectionSchema[] {
  const asked = query.collections.length === 0 ? own.ids : query.collections;
  return [...new Set(asked.flatMap((id) => own.find(id)?.collection ?? []))];
}

async function search(
  upstream: Upstream,
  client: UpstreamClient,
  plan: UpstreamPlan,
  query: ItemQuery,
  { signal, maxItems }: CatalogOptions,
): Promise<TokenPage> {
  const { now } = upstream;
  // an upstream that loses CQL2 on its way through the pages answers items that are dropped here as well
  const mustEnd = pageEnd(now, plan.isFiltered || plan.body.filter !== undefined, maxItems);
  const { order } = plan;
  const hash = queryHash(query);
  const link = query.token === undefined ? undefined : findLinkPosition(hash, query.token);
  const position = query.token === undefined || link !== undefined ? undefined : toPosition(hash, query.token);
  if (plan.collections.length === 0) return { items: [], numberMatched: 0, tokenAt: () => undefined };
  const links = {
    client,
    plan,
    hash,
    limit: query.limit,
    mustEnd,
    position: link,
    onTokens: (areOwn: boolean): void => {
      upstream.hasOwnTokens = areOwn;
    },
    signal,
  };
  if (link !== undefined || (position === undefined && (upstream.hasOwnTokens || !order.isTotal))) {
    return linkSearch(links);
  }
  const backwards = position?.direction === "prev";
  const sortby = backwards ? order.reversed : order.sortby;
  const before = position === undefined ? 0 : position.before;
  let whole: { readonly size: number; readonly page: UpstreamPage } | undefined;
  const walked = await walk({
    ask: async (size, cursor) => {
      const token = cursor === undefined ? {} : { next: cursor };
      const body = { ...plan.body, ...(sortby === undefined ? {} : { sortby }), limit: size, ...token };
      const page = await client.search(body, { signal, hasToken: position !== undefined });
      if (cursor === undefined && isMadeOfValues(page, order) !== true) {
        // without a link there is nothing to be seen of the tokens, and nothing else to read
        if (page.next === undefined) whole = { size, page };
        return undefined;
      }
      const last = page.items.at(-1);
      return { items: page.items, matched: page.matched, next: page.next && last && cursorAt(last, order) };
    },
    accept: plan.accept,
    cursor: position?.cursor,
    limit: query.limit,
    remaining: (matched) => {
      if (backwards) return before;
      return matched === undefined || before === undefined ? undefined : matched - before;
    },
    isFiltered: plan.isFiltered,
    maxPage: MAX_PAGE,
    mustEnd,
  });
  if (walked === undefined) return linkSearch({ ...links, first: whole });
  return toValuesPage(walked, plan, hash, position);
}
