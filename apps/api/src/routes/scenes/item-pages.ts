import type { ItemPage } from "@swath/catalog";
import type { Fields } from "@swath/query";
import type { CollectionRegistry } from "@swath/schema";
import { completeAnswer } from "@swath/web/answers";
import { featureDocument, type PageLinks, pageMembers } from "../../documents/item-page.ts";
import { GEOJSON } from "../../documents/media-types.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import type { AppContext } from "../../http/request/context.ts";
import { missingHeaders } from "./missing-upstreams.ts";

/** Features written at once; a page of 1,000 items is never one string. */
const CHUNK = 25;

export interface ItemPageOptions {
  readonly registry: CollectionRegistry;
  readonly fields: Fields | undefined;
  readonly links: PageLinks;
  /** Cache-Control of a page that lacks nothing; another one is not kept. */
  readonly cacheControl: string;
  /** Whether it says what upstreams failed on. */
  readonly isMarked: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

const isWhole = ({ unreadable, missing }: ItemPage): boolean => unreadable === undefined && missing === undefined;

/** Writes a page of items as it goes, so that a page of 1,000 items takes the memory of a few. */
export function sendItemPage(c: AppContext, found: ItemPage, options: ItemPageOptions): Response {
  const { links, fields } = options;
  const baseUrl = c.get("baseUrl");
  const tail = pageMembers(found, { links, baseUrl, isMarked: options.isMarked });
  const site = { baseUrl, registry: options.registry, authentication: c.get("authentication")() };
  const feature = (i: number): string => {
    const item = found.items[i];
    if (item === undefined) return "";
    return JSON.stringify(featureDocument(item, { ...site, fields }));
  };
  const headers = {
    "Content-Type": GEOJSON,
    "Cache-Control": isWhole(found) ? options.cacheControl : NO_STORE,
    Vary: "Accept-Encoding, Origin",
    ...options.headers,
    ...missingHeaders(options.isMarked ? found.missing : undefined),
  };
  const count = found.items.length;
  const head = '{"type":"FeatureCollection","features":[';
  const end = `],${JSON.stringify(tail).slice(1)}`;
  const slice = (from: number, to: number): string => {
    let text = "";
    for (let i = from; i < to; i++) text += (i === 0 ? "" : ",") + feature(i);
    return text;
  };
  if (count <= CHUNK) return completeAnswer(new Response(head + slice(0, count) + end, { headers }));
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
