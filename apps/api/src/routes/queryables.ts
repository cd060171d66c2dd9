import { z } from "@hono/zod-openapi";
import { SCHEMA_VERSION } from "@swath/schema";
import { PUBLIC } from "../access/route-access.ts";
import { queryablesDocument, SCHEMA_JSON } from "../documents/queryables.ts";
import { CACHE_DOCUMENT, sendDocument } from "../http/documents.ts";
import { addRoute, type Router } from "../http/route.ts";
import { collectionOf } from "../operations/collections.ts";
import type { Services } from "../services.ts";
import { CollectionPath, contentLocation } from "./collections.ts";

const QueryablesModel = z
  .object({
    $schema: z.literal("https://json-schema.org/draft/2020-12/schema"),
    $id: z.url(),
    type: z.literal("object"),
    title: z.string(),
    properties: z.record(z.string(), z.looseObject({ title: z.string() })),
    additionalProperties: z.literal(false),
  })
  .meta({ id: "Queryables", description: "A JSON Schema of what filters may name." });

const responses = {
  200: { description: "A JSON Schema.", content: { [SCHEMA_JSON]: { schema: QueryablesModel } } },
};

export function registerQueryables(router: Router, { registry }: Pick<Services, "registry">): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/queryables",
      operationId: "getQueryables",
      tag: "Catalog",
      summary: "Queryables of all collections",
      description: "What a filter may name. A property that an item's collection lacks is null in filters.",
      access: PUBLIC,
      etag: true,
      responses,
    },
    (c) =>
      sendDocument(c, queryablesDocument(registry, undefined, `${c.get("baseUrl")}/v1/queryables`), {
        cacheControl: CACHE_DOCUMENT,
        version: SCHEMA_VERSION,
        type: SCHEMA_JSON,
      }),
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections/{collectionId}/queryables",
      operationId: "getCollectionQueryables",
      tag: "Catalog",
      summary: "Queryables of a collection",
      access: PUBLIC,
      etag: true,
      params: CollectionPath,
      responses,
    },
    (c, { params }) => {
      const { collection } = collectionOf(registry, params.collectionId);
      const path = `${collection.id}/queryables`;
      const url = `${c.get("baseUrl")}/v1/collections/${path}`;
      return sendDocument(c, queryablesDocument(registry, collection, url), {
        cacheControl: CACHE_DOCUMENT,
        version: SCHEMA_VERSION,
        type: SCHEMA_JSON,
        headers: contentLocation(c, params.collectionId, path),
      });
    },
  );
}
