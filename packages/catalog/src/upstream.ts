import { bboxGeometry } from "@swath/geometry";
import { formatDatetime, type ItemQuery, matchesFilter } from "@swath/query";
import { type CollectionRegistry, type CollectionSchema, defaultRegistry } from "@swath/schema";
import type { CatalogOptions, Extent, MergeableCatalog, TokenPage } from "./catalog.ts";
import { isPerCollection } from "./collection-order.ts";
import { CatalogError } from "./errors.ts";
import type { Item } from "./item.ts";
import type { Json } from "./json.ts";
import { mergedPage } from "./merged-page.ts";
import { fullOrder } from "./order.ts";
import { toServiceItem } from "./service-item.ts";
import { fromToken, queryHash, type SortValue, toToken } from "./token.ts";
import { type UpstreamClient, type UpstreamOptions, upstreamClient } from "./upstream-client.ts";
import { toUpstreamExtent } from "./upstream-extent.ts";
import { toUpstreamFilter } from "./upstream-filter.ts";
import { cursorAt, toUpstreamOrder, type UpstreamOrder } from "./upstream-order.ts";
import { type Walked, walk } from "./upstream-pages.ts";

/** Responses stay under 6 MB, above which Earth Search fails: items are 12 to 24 kB. */
const MAX_PAGE = 250;
/** Upstream pages read for one page, where a filter that is applied here drops most of their items. */
const MAX_ANSWERS = 8;
const EXTENT_TTL_MS = 600_000;

interface Plan {
  readonly body: Json;
  readonly order: UpstreamOrder;
  readonly collections: readonly CollectionSchema[];
  readonly accept: (upstream: Json) => Item | undefined;
  readonly isFiltered: boolean;
}

/**
 * A catalogue in front of an upstream STAC API of the kind of Earth Search v1. Conditions that the upstream can evaluate are
 * sent to it; the rest of a filter is applied to its responses. Items come whole: the upstream is never sent `fields`.
 */
