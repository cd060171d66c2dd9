import { bboxGeometry } from "@swath/geometry";
import { formatDatetime, type ItemQuery, matchesFilter, toCql2Json } from "@swath/query";
import { type CollectionRegistry, type CollectionSchema, upstreamCollections } from "@swath/schema";
import type { Item } from "./item.ts";
import type { Json } from "./json.ts";
import { fullOrder } from "./order.ts";
import type { UpstreamFilters } from "./upstream-conformance.ts";
import { toUpstreamFilter } from "./upstream-filter.ts";
import { toUpstreamOrder, type UpstreamOrder } from "./upstream-order.ts";

/** A search in the upstream's words, and what is done here with its answers. */
export interface UpstreamPlan {
  /** The body of the request, without order, limit and token. */
  readonly body: Json;
  readonly order: UpstreamOrder;
  readonly collections: readonly CollectionSchema[];
  /** The service's form of an item, `undefined` where the search does not match it. */
  readonly accept: (upstream: Json) => Item | undefined;
  /** Whether `accept` refuses items by a part of the filter. */
  readonly isFiltered: boolean;
  /** Whether it depends on the filters that the upstream takes. */
  readonly hasConditions: boolean;
}

/**
 * @param own collections of the upstream.
 * @param toItem the service's form of its items.
 * @param filters what its searches take; default the query extension alone.
 */
export function toUpstreamPlan(
  query: ItemQuery,
  own: CollectionRegistry,
  toItem: (upstream: unknown) => Item | undefined,
  filters?: UpstreamFilters,
): UpstreamPlan {
  const asked = query.collections.length === 0 ? own.ids : query.collections;
  const known = asked.flatMap((id) => own.find(id)?.collection ?? []);
  const filter = toUpstreamFilter(query.filter, known, own.collections, filters);
  const collectionIds = new Set(filter.collections.map(({ id }) => id));
  const order = toUpstreamOrder(fullOrder(query.sortby), filter.collections);
  const { bbox, datetime } = query;
  // CQL2 leaves servers more to decide than the query extension, and some lose it on the pages that follow
  const local = filter.cql2 === undefined ? filter.local : query.filter;
  // a box across the antimeridian is sent as two polygons: upstreams refuse or misread west > east
  const crosses = bbox !== undefined && bbox[0] > bbox[2];
  const area = bbox === undefined ? filter.area : undefined;
  const intersects = crosses ? bboxGeometry(bbox) : (query.intersects ?? area);
  const ids = query.ids === undefined || query.ids.length === 0 ? filter.ids : common(query.ids, filter.ids);
  return {
    body: {
      collections: [...new Set(filter.collections.flatMap(({ upstream }) => upstreamCollections(upstream)))],
      ...(ids === undefined ? {} : { ids }),
      ...(bbox === undefined || crosses ? {} : { bbox }),
      ...(intersects === undefined ? {} : { intersects }),
      ...(datetime === undefined ? {} : { datetime: formatDatetime(datetime) }),
      ...(Object.keys(filter.query).length === 0 ? {} : { query: filter.query }),
      ...(filter.cql2 === undefined ? {} : { filter: toCql2Json(filter.cql2), "filter-lang": "cql2-json" }),
    },
    order,
    // no id is asked for: upstreams read an empty list as no condition
    collections: ids?.length === 0 ? [] : filter.collections,
    accept: (upstream) => {
      const item = toItem(upstream);
      // an upstream's collection may hold items of other collections of the service
      if (item === undefined || !collectionIds.has(item.collection)) return undefined;
      return local === undefined || matchesFilter(local, item) ? item : undefined;
    },
    isFiltered: filter.local !== undefined || filter.holdsOthers,
    hasConditions: filter.local !== undefined || filter.cql2 !== undefined || Object.keys(filter.query).length > 0,
  };
}

/** The ids of both lists. */
function common(asked: readonly string[], implied: readonly string[] | undefined): readonly string[] {
  return implied === undefined ? asked : asked.filter((id) => implied.includes(id));
}
