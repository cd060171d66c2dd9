import { z } from "zod";

/*
 * Models of STAC 1.1.0. Objects are loose, since STAC lets extensions add members anywhere. Documents of 1.0.0 and its
 * last betas are read too: members that 1.1.0 added are optional, and null is taken where old catalogues have it.
 */

/** A link to another document. */
export const Link = z
  .looseObject({
    href: z.string().min(1),
    rel: z.string().min(1),
    type: z.string().nullish(),
    title: z.string().nullish(),
    method: z.enum(["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE"]).optional(),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
    body: z.unknown().optional(),
    merge: z.boolean().optional().meta({ description: "Whether the client merges `body` into its previous body." }),
  })
  .meta({ id: "Link", description: "A link of STAC and OGC API." });
export type Link = z.infer<typeof Link>;

/** An organization that made, holds or serves data. */
const Provider = z
  .looseObject({
    name: z.string().min(1),
    description: z.string().nullish(),
    roles: z.array(z.enum(["licensor", "producer", "processor", "host"])).optional(),
    url: z.string().optional(),
  })
  .meta({ id: "Provider" });

/** A file of an item or collection. */
const Asset = z
  .looseObject({
    href: z.string().min(1),
    type: z.string().nullish(),
    title: z.string().nullish(),
    description: z.string().nullish(),
    roles: z.array(z.string()).nullish(),
    bands: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  })
  .meta({ id: "Asset" });

/** A box of 4 or 6 numbers; west > east crosses the antimeridian. */
const BboxArray = z
  .array(z.number())
  .min(4)
  .max(6)
  .refine((numbers) => numbers.length !== 5, "Expected 4 or 6 numbers")
  .meta({ description: "West, south, east, north (CRS84), or six numbers with heights." });

/** The area and time of a collection's items. */
const Extent = z
  .looseObject({
    spatial: z.looseObject({ bbox: z.array(BboxArray).min(1) }),
    temporal: z.looseObject({ interval: z.array(z.array(z.string().nullable()).length(2)).min(1) }),
  })
  .meta({ id: "Extent" });

/** A GeoJSON geometry. */
const GeometryModel = z
  .looseObject({
    type: z.enum([
      "Point",
      "MultiPoint",
      "LineString",
      "MultiLineString",
      "Polygon",
      "MultiPolygon",
      "GeometryCollection",
    ]),
    coordinates: z.array(z.unknown()).optional(),
    geometries: z.array(z.unknown()).optional(),
  })
  .refine(
    ({ type, coordinates, geometries }) => (type === "GeometryCollection" ? geometries : coordinates) !== undefined,
    "Expected coordinates, or geometries of a collection",
  )
  .meta({ id: "Geometry", description: "A GeoJSON geometry (RFC 7946)." });

const stacVersion = z.string().regex(/^\d+\.\d+\.\d+/);
const extensions = z.array(z.string()).nullish();

/** Properties of an item. */
const Properties = z
  .looseObject({
    datetime: z.string().nullable(),
    start_datetime: z.string().optional(),
    end_datetime: z.string().optional(),
    created: z.string().optional(),
    updated: z.string().optional(),
    platform: z.string().optional(),
    constellation: z.string().optional(),
    instruments: z.array(z.string()).optional(),
    gsd: z.number().optional(),
  })
  .meta({ id: "Properties" });

/** A STAC Item. */
export const Item = z
  .looseObject({
    type: z.literal("Feature"),
    stac_version: stacVersion,
    stac_extensions: extensions,
    id: z.string().min(1),
    collection: z.string().nullish(),
    geometry: GeometryModel.nullable(),
    bbox: BboxArray.optional(),
    properties: Properties,
    assets: z.record(z.string(), Asset),
    links: z.array(Link),
  })
  .meta({ id: "Item", description: "A STAC item." });
export type Item = z.infer<typeof Item>;

const plainObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "Expected an object",
);

/**
 * An item as a search may answer it: without the members that `fields` left out, and looked at no deeper than its own
 * members, since a page holds thousands of assets. Code that reads an asset checks it.
 */
