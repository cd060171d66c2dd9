import { CQL2_CONFORMANCE } from "@swath/query";

/** Conformance classes of lean v1: what it implements, and no other. */
export const LEAN_CLASSES: readonly string[] = [
  "https://api.stacspec.org/v1.0.0/core",
  "https://api.stacspec.org/v1.0.0/collections",
  "https://api.stacspec.org/v1.0.0/ogcapi-features",
  "https://api.stacspec.org/v1.0.0/item-search",
  "https://api.stacspec.org/v1.0.0/item-search#fields",
  "https://api.stacspec.org/v1.0.0/item-search#sort",
  "https://api.stacspec.org/v1.1.0/item-search#sort",
  "https://api.stacspec.org/v1.0.0/item-search#query",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#fields",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#sort",
  "https://api.stacspec.org/v1.0.0/ogcapi-features#query",
  "https://api.stacspec.org/v1.0.0-rc.1/collection-search",
  "https://api.stacspec.org/v1.0.0-rc.1/collection-search#free-text",
  "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/simple-query",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
  "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
];

/** Conformance classes of the full contract: those of lean v1, filters and counts. */
export const FULL_CLASSES: readonly string[] = [
  ...LEAN_CLASSES,
  "https://api.stacspec.org/v1.0.0/item-search#filter",
  // not defined by STAC: stac-api-validator looks for it
  "https://api.stacspec.org/v1.0.0/ogcapi-features#filter",
  "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
  "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
  "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables",
  ...["filter", "sort", "fields"].map((part) => `https://api.stacspec.org/v1.0.0-rc.1/collection-search#${part}`),
  ...["", "#query", "#filter"].map((part) => `https://api.stacspec.org/v0.3.0/aggregation${part}`),
  ...CQL2_CONFORMANCE,
];
