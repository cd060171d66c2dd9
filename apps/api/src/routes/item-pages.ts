import type { ItemPage } from "@swath/catalog";
import { applyFields, type Fields } from "@swath/query";
import type { CollectionRegistry } from "@swath/schema";
import type { Link } from "@swath/stac";
import { itemDocument } from "../documents/item.ts";
import type { AppContext } from "../http/context.ts";
import { GEOJSON, JSON_TYPE } from "../http/documents.ts";

/** Totals from this on are not told (interface specification, Item collection). */
const MATCHED_LIMIT = 10_000;
/** Features written at once; a page of 1,000 items is never one string. */
const CHUNK = 25;

export interface PageLinks {
  readonly self: Link;
  /** Links to the collection, on the items route. */
  readonly above?: readonly { readonly rel: string; readonly href: string; readonly title: string }[];
  page(rel: "next" | "prev", token: string): Link;
}

export interface ItemPageOptions {
  readonly registry: CollectionRegistry;
  readonly fields: Fields | undefined;
  readonly links: PageLinks;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes a page of items as it goes, so that a page of 1,000 items takes the memory of a few. */
export function sendItemPage(c: AppContext, found: ItemPage, options: ItemPageOptions): Response {
  const { links, fields } = options;
  const baseUrl = c.get("baseUrl");
  const tail = {
    ...(found.numberMatched !== undefined && found.numberMatched < MATCHED_LIMIT
      ? { numberMatched: found.numberMatched }
      : {}),
    numberReturned: found.items.length,
    links: [
      links.self,
      { rel: "root", type: JSON_TYPE, href: `${baseUrl}/v1`, title: "Landing page" },
      ...(links.above ?? []).map((link) => ({ ...link, type: JSON_TYPE })),
      ...(found.next === undefined ? [] : [links.page("next", found.next)]),
      ...(found.prev === undefined ? [] : [links.page("prev", found.prev)]),
    ],
  };
  const feature = (i: number): string => {
    const item = found.items[i];
    if (item === undefined) return "";
    const document = itemDocument(item, baseUrl, options.registry);
    return JSON.stringify(fields === undefined ? document : applyFields(document, fields));
  };
  const headers = {
    "Content-Type": GEOJSON,
    "Cache-Control": options.cacheControl,
    Vary: "Accept-Encoding, Origin",
    ...options.headers,
  };
  const count = found.items.length;
  const head = '{"type":"FeatureCollection","features":[';
  const end = `],${JSON.stringify(tail).slice(1)}`;
  const slice = (from: number, to: number): string => {
    let text = "";
    for (let i = from; i < to; i++) text += (i === 0 ? "" : ",") + feature(i);
    return text;
  };
  if (count <= CHUNK) return new Response(head + slice(0, count) + end, { headers });
  const encoder = new TextEncoder();
  let written = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    pull: (controller) => {
      const to = Math.min(written + CHUNK, count);
      controller.enqueue(encoder.encode(slice(written, to)));
      written = to;
      if (written === count) {
        controller.enqueue(encoder.encode(end));
        controller.close();
      }
    },
  });
  return new Response(body, { headers });
}