export const PartialItem = z.looseObject({
  type: z.literal("Feature"),
  stac_version: stacVersion.optional(),
  id: z.string().min(1),
  collection: z.string().nullish(),
  geometry: plainObject.nullish(),
  bbox: z.array(z.number()).optional(),
  properties: plainObject.optional(),
  assets: plainObject.optional(),
  links: z.array(z.unknown()).optional(),
});
export type PartialItem = z.infer<typeof PartialItem>;

/** A page of items as an upstream sends it: any member of an item may be missing, and the links too. */
export const SearchAnswer = z.looseObject({
  type: z.literal("FeatureCollection"),
  links: z.array(Link).optional(),
  numberReturned: z.int().min(0).optional(),
  numberMatched: z.int().min(0).nullish(),
  features: z.array(PartialItem),
  context: z.looseObject({ matched: z.int().min(0).nullish() }).optional(),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;

/** A STAC Collection. */
export const Collection = z
  .looseObject({
    type: z.literal("Collection"),
    stac_version: stacVersion,
    stac_extensions: extensions,
    id: z.string().min(1),
    title: z.string().optional(),
    description: z.string().min(1),
    keywords: z.array(z.string()).optional(),
    license: z.string().regex(/^[\w\-.+]+$/),
    providers: z.array(Provider).optional(),
    extent: Extent,
    summaries: z.record(z.string(), z.unknown()).optional(),
    item_assets: z.record(z.string(), z.looseObject({})).optional(),
    assets: z.record(z.string(), Asset).optional(),
    links: z.array(Link),
  })
  .meta({ id: "Collection", description: "A STAC collection." });
export type Collection = z.infer<typeof Collection>;

/** A STAC Catalog, such as a landing page. */
export const Catalog = z
  .looseObject({
    type: z.literal("Catalog"),
    stac_version: stacVersion,
    stac_extensions: extensions,
    id: z.string().min(1),
    title: z.string().optional(),
    description: z.string().min(1),
    conformsTo: z.array(z.string()).optional(),
    links: z.array(Link),
  })
  .meta({ id: "Catalog", description: "A STAC catalog; also the landing page of an API." });
export type Catalog = z.infer<typeof Catalog>;

/** A landing page as an upstream sends it: catalogues before 1.0.0 lack `type`. */
export const LandingAnswer = Catalog.extend({ type: z.literal("Catalog").optional() });
export type LandingAnswer = z.infer<typeof LandingAnswer>;

/** The ids in a list of collections, whatever else their documents hold. */
export const CollectionIds = z.looseObject({ collections: z.array(z.looseObject({ id: z.string() })) });

const count = z.int().min(0);

/** One aggregation over items (STAC API Aggregation Extension 0.3.0): a value, or buckets of items. */
export const Aggregation = z
  .looseObject({
    name: z.string().min(1),
    data_type: z.string().min(1),
    value: z.union([z.number(), z.string()]).nullish(),
    buckets: z
      .array(
        z.looseObject({
          key: z.string(),
          data_type: z.string().optional(),
          frequency: count,
          from: z.number().nullish(),
          to: z.number().nullish(),
        }),
      )
      .optional(),
    overflow: count.optional().meta({ description: "Items that are in none of the buckets." }),
  })
  .meta({ id: "Aggregation", description: "One aggregation over items: a value, or buckets of items." });
export type Aggregation = z.infer<typeof Aggregation>;

/** Aggregations over the items that match. */
export const AggregationCollection = z
  .looseObject({
    type: z.literal("AggregationCollection"),
    aggregations: z.array(Aggregation),
    links: z.array(Link),
  })
  .meta({ id: "AggregationCollection", description: "Aggregations over the items that match." });
export type AggregationCollection = z.infer<typeof AggregationCollection>;

/** Aggregations as an upstream sends them: stac-server leaves `type` out. */
export const AggregationAnswer = z.looseObject({ aggregations: z.array(Aggregation) });
export type AggregationAnswer = z.infer<typeof AggregationAnswer>;
