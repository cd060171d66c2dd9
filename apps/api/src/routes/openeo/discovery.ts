import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import type { Extents } from "@swath/catalog/node";
import { collectionOf, cubeCollection } from "@swath/engine/search";
import { PROCESS_DEFINITIONS } from "@swath/openeo";
import { SCHEMA_VERSION } from "@swath/schema";
import { Link } from "@swath/stac";
import { sendDocument } from "@swath/web/answers";
import type { CollectionSite } from "../../documents/collection.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import {
  capabilitiesDocument,
  fileFormatsDocument,
  OPENEO_CLASSES,
  versionsDocument,
} from "../../documents/openeo/capabilities.ts";
import { openEoCollection } from "../../documents/openeo/collection.ts";
import { CACHE_DOCUMENT, CACHE_FALLBACK } from "../../http/answer/documents.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { existing, listCollections } from "../../operations/collections.ts";
import type { HealthParts, SearchParts } from "../../operations/services.ts";
import { CollectionPath } from "../scenes/collections.ts";

const Capabilities = z
  .looseObject({ api_version: z.string(), endpoints: z.array(z.looseObject({})), links: z.array(Link) })
  .meta({ id: "OpenEoCapabilities", description: "openEO API 1.2, GET /." });
const Versions = z.looseObject({ versions: z.array(z.looseObject({})) }).meta({ id: "OpenEoVersions" });
const Classes = z.looseObject({ conformsTo: z.array(z.string()) }).meta({ id: "OpenEoConformance" });
const Collection = z
  .looseObject({ id: z.string(), "cube:dimensions": z.looseObject({}), links: z.array(Link) })
  .meta({ id: "OpenEoCollection", description: "A STAC collection with the dimensions of its cube." });
const Collections = z
  .looseObject({ collections: z.array(Collection), links: z.array(Link) })
  .meta({ id: "OpenEoCollections" });
const Processes = z
  .looseObject({ processes: z.array(z.looseObject({ id: z.string() })), links: z.array(Link) })
  .meta({ id: "OpenEoProcesses", description: "Definitions of the processes that are served." });
const FileFormats = z
  .looseObject({ input: z.looseObject({}), output: z.looseObject({}) })
  .meta({ id: "OpenEoFileFormats" });

/** Clients ask for pages, which the API lets a service ignore: all entries come at once. */
const PageQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .optional()
    .openapi({
      type: "integer",
      minimum: 1,
      description: "Accepted and ignored: all entries come at once.",
    }),
});

const siteOf = (c: AppContext): CollectionSite => ({
  baseUrl: c.get("baseUrl"),
  authentication: c.get("authentication")(),
});

/** A document that everybody may read. */
function document<T extends z.ZodType>(path: string, operationId: string, summary: string, schema: T) {
  return {
    method: "get",
    path,
    operationId,
    tag: "openEO",
    summary,
    access: PUBLIC,
    etag: true,
    responses: { 200: { description: `${summary}.`, content: { [JSON_TYPE]: { schema } } } },
  } as const;
}

const send = (c: AppContext, value: object, cacheControl = CACHE_DOCUMENT): Promise<Response> =>
  sendDocument(c, value, { cacheControl, version: SCHEMA_VERSION });

/** Routes by which clients of openEO find out what there is. */
export function registerOpenEoDiscovery(
  router: Router,
  { registry, version }: Pick<SearchParts, "registry"> & Pick<HealthParts, "version">,
  extents: Extents,
): void {
  addRoute(router, document("/.well-known/openeo", "getOpenEoVersions", "Versions of the openEO API", Versions), (c) =>
    send(c, versionsDocument(c.get("baseUrl"))),
  );
  addRoute(router, document("/v1/openeo", "getOpenEo", "Capabilities of the openEO API", Capabilities), (c) =>
    send(c, capabilitiesDocument(c.get("baseUrl"), version)),
  );
  addRoute(router, document("/v1/openeo/conformance", "getOpenEoConformance", "Conformance classes", Classes), (c) =>
    send(c, { conformsTo: OPENEO_CLASSES }),
  );
  addRoute(
    router,
    { ...document("/v1/openeo/processes", "getOpenEoProcesses", "Processes", Processes), query: PageQuery },
    (c) => send(c, { processes: PROCESS_DEFINITIONS, links: [] }),
  );
  addRoute(router, document("/v1/openeo/file_formats", "getOpenEoFileFormats", "File formats", FileFormats), (c) =>
    send(c, fileFormatsDocument()),
  );
  addRoute(
    router,
    {
      ...document("/v1/openeo/collections", "getOpenEoCollections", "Collections as data cubes", Collections),
      query: PageQuery,
    },
    async (c) => {
      const found = await listCollections(registry, extents, { signal: c.get("signal") });
      const collections = found.map(({ collection, extent }) =>
        openEoCollection(collection, cubeCollection({ collection }), extent, siteOf(c)),
      );
      const isCurrent = found.every((each) => each.isCurrent);
      return send(c, { collections, links: [] }, isCurrent ? CACHE_DOCUMENT : CACHE_FALLBACK);
    },
  );
  addRoute(
    router,
    {
      ...document(
        "/v1/openeo/collections/{collectionId}",
        "getOpenEoCollection",
        "A collection as a data cube",
        Collection,
      ),
      params: CollectionPath,
    },
    async (c, { params }) => {
      const match = collectionOf(registry, params.collectionId);
      const { collection, extent, isCurrent } = await existing(extents, match.collection, {
        signal: c.get("signal"),
      });
      const value = openEoCollection(collection, cubeCollection(match), extent, siteOf(c));
      return send(c, value, isCurrent ? CACHE_DOCUMENT : CACHE_FALLBACK);
    },
  );
}
