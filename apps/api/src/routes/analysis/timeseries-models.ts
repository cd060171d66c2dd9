import { z } from "@hono/zod-openapi";
import { CURVE_PARAMETERS } from "@swath/curve/models";
import { HarmonizeLevel } from "@swath/schema";
import { MAX_EXPRESSION, SERIES_FORMATS, SERIES_MEMBERS } from "../../bodies/timeseries.ts";
import type { MemberNames } from "../../errors/refusals.ts";
import { csv, number, text } from "../scenes/parameters.ts";

const { index, expression, datetime, collections, harmonize, maxCloudCoverage, format } = SERIES_MEMBERS;

/** The parameters of GET /v1/timeseries. */
export const TimeseriesQuery = z
  .strictObject({
    lon: number(-180, 180, "Longitude, degrees (CRS84)."),
    lat: number(-90, 90, "Latitude, degrees (CRS84)."),
    datetime: z.string().openapi({ description: datetime, example: "2024-01-01/2024-12-31" }),
    collections: csv(collections),
    index: text(index),
    expression: z.string().max(MAX_EXPRESSION).optional().openapi({ description: expression }),
    harmonize: HarmonizeLevel.optional().openapi({ description: harmonize }),
    exclude: csv("Mask classes to drop; default: nodata, saturated_defective, cloud, cloud_shadow, cirrus."),
    maxCloudCoverage: number(0, 100, maxCloudCoverage).optional(),
    ...CURVE_PARAMETERS,
    format: z.enum(SERIES_FORMATS).optional().openapi({ description: format }),
  })
  .meta({ id: "TimeseriesQuery" });

/** Names of the members of the engine's request among them. */
export const TIMESERIES_PARAMETERS: MemberNames = {
  in: "query",
  names: {
    "when.collections": "collections",
    "when.time": "datetime",
    what: "index",
    "what.index": "index",
    "what.expression": "expression",
    "what.harmonize": "harmonize",
    "what.mask": "exclude",
    "into.smooth": "smooth",
    "into.trend": "trend",
    "into.season": "season",
  },
};