export function createUpstreamCatalog(options: UpstreamOptions): MergeableCatalog {
  const client = upstreamClient(options);
  const { registry = defaultRegistry, name = "default" } = options;
  const own = registry.withUpstreams([name]);
  const toItem = (upstream: unknown): Item | undefined => toServiceItem(upstream, own, name);
  const now = options.now ?? Date.now;
  const extents = new Map<string, { readonly until: number; readonly extent: Extent }>();
  const searchWithTokens: MergeableCatalog["searchWithTokens"] = (query, { signal } = {}) =>
    search(client, toPlan(query, own, toItem), query, signal);
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
      const item = toItem(await client.item(schema.upstream.collection, id, signal));
      return item?.collection === schema.id ? item : undefined;
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

function toPlan(query: ItemQuery, own: CollectionRegistry, toItem: (upstream: unknown) => Item | undefined): Plan {
  const filter = toUpstreamFilter(query.filter, collectionsOf(query, own), own.collections);
  const ids = new Set(filter.collections.map(({ id }) => id));
  const order = toUpstreamOrder(fullOrder(query.sortby), filter.collections);
  const { bbox, datetime, local } = { ...query, local: filter.local };
  // a box across the antimeridian is sent as two polygons: upstreams refuse or misread west > east
  const crosses = bbox !== undefined && bbox[0] > bbox[2];
  const intersects = crosses ? bboxGeometry(bbox) : query.intersects;
  return {
    body: {
      collections: [...new Set(filter.collections.map(({ upstream }) => upstream.collection))],
      ...(query.ids === undefined || query.ids.length === 0 ? {} : { ids: query.ids }),
      ...(bbox === undefined || crosses ? {} : { bbox }),
      ...(intersects === undefined ? {} : { intersects }),
      ...(datetime === undefined ? {} : { datetime: formatDatetime(datetime) }),
      ...(Object.keys(filter.query).length === 0 ? {} : { query: filter.query }),
    },
    order,
    collections: filter.collections,
    accept: (upstream) => {
      const item = toItem(upstream);
      // an upstream's collection may hold items of other collections of the service
      if (item === undefined || !ids.has(item.collection)) return undefined;
      return local === undefined || matchesFilter(local, item) ? item : undefined;
    },
    isFiltered: local !== undefined || filter.holdsOthers,
  };
}

/** A position between two items: the upstream's cursor for what follows it, and the number of items before it. */
interface PagePosition {
  readonly direction: "next" | "prev";
  readonly cursor: string | undefined;
  readonly before: number | undefined;
}

async function search(
  client: UpstreamClient,
  plan: Plan,
  query: ItemQuery,
  signal: AbortSignal | undefined,
): Promise<TokenPage> {
  const hash = queryHash(query);
  const position = query.token === undefined ? undefined : toPosition(hash, query.token);
  if (plan.collections.length === 0) return { items: [], numberMatched: 0, tokenAt: () => undefined };
  const backwards = position?.direction === "prev";
  const sortby = backwards ? plan.order.reversed : plan.order.sortby;
  const before = position === undefined ? 0 : position.before;
  const walked = await walk({
    ask: (size, cursor) =>
      client.search(
        {
          ...plan.body,
          ...(sortby === undefined ? {} : { sortby }),
          limit: size,
          ...(cursor === undefined ? {} : { next: cursor }),
        },
        { signal, hasToken: position !== undefined },
      ),
    accept: plan.accept,
    cursor: position?.cursor,
    limit: query.limit,
    remaining: (matched) => {
      if (backwards) return before;
      return matched === undefined || before === undefined ? undefined : matched - before;
    },
    isTotal: plan.order.isTotal,
    isFiltered: plan.isFiltered,
    maxPage: MAX_PAGE,
    maxAnswers: plan.isFiltered ? MAX_ANSWERS : 100,
  });
  return toPage(walked, plan, hash, position);
}

function toPage(walked: Walked, plan: Plan, hash: string, position: PagePosition | undefined): TokenPage {
  const { taken, more, matched } = walked;
  const before = position === undefined ? 0 : position.before;
  const backwards = position?.direction === "prev";
  const [near, far] = [taken[0], taken.at(-1)];
  const after = (steps: number): number | null =>
    before === undefined ? null : Math.max(0, backwards ? before - steps : before + steps);
  // onwards in the direction of the walk, and back where it came from
  const onwards = (): SortValue[] =>
    walked.cursor === undefined && far !== undefined
      ? [cursorOf(far.upstream, plan.order), after(far.passed)]
      : [walked.cursor ?? null, after(walked.passed)];
  const back = (): SortValue[] =>
    near === undefined
      ? [position?.cursor ?? null, before ?? null]
      : [cursorOf(near.upstream, plan.order), after(near.passed - 1)];
  const canGoBack = position !== undefined && plan.order.isTotal;
  const token = (direction: "next" | "prev"): string =>
    toToken("upstream", hash, { direction, values: (direction === "next") === backwards ? back() : onwards() });
  const items = taken.map(({ item }) => item);
  const tokenAt: TokenPage["tokenAt"] = (index, direction) => {
    const one = taken[backwards ? taken.length - 1 - index : index];
    if (one === undefined || !plan.order.isTotal) return undefined;
    const isFar = (direction === "next") !== backwards;
    return toToken("upstream", hash, {
      direction,
      values: [cursorOf(one.upstream, plan.order), after(isFar ? one.passed : one.passed - 1)],
    });
  };
  return {
    tokenAt,
    items: backwards ? items.reverse() : items,
    ...(matched === undefined || plan.isFiltered ? {} : { numberMatched: matched }),
    ...((backwards ? canGoBack : more) ? { next: token("next") } : {}),
    ...((backwards ? more : canGoBack) ? { prev: token("prev") } : {}),
  };
}

/** @throws {CatalogError} `unavailable` for an item without a value that every item of the upstream should have. */
function cursorOf(item: Json, order: UpstreamOrder): string {
  const cursor = cursorAt(item, order);
  if (cursor !== undefined) return cursor;
  throw new CatalogError(
    "unavailable",
    `The upstream's item "${String(item.id)}" has no value for the requested sort order.`,
  );
}

function toPosition(hash: string, token: string): PagePosition {
  const fits = (values: readonly SortValue[]): boolean =>
    values.length === 2 && typeof values[0] === "string" && (values[1] === null || Number.isSafeInteger(values[1]));
  const { direction, values } = fromToken("upstream", hash, fits, token);
  const [cursor, before] = values as [string, number | null];
  return { direction, cursor, before: before ?? undefined };
}
