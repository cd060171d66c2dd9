import { z } from "@hono/zod-openapi";
import { SERIES_REDUCERS } from "@swath/engine";
import { CloudMask, HarmonizeLevel } from "@swath/schema";
import { refTo } from "./schema-ref.ts";

/** Formats of a series. */
export const SERIES_FORMATS = ["json", "csv", "png"] as const;
export type SeriesFormat = (typeof SERIES_FORMATS)[number];

/** Characters of an expression. */
export const MAX_EXPRESSION = 2000;
/** Collections of one series. */
const MAX_COLLECTIONS = 16;

/** What the members are, in a query as in a body. */
export const SERIES_MEMBERS = {
  index: "Id of an index of `/v1/schema`; instead of `expression`.",
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
    reducer: z
      .enum(SERIES_REDUCERS)
      .optional()
      .openapi({ default: "mean", description: "How the pixels of a polygon become one value." }),
    format: z.enum(SERIES_FORMATS).optional().openapi({ description: format }),
  })
  .meta({ id: "TimeseriesRequest" });
