import { z } from "@hono/zod-openapi";
import { type AddressLimits, ANONYMOUS_SEARCH } from "@swath/accounts";
import { authenticate, PUBLIC } from "@swath/accounts/hono";
import { Refusal } from "@swath/engine";
import { getItem } from "@swath/engine/node";
import { SCHEMA_VERSION } from "@swath/schema";
import { sendDocument } from "@swath/web/answers";
import { itemDocument } from "../../documents/item.ts";
import { GEOJSON } from "../../documents/media-types.ts";
import { ItemModel } from "../../documents/models.ts";
import { ProblemError } from "../../errors/problems.ts";
import { CACHE_ITEM } from "../../http/answer/documents.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { SEARCH } from "../../http/request/route-access.ts";
import type { SearchParts } from "../../operations/services.ts";
import { CollectionPath, contentLocation } from "./collections.ts";

/**
 * Finds an item. One that does not exist is a request to an upstream, whatever its id: a network that has used up
 * its searches is told to wait, before the upstream is asked. Only then is a key or token read: with a good one the
 * request goes on.
 *
 * @throws {ProblemError} `ip-rate-limited`, what `find` throws, and what a key or token is refused for.
 */
async function countMissing<T>(
  router: Router,
  c: AppContext,
  limits: AddressLimits,
  find: () => Promise<T>,
): Promise<T> {
  const network = c.get("clientNetwork")();
  const wait = limits.refusedFor?.(ANONYMOUS_SEARCH, network);
  if (wait !== undefined) return (await hasCredential(router, c)) ? find() : Promise.reject(tooMany(wait));
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "not-found") throw error;
    const over = await limits.take(ANONYMOUS_SEARCH, network);
    if (over === undefined || (await hasCredential(router, c))) throw error;
    throw tooMany(over);
  }
}

/** Tells whether a good key or token came with the request, which then counts as one of its holder. */
async function hasCredential(router: Router, c: AppContext): Promise<boolean> {
  if (CREDENTIAL_HEADERS.every((name) => c.req.header(name) === undefined)) return false;
  await authenticate(router, c, SEARCH, "getItem");
  return true;
}

const CREDENTIAL_HEADERS = ["X-API-Key", "Authorization"];

function tooMany(wait: number): ProblemError {
  const { requests, windowMs } = ANONYMOUS_SEARCH;
  const detail = `An address may search, and ask for items that do not exist, ${requests} times in ${windowMs / 1000} s: wait, or send an API key.`;
  const limits = { requests, windowSeconds: windowMs / 1000 };
  return new ProblemError("ip-rate-limited", detail, { retryAfter: wait / 1000, limits });
}

export const ItemPath = CollectionPath.extend({
  itemId: z.string().openapi({ description: "Native id of the item.", example: "S2B_T32TMT_20240615T102559_L2A" }),
});

/**
 * @param missing counts items that do not exist, by the network that asks for them, as searches without a key or token;
 *   absent: nobody does.
 */
export function registerItems(
  router: Router,
  services: Pick<SearchParts, "catalog" | "registry">,
  missing?: AddressLimits,
): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections/{collectionId}/items/{itemId}",
      operationId: "getItem",
      tag: "Catalog",
      summary: "One item",
      access: PUBLIC,
      etag: true,
      params: ItemPath,
      ...(missing === undefined ? {} : { problems: [401, 403, 429] }),
      responses: { 200: { description: "The item.", content: { [GEOJSON]: { schema: ItemModel } } } },
    },
    async (c, { params }) => {
      const find = () => getItem(services, params, { signal: c.get("signal") });
      const { item, collection } = await (missing === undefined ? find() : countMissing(router, c, missing, find));
      const { registry } = services;
      const site = { baseUrl: c.get("baseUrl"), registry, authentication: c.get("authentication")() };
      return sendDocument(c, itemDocument(item, site), {
        type: GEOJSON,
        cacheControl: CACHE_ITEM,
        version: SCHEMA_VERSION,
        headers: contentLocation(c, params.collectionId, `${collection.id}/items/${item.id}`),
      });
    },
  );
}
