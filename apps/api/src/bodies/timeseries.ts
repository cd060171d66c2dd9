import { z } from "@hono/zod-openapi";
import { CURVE_MEMBERS, SeriesReducer } from "@swath/curve/models";
import type { FeaturesRequest, OverpassesInto, PointWhere, Request, SeriesRequest } from "@swath/engine";
import { parseIntersects } from "@swath/query";
import { CloudMask, HarmonizeLevel } from "@swath/schema";
import type { MemberNames } from "../errors/refusals.ts";
import { checkOneWhere, Features, featuresWhere } from "./features.ts";
import { refTo } from "./schema-ref.ts";

/** Formats of a series. */
export const SERIES_FORMATS = ["json", "csv", "png"] as const;
export type SeriesFormat = (typeof SERIES_FORMATS)[number];

/** Characters of an expression. */
export const MAX_EXPRESSION = 2000;
/** Collections of one series. */
const MAX_COLLECTIONS = 16;

/** Descriptions of the members, in a query as in a body. */
export const SERIES_MEMBERS = {
  index: "Id or alias of an index of `/v1/schema`, such as `ndvi` or `GNDVI`; instead of `expression`.",
  expression: "Band math over common names of bands, such as `(nir08 - red) / (nir08 + red)`; instead of `index`.",
  datetime: "RFC 3339 interval of at most 15 years; dates alone and an open end (`..`) are allowed.",
  collections: "Collection ids or aliases; default optical-sr.",
  harmonize: "Level of harmonization; default bandpass_adjusted of optical-sr, else offset_removed.",
  maxCloudCoverage: "Scenes of more cloud, in percent, are left out.",
  format: "Default json; the Accept header wins.",
} as const;

const { index, expression, datetime, collections, harmonize, maxCloudCoverage, format } = SERIES_MEMBERS;

/** The body of POST /v1/timeseries. */
export const TimeseriesBody = z
  .strictObject({
    geometry: z
      .unknown()
      .openapi(refTo("GeoJsonGeometry", "Point, Polygon or MultiPolygon of at most 25 km² (CRS84).")),
    datetime: z.string().openapi({ description: datetime }),
    collections: z.array(z.string()).min(1).max(MAX_COLLECTIONS).optional().openapi({ description: collections }),
    index: z.string().optional().openapi({ description: index }),
    expression: z.string().max(MAX_EXPRESSION).optional().openapi({ description: expression }),
    harmonize: HarmonizeLevel.optional().openapi({ description: harmonize }),
    cloudMask: CloudMask.optional(),
    maxCloudCoverage: z.number().min(0).max(100).optional().openapi({ description: maxCloudCoverage }),
    reducer: z.enum(["mean", "median", "min", "max", "majority"]).optional().openapi({
      default: "mean",
      description: "How the pixels of a polygon become one value; of classes majority, which is their default.",
    }),
    reducers: z.array(SeriesReducer).min(1).max(16).optional().openapi({
      description: "Further numbers of the pixels, beside the value.",
    }),
    ...CURVE_MEMBERS,
    format: z.enum(SERIES_FORMATS).optional().openapi({ description: format }),
  })
  .meta({ id: "TimeseriesOfPlace" });

const Measure = z
  .strictObject({
    name: z.string().openapi({ description: "Name of its values in the rows." }),
    index: z.string().optional().openapi({ description: "Id or alias of an index." }),
    expression: z.string().max(MAX_EXPRESSION).optional().openapi({ description: "Band math." }),
    band: z.string().optional().openapi({ description: "Common name of a band." }),
  })
  .meta({ id: "Measure" });

/** The body of POST /v1/timeseries, of one place or of several. */
export const TimeseriesRequest = TimeseriesBody.extend({
  geometry: TimeseriesBody.shape.geometry.optional(),
  input: z.strictObject({ features: Features }).optional().openapi({
    description: "Instead of `geometry`: a series of each, of at most 25 km² together.",
  }),
  measures: z
    .array(Measure)
    .optional()
    .openapi({ description: "Several values of each overpass, instead of `index` and `expression`." }),
}).meta({ id: "TimeseriesRequest" });
export type TimeseriesRequest = z.infer<typeof TimeseriesRequest>;

/** Names of the members of the engine's request in this body. */
export const TIMESERIES_MEMBERS: MemberNames = {
  in: "body",
  names: {
    where: "/geometry",
    "where.geometry": "/geometry",
    "where.features": "/input/features/features",
    "when.collections": "/collections",
    "when.time": "/datetime",
    what: "/index",
    "what.index": "/index",
    "what.expression": "/expression",
    "what.measures": "/measures",
    "what.harmonize": "/harmonize",
    "what.mask": "/cloudMask",
    into: "",
    format: "/format",
  },
};

/** A series of a place, or of features. */
export type OfEither = Request<SeriesRequest["where"] | FeaturesRequest["where"], OverpassesInto>;

/**
 * Makes the engine's request of a body.
 *
 * @throws {QueryError} `invalid-body` for a point without coordinates; {Refusal} `invalid` for a geometry beside features.
 */
export function seriesRequest(body: Omit<z.infer<typeof TimeseriesBody>, "format">): SeriesRequest;
export function seriesRequest(body: Omit<TimeseriesRequest, "format">): OfEither;
export function seriesRequest(body: Omit<TimeseriesRequest, "format">): OfEither {
  const { geometry, input, datetime, collections, index, expression, measures, harmonize, cloudMask: mask } = body;
  const { reducer, reducers, smooth, trend, season } = body;
  checkOneWhere(geometry, input, "geometry");
  return {
    where: input === undefined ? (pointOf(geometry) ?? { kind: "area", geometry }) : featuresWhere(input.features),
    when: { collections, time: datetime, maxCloudCover: body.maxCloudCoverage },
    what: { index, expression, harmonize, mask, ...(measures === undefined ? {} : { measures }) },
    into: { kind: "overpasses", reducer, reducers, smooth, trend, season },
  };
}

function pointOf(geometry: unknown): PointWhere | undefined {
  if ((geometry as { readonly type?: unknown } | null)?.type !== "Point") return undefined;
  const point = parseIntersects(geometry, { in: "body", pointer: "/geometry" });
  const [lon = 0, lat = 0] = point.type === "Point" ? point.coordinates : [];
  return { kind: "point", lon, lat };
}
