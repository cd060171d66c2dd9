import type { DocumentLink } from "../profile-links.ts";

export const OPENEO_VERSION = "1.2.0";

/** Paths of the openEO API that are served, and their methods. */
const ENDPOINTS = [
  { path: "/", methods: ["GET"] },
  { path: "/conformance", methods: ["GET"] },
  { path: "/collections", methods: ["GET"] },
  { path: "/collections/{collection_id}", methods: ["GET"] },
  { path: "/processes", methods: ["GET"] },
  { path: "/file_formats", methods: ["GET"] },
  { path: "/credentials/basic", methods: ["GET"] },
  { path: "/me", methods: ["GET"] },
  { path: "/validation", methods: ["POST"] },
  { path: "/result", methods: ["POST"] },
] as const;

/** Conformance classes of the openEO API and of the collections. */
export const OPENEO_CLASSES: readonly string[] = [
  "https://api.openeo.org/1.2.0",
  "https://api.stacspec.org/v1.0.0/core",
  "https://api.stacspec.org/v1.0.0/collections",
];

/** The document that a client reads first (`GET /` of openEO API 1.2). */
export function capabilitiesDocument(baseUrl: string, version: string): Record<string, unknown> {
  const root = `${baseUrl}/v1/openeo`;
  const links: readonly DocumentLink[] = [
    { rel: "self", type: "application/json", href: root, title: "Capabilities" },
    { rel: "root", type: "application/json", href: root, title: "Capabilities" },
    { rel: "conformance", type: "application/json", href: `${root}/conformance`, title: "Conformance classes" },
    { rel: "data", type: "application/json", href: `${root}/collections`, title: "Collections" },
    {
      rel: "version-history",
      type: "application/json",
      href: `${baseUrl}/.well-known/openeo`,
      title: "Versions of the API",
    },
    { rel: "about", type: "text/html", href: `${baseUrl}/docs/guides/openeo`, title: "Guide" },
  ];
  return {
    api_version: OPENEO_VERSION,
    backend_version: version,
    stac_version: "1.1.0",
    type: "Catalog",
    id: "swath-openeo",
    title: "Swath",
    description: "Process graphs over optical satellite archives, computed while the client waits.",
    production: true,
    conformsTo: OPENEO_CLASSES,
    endpoints: ENDPOINTS,
    billing: { currency: "UNITS", plans: [] },
    links,
  };
}

/** The versions of the API (`GET /.well-known/openeo`). */
export function versionsDocument(baseUrl: string): Record<string, unknown> {
  return { versions: [{ url: `${baseUrl}/v1/openeo`, api_version: OPENEO_VERSION, production: true }] };
}

/** The formats that can be loaded and saved: only collections are loaded. */
export function fileFormatsDocument(): Record<string, unknown> {
  const format = (title: string, description: string, types: readonly string[]) => ({
    title,
    description,
    gis_data_types: types,
    parameters: {},
    links: [],
  });
  return {
    input: {},
    output: {
      GTiff: format(
        "GeoTIFF",
        "Cloud-optimized, 32-bit floating point, NaN for no data; a band for each combination of labels.",
        ["raster"],
      ),
      PNG: format("PNG", "One band or three with values from 0 to 255; no data is transparent.", ["raster"]),
      JPEG: format("JPEG", "One band or three with values from 0 to 255; no data is white.", ["raster"]),
      JSON: format("JSON", "What was aggregated over space: by time an array of geometries, each an array of values.", [
        "table",
      ]),
      CSV: format("CSV", "What was aggregated over space: a row for each date and geometry.", ["table"]),
    },
    links: [],
  };
}
