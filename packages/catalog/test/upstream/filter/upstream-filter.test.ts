import type { Filter } from "@swath/query";
import { type CollectionSchema, collections } from "@swath/schema";
import { upstreamKindOf } from "@swath/schema/upstreams";
import { expect, test } from "vitest";
import { platformSpellings } from "../../../src/names/platform.ts";
import { toAbilities } from "../../../src/upstream/abilities/upstream-conformance.ts";
import { toUpstreamFilter as toFilter } from "../../../src/upstream/filter/upstream-filter.ts";
import { filterOf } from "../../catalog-suite.ts";

const sentinel = [collections["sentinel-2-l2a"]];
const landsat = [collections["landsat-ot-l2"]];
const both = [...sentinel, ...landsat];
const spelled = (...platforms: readonly string[]) => ({ platform: { in: platforms.flatMap(platformSpellings) } });
/** For an upstream that takes every condition of the query extension. */
const toUpstreamFilter = (filter: Filter | undefined, asked: readonly CollectionSchema[]) =>
  toFilter(filter, asked, asked, toAbilities(upstreamKindOf("https://earth-search.aws.element84.com/v1"), []));
const platforms = ["sentinel-2a", "sentinel-2b", "sentinel-2c", "landsat-8", "landsat-9"];

test.each([
  {
    name: "cloud cover",
    asked: sentinel,
    query: { "eo:cloud_cover": { lte: 20 } },
    upstream: { "eo:cloud_cover": { lte: 20, gte: 0 } },
  },
  {
    name: "a tile by its grid code",
    asked: sentinel,
    query: { "s2:mgrs_tile": { eq: "13TDE" } },
    upstream: { "grid:code": { in: ["MGRS-13TDE"] } },
  },
  {
    name: "a tile of a zone under 10 in both spellings",
    asked: sentinel,
    query: { "s2:mgrs_tile": { eq: "05CNL" } },
    upstream: { "grid:code": { in: ["MGRS-05CNL", "MGRS-5CNL"] } },
  },
  { name: "Landsat as 8 and 9", asked: landsat, query: {}, upstream: spelled("landsat-8", "landsat-9") },
  { name: "Sentinel-2 without its platforms, which it has no others than", asked: sentinel, query: {}, upstream: {} },
  { name: "both collections with their platforms", asked: both, query: {}, upstream: spelled(...platforms) },
  {
    name: "a platform in all its spellings",
    asked: sentinel,
    query: { platform: { eq: "sentinel-2b" } },
    upstream: spelled("sentinel-2b"),
  },
  {
    name: "the platforms that the user's own condition leaves",
    asked: both,
    query: { platform: { startsWith: "landsat", neq: "landsat-8" } },
    upstream: spelled("landsat-9"),
  },
])("$name goes to the upstream as a whole", ({ asked, query, upstream }) => {
  const filter = toUpstreamFilter(filterOf(query), asked);
  expect(filter.query).toEqual(upstream);
  expect(filter.local).toBeUndefined();
});

test("instruments that follow from the id are compared here", () => {
  const condition = filterOf({ instruments: { contains: "msi" } });
  expect(toUpstreamFilter(condition, sentinel)).toMatchObject({ query: {}, local: condition });
});

test("a platform that follows from the orbit is compared here", () => {
  const condition = filterOf({ platform: { eq: "landsat-8" } });
  expect(toUpstreamFilter(condition, [collections.hls])).toMatchObject({ query: {}, local: condition });
});

test("a condition on the collection narrows the collections", () => {
  const filter = toUpstreamFilter(filterOf({ "svc:source_collection": { neq: "landsat-ot-l2" } }), both);
  expect(filter).toEqual({ query: {}, local: undefined, collections: sentinel, holdsOthers: false });
});

test("a platform that no collection has removes all collections", () => {
  expect(toUpstreamFilter(filterOf({ platform: { eq: "landsat-7" } }), landsat).collections).toEqual([]);
});

test.each([
  { name: "a tile by its beginning", query: { "s2:mgrs_tile": { startsWith: "13" } }, sent: {} },
  { name: "inequality of what may be missing", query: { gsd: { neq: 30 } }, sent: { gsd: { neq: 30 } } },
  { name: "text with a wildcard of the upstream", query: { "s2:processing_baseline": { contains: "*" } }, sent: {} },
  { name: "an azimuth, which the service brings to 0 to 360", query: { "view:sun_azimuth": { gt: 300 } }, sent: {} },
])("$name is asked of the answer", ({ query, sent }) => {
  const filter = toUpstreamFilter(filterOf(query), sentinel);
  expect(filter.query).toEqual(sent);
  expect(filter.local).toEqual(filterOf(query));
});

test("conditions joined by OR are applied to the response, conditions joined by AND are sent upstream", () => {
  const or: Filter = {
    op: "or",
    args: [filterOf({ gsd: { eq: 1 } }), filterOf({ updated: { gt: "2024-01-01T00:00:00Z" } })],
  };
  const filter = toUpstreamFilter({ op: "and", args: [or, filterOf({ "eo:cloud_cover": { lt: 5 } })] }, sentinel);
  expect(filter.query).toEqual({ "eo:cloud_cover": { lt: 5, gte: 0 } });
  expect(filter.local).toEqual(or);
});

test("an operator that is given twice for a property is sent with the narrower value, and applied to the answer", () => {
  const twice: Filter = {
    op: "and",
    args: [filterOf({ "eo:cloud_cover": { lt: 5 } }), filterOf({ "eo:cloud_cover": { lt: 3 } })],
  };
  const filter = toUpstreamFilter(twice, sentinel);
  expect(filter.query).toEqual({ "eo:cloud_cover": { lt: 3, gte: 0 } });
  expect(filter.local).toEqual(filterOf({ "eo:cloud_cover": { lt: 3 } }));
});
