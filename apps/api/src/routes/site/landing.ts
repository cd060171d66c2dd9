import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import type { Extents } from "@swath/catalog/node";
import { type CollectionSchema, SCHEMA_VERSION } from "@swath/schema";
import { Catalog, Link } from "@swath/stac";
import { sendDocument } from "@swath/web/answers";
import { AUTHENTICATION_EXTENSION, type Authentication } from "../../documents/authentication.ts";
import { GEOJSON, JSON_TYPE, OPENAPI_TYPE } from "../../documents/media-types.ts";
import type { ProfileLinks } from "../../documents/profile-links.ts";
import { CACHE_DOCUMENT } from "../../http/answer/documents.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import type { BaseMap } from "../../open/environment/base-map.ts";
import type { SearchParts } from "../../operations/services.ts";

const Conformance = z.object({ conformsTo: z.array(z.url()) }).meta({ id: "Conformance" });
const LandingPage = Catalog.extend({
  conformsTo: z.array(z.url()),
  "svc:schemaVersion": z.string().optional().meta({ description: "Version of schema v1, as in GET /v1/schema." }),
  "svc:synthetic": z.boolean().optional().meta({ description: "true: the archive is made up, and so is its country." }),
  "svc:basemap": z
    .object({
      url: z.string().meta({ description: "A MapLibre style, or raster tiles with {z}, {x} and {y}." }),
      origins: z.array(z.string()).meta({ description: "Origins that it is loaded from." }),
      credit: z.string().optional().meta({ description: "The credit that is shown; absent: the style's own." }),
    })
    .optional()
    .meta({ description: "The base map of the map page, where the owner has set one." }),
  links: z.array(Link),
}).meta({ id: "LandingPage" });

/** Facts about a profile for the landing page. */
export interface LandingOptions {
  /** URIs of the conformance classes. */
  readonly conformsTo: readonly string[];
  readonly links: ProfileLinks;
  /** Whether the synthetic archive is served. */
  readonly isSynthetic?: boolean;
  readonly baseMap?: BaseMap | undefined;
}

/** Titles of the collections that have items of their own. */
function titlesOf(listed: readonly CollectionSchema[]): string {
  return listed.flatMap(({ title, virtual }) => (virtual === undefined ? title : [])).join(", ");
}

function landingPage(
  listed: readonly CollectionSchema[],
  { conformsTo, links, isSynthetic = false, baseMap }: LandingOptions,
  baseUrl: string,
  { schemes, refs }: Authentication,
): Record<string, unknown> {
  const v1 = `${baseUrl}/v1`;
  return {
    type: "Catalog",
    stac_version: "1.1.0",
    stac_extensions: [AUTHENTICATION_EXTENSION],
    id: "swath",
    title: "Swath",
    description: `Satellite scenes (${titlesOf(listed)}): search, previews, map tiles, and areas as GeoTIFF, with one set of band names.${isSynthetic ? " The archive is synthetic: its country is invented." : ""}`,
    conformsTo,
    "svc:schemaVersion": SCHEMA_VERSION,
    ...(isSynthetic ? { "svc:synthetic": true } : {}),
    ...(baseMap === undefined ? {} : { "svc:basemap": baseMap }),
    "auth:schemes": schemes,
    links: [
      { rel: "self", type: JSON_TYPE, href: v1, title: "Landing page" },
      { rel: "root", type: JSON_TYPE, href: v1, title: "Landing page" },
      { rel: "conformance", type: JSON_TYPE, href: `${v1}/conformance`, title: "Conformance classes" },
      { rel: "data", type: JSON_TYPE, href: `${v1}/collections`, title: "Collections" },
      { rel: "search", type: GEOJSON, href: `${v1}/search`, method: "GET", title: "Search", "auth:refs": refs },
      { rel: "search", type: GEOJSON, href: `${v1}/search`, method: "POST", title: "Search", "auth:refs": refs },
      { rel: "service-desc", type: OPENAPI_TYPE, href: `${v1}/openapi.json`, title: "OpenAPI 3.1 document" },
      { rel: "service-doc", type: "text/html", href: `${baseUrl}/docs`, title: "Documentation" },
      { rel: "describedby", type: JSON_TYPE, href: `${v1}/schema`, title: "Schema v1, the band crosswalk" },
      ...(links.landing?.(v1) ?? []),
      ...listed.map(({ id, title }) => ({
        rel: "child",
        type: JSON_TYPE,
        href: `${v1}/collections/${id}`,
        title,
      })),
    ],
  };
}

export function registerLanding(
  router: Router,
  { registry, extents }: Pick<SearchParts, "registry"> & { readonly extents: Extents },
  options: LandingOptions,
): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1",
      operationId: "getLandingPage",
      tag: "Catalog",
      summary: "Landing page",
      access: PUBLIC,
      etag: true,
      responses: { 200: { description: "The catalog's root.", content: { [JSON_TYPE]: { schema: LandingPage } } } },
    },
    async (c) => {
      const listed = await extents.there(registry.listed);
      return sendDocument(c, landingPage(listed, options, c.get("baseUrl"), c.get("authentication")()), {
        cacheControl: CACHE_DOCUMENT,
        version: SCHEMA_VERSION,
      });
    },
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/conformance",
      operationId: "getConformance",
      tag: "Catalog",
      summary: "Conformance classes",
      access: PUBLIC,
      etag: true,
      responses: {
        200: {
          description: "The classes this service conforms to.",
          content: { [JSON_TYPE]: { schema: Conformance } },
        },
      },
    },
    (c) =>
      sendDocument(c, { conformsTo: options.conformsTo }, { cacheControl: CACHE_DOCUMENT, version: SCHEMA_VERSION }),
  );
}
