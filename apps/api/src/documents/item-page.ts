import { z } from "@hono/zod-openapi";
import type { Item, ItemPage } from "@swath/catalog";
import { applyFields, type Fields } from "@swath/query";
import { Link } from "@swath/stac";
import { type ItemSite, itemDocument } from "./item.ts";
import { GEOJSON, JSON_TYPE } from "./media-types.ts";

/** A page of items. */
export const ItemCollectionModel = z
  .object({
    type: z.literal("FeatureCollection"),
    features: z.array(z.looseObject({ type: z.literal("Feature"), id: z.string() })),
    numberMatched: z.int().min(0).max(9999).optional().openapi({ description: "All matches; absent from 10,000 on." }),
    numberReturned: z.int().min(0).optional(),
    links: z.array(Link),
  })
  .meta({ id: "ItemPage", description: "One page of items." });

/** A page that says what upstreams cannot give of it. */
export const MarkedItemCollection = ItemCollectionModel.extend({
  "svc:items_unreadable": z.int().min(1).optional().openapi({
    description: "Matches between the first and the last item of the page that the upstream fails on.",
  }),
  "svc:upstreams_missing": z.array(z.string()).min(1).optional().openapi({
    description:
      "Upstreams that did not answer: their items are missing from the page, and matches are not counted. Following pages ask them again.",
  }),
}).meta({ id: "ItemPage", description: "One page of items." });

/** Totals from this on are not given (interface specification, Item collection). */
const MATCHED_LIMIT = 10_000;

export const PAGE_TITLES = { next: "Next page", prev: "Previous page" } as const;

/** Links of a page of items. */
export interface PageLinks {
  readonly self: Link;
  /** Links to the collection, on the items route. */
  readonly above?: readonly { readonly rel: string; readonly href: string; readonly title: string }[];
  page(rel: "next" | "prev", token: string): Link;
}

/** Links of a page that POST /v1/search gives: the next one is asked for by the same body and a token. */
export function postSearchLinks(baseUrl: string): PageLinks {
  const href = `${baseUrl}/v1/search`;
  return {
    self: { rel: "self", type: GEOJSON, href, title: "Search" },
    page: (rel, token) => ({
      rel,
      type: GEOJSON,
      method: "POST",
      href,
      title: PAGE_TITLES[rel],
      body: { token },
      merge: true,
    }),
  };
}

interface PageMembers {
  readonly numberMatched?: number;
  readonly "svc:items_unreadable"?: number;
  readonly "svc:upstreams_missing"?: readonly string[];
  readonly numberReturned: number;
  readonly links: Link[];
}

/**
 * Returns the members of a page of items besides its features.
 *
 * @param options.isMarked whether it says what upstreams failed on.
 */
export function pageMembers(
  { items, numberMatched, unreadable, missing, next, prev }: ItemPage,
  { links, baseUrl, isMarked }: { readonly links: PageLinks; readonly baseUrl: string; readonly isMarked: boolean },
): PageMembers {
  return {
    ...(numberMatched !== undefined && numberMatched < MATCHED_LIMIT ? { numberMatched } : {}),
    ...(unreadable !== undefined && isMarked ? { "svc:items_unreadable": unreadable } : {}),
    ...(missing !== undefined && isMarked ? { "svc:upstreams_missing": missing } : {}),
    numberReturned: items.length,
    links: [
      links.self,
      { rel: "root", type: JSON_TYPE, href: `${baseUrl}/v1`, title: "Landing page" },
      ...(links.above ?? []).map((link) => ({ ...link, type: JSON_TYPE })),
      ...(next === undefined ? [] : [links.page("next", next)]),
      ...(prev === undefined ? [] : [links.page("prev", prev)]),
    ],
  };
}

/** One item of a page, with the members asked for. */
export function featureDocument(
  item: Item,
  { fields, ...site }: ItemSite & { readonly fields: Fields | undefined },
): Record<string, unknown> {
  const document = itemDocument(item, site);
  return fields === undefined ? document : applyFields(document, fields);
}
