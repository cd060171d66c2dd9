import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import { queryablesDocument, SCHEMA_JSON, sortablesDocument } from "@swath/catalog/documents";
import type { Extents } from "@swath/catalog/node";
import { collectionOf } from "@swath/engine/search";
import { SCHEMA_VERSION } from "@swath/schema";
import { sendDocument } from "@swath/web/answers";
import { CACHE_DOCUMENT } from "../../http/answer/documents.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { checkIsThere } from "../../operations/collections.ts";
import type { SearchParts } from "../../operations/services.ts";
import { CollectionPath, contentLocation } from "./collections.ts";

const NameSchema = z.object({
  $schema: z.literal("https://json-schema.org/draft/2020-12/schema"),
  $id: z.url(),
  type: z.literal("object"),
  title: z.string(),
  properties: z.record(z.string(), z.looseObject({ title: z.string() })),
  additionalProperties: z.literal(false),
});

/** Documents of the names that searches may use. */
const DOCUMENTS = [
  {
    name: "queryables",
    title: "Queryables",
    documentOf: queryablesDocument,
    model: NameSchema.meta({ id: "Queryables", description: "A JSON Schema of what filters may name." }),
    description: "What a filter may name. A property that an item's collection lacks is null in filters.",
  },
  {
    name: "sortables",
    title: "Sortables",
    documentOf: sortablesDocument,
    model: NameSchema.meta({ id: "Sortables", description: "A JSON Schema of what searches are sorted by." }),
    description: "What `sortby` may name. Items without a value come last, in both directions.",
  },
] as const;

type Services = Pick<SearchParts, "registry"> & { readonly extents: Extents };

export function registerQueryables(router: Router, services: Services): void {
  for (const each of DOCUMENTS) registerNames(router, services, each);
}

function registerNames(
  router: Router,
  { registry, extents }: Services,
  { name, title, documentOf, model, description }: (typeof DOCUMENTS)[number],
): void {
  const responses = { 200: { description: "A JSON Schema.", content: { [SCHEMA_JSON]: { schema: model } } } };
  addRoute(
    router,
    {
      method: "get",
      path: `/v1/${name}`,
      operationId: `get${title}`,
      tag: "Catalog",
      summary: `${title} of all collections`,
      description,
      access: PUBLIC,
      etag: true,
      responses,
    },
    (c) =>
      sendDocument(c, documentOf(registry, undefined, `${c.get("baseUrl")}/v1/${name}`), {
        cacheControl: CACHE_DOCUMENT,
        version: SCHEMA_VERSION,
        type: SCHEMA_JSON,
      }),
  );
  addRoute(
    router,
    {
      method: "get",
      path: `/v1/collections/{collectionId}/${name}`,
      operationId: `getCollection${title}`,
      tag: "Catalog",
      summary: `${title} of a collection`,
      access: PUBLIC,
      etag: true,
      params: CollectionPath,
      responses,
    },
    async (c, { params }) => {
      const { collection } = collectionOf(registry, params.collectionId);
      await checkIsThere({ registry, extents }, collection);
      const path = `${collection.id}/${name}`;
      const url = `${c.get("baseUrl")}/v1/collections/${path}`;
      return sendDocument(c, documentOf(registry, collection, url), {
        cacheControl: CACHE_DOCUMENT,
        version: SCHEMA_VERSION,
        type: SCHEMA_JSON,
        headers: contentLocation(c, params.collectionId, path),
      });
    },
  );
}
