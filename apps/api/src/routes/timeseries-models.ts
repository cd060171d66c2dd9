import { z } from "@hono/zod-openapi";
import { CloudMask, HarmonizeLevel } from "@swath/schema";
import { SERIES_REDUCERS } from "../plan/timeseries-request.ts";
import { refTo } from "../schema-ref.ts";
import { csv, text } from "./parameters.ts";

/** Media types of a series, by the value of `format`. */
export const SERIES_FORMATS = ["json", "csv", "png"] as const;
export type SeriesFormat = (typeof SERIES_FORMATS)[number];

/** Characters of an expression. */
const MAX_EXPRESSION = 2000;
/** Collections of one series. */
const MAX_COLLECTIONS = 16;

const INDEX = "Id of an index of `/v1/schema`; instead of `expression`.";
const EXPRESSION = "Band math over common names of bands, such as `(nir08 - red) / (nir08 + red)`; instead of `index`.";
const DATETIME = "RFC 3339 interval of at most 15 years; dates alone and an open end (`..`) are allowed.";
const COLLECTIONS = "Collection ids or aliases; default optical-sr.";
const HARMONIZE = "Level of harmonization; default bandpass_adjusted of optical-sr, else offset_removed.";
const CLOUDS = "Scenes of more cloud, in percent, are left out.";

/** A number as query parameters have it. */
const number = (low: number, high: number, description: string) =>
  z.coerce.number().min(low).max(high).openapi({ description });

/** The parameters of GET /v1/timeseries. */
export const TimeseriesQuery = z
  .strictObject({
    lon: number(-180, 180, "Longitude, degrees (CRS84)."),
    lat: number(-90, 90, "Latitude, degrees (CRS84)."),
    datetime: z.string().openapi({ description: DATETIME, example: "2024-01-01/2024-12-31" }),
    collections: csv(COLLECTIONS),
    index: text(INDEX),
    expression: z.string().max(MAX_EXPRESSION).optional().openapi({ description: EXPRESSION }),
    harmonize: HarmonizeLevel.optional().openapi({ description: HARMONIZE }),
    exclude: csv("Mask classes to drop; default: nodata, saturated_defective, cloud, cloud_shadow, cirrus."),
    maxCloudCoverage: number(0, 100, CLOUDS).optional(),
    format: z.enum(SERIES_FORMATS).optional().openapi({ description: "Default json; the Accept header wins." }),
  })
  .meta({ id: "TimeseriesQuery" });

/** The body of POST /v1/timeseries. */
export const TimeseriesBody = z
  .strictObject({
    geometry: z
      .unknown()
      .openapi(refTo("GeoJsonGeometry", "Point, Polygon or MultiPolygon of at most 25 km² (CRS84).")),
    datetime: z.string().openapi({ description: DATETIME }),
    collections: z.array(z.string()).min(1).max(MAX_COLLECTIONS).optional().openapi({ description: COLLECTIONS }),
    index: z.string().optional().openapi({ description: INDEX }),
    expression: z.string().max(MAX_EXPRESSION).optional().openapi({ description: EXPRESSION }),
    harmonize: HarmonizeLevel.optional().openapi({ description: HARMONIZE }),
    cloudMask: CloudMask.optional(),
    maxCloudCoverage: z.number().min(0).max(100).optional().openapi({ description: CLOUDS }),
    reducer: z
      .enum(SERIES_REDUCERS)
      .optional()
      .openapi({ default: "mean", description: "How the pixels of a polygon become one value." }),
    format: z.enum(SERIES_FORMATS).optional().openapi({ description: "Default json; the Accept header wins." }),
  })
  .meta({ id: "TimeseriesRequest" });
