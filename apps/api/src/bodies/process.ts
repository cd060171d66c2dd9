import { z } from "@hono/zod-openapi";
import type { ExtractionRequest, SizeCaps } from "@swath/engine";
import { findInstant } from "@swath/query";
import { type CollectionRegistry, HARMONIZE_LEVELS, MosaickingOrder, UNIT_IDS } from "@swath/schema";
import type { MemberNames } from "../errors/refusals.ts";
import { refTo } from "./schema-ref.ts";

/** Longest side of an output of any kind, pixels; more is malformed rather than too large. */
export const MAX_SIDE = 20_000;

const size = z.int().min(1).max(MAX_SIDE);
const resolution = z.number().positive();
const moment = z
  .string()
  .refine((text) => findInstant(text) !== undefined, "Expected an RFC 3339 date-time with zone")
  .openapi({ format: "date-time", description: "RFC 3339, UTC, inclusive." });

/** Limits of a file whose client waits for it. */
export const SYNC_CAPS: SizeCaps = { side: 2500, values: 150_000_000, valuesTimesScenes: 200_000_000 };

/** Largest body of a request. */
export const MAX_PROCESS_BYTES = 1_048_576;

/** A box or a polygon, and its CRS. */
export const ProcessBounds = z
  .strictObject({
    bbox: z.array(z.number()).min(4).max(6).optional().openapi({
      description:
        "West, south, east, north, or six numbers with heights: degrees, or metres where `properties.crs` is in metres.",
    }),
    geometry: z
      .unknown()
      .optional()
      .openapi(refTo("GeoJsonArea", "GeoJSON Polygon or MultiPolygon; pixels outside are nodata.")),
    properties: z
      .strictObject({
        crs: z
          .string()
          .optional()
          .openapi({ description: "CRS of `bbox` or `geometry`; default CRS84, longitude and latitude in degrees." }),
      })
      .optional(),
  })
  .meta({ id: "ProcessBounds" });

const DataFilter = z
  .strictObject({
    timeRange: z.strictObject({ from: moment, to: moment }).optional(),
    maxCloudCoverage: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .openapi({ default: 100, description: "Scenes of more cloud, in percent, are left out." }),
    mosaickingOrder: MosaickingOrder.optional().openapi({ default: "mostRecent" }),
    ids: z
      .array(z.string().min(1))
      .min(1)
      .max(6)
      .optional()
      .openapi({ description: "Item ids, first on top, instead of `timeRange`." }),
  })
  .meta({ id: "DataFilter" });

const Output = z
  .strictObject({
    width: size
      .optional()
      .openapi({ default: 256, description: "Pixels; the default holds without `resx` and `resy`." }),
    height: size
      .optional()
      .openapi({ default: 256, description: "Pixels; the default holds without `resx` and `resy`." }),
    resx: resolution
      .optional()
      .openapi({ description: "Pixel width, instead of `width`: metres, or degrees where `crs` is in degrees." }),
    resy: resolution
      .optional()
      .openapi({ description: "Pixel height, instead of `height`: metres, or degrees where `crs` is in degrees." }),
    crs: z.string().optional().openapi({
      default: "EPSG:3857",
      description: "`EPSG:n`, an OGC URI or URN: 4326 and CRS84 are in degrees, 3857 and UTM zones in metres.",
    }),
    format: z.literal("image/tiff").optional().openapi({ default: "image/tiff" }),
    sampleType: z
      .enum(["AUTO", "UINT16", "INT16", "FLOAT32"])
      .optional()
      .openapi({ default: "AUTO", description: "`AUTO`: the narrowest type that holds every value." }),
  })
  .meta({ id: "ProcessOutput" });

/** Levels of harmonization of lean v1. */
const LEVELS: readonly string[] = ["none", "offset_removed"];

/** Units of lean v1. */
const UNITS: readonly string[] = ["REFLECTANCE", "DN"];

/** The model of a request, with these levels of harmonization and units in its description: the reader checks them itself. */
function modelOf(levels: readonly string[], units: readonly string[], more: typeof EXPRESSION | Record<string, never>) {
  const Processing = z
    .strictObject({
      units: z
        .string()
        .optional()
        .openapi({ enum: [...units], default: "REFLECTANCE" }),
      harmonize: z
        .string()
        .optional()
        .openapi({ enum: [...levels], default: "offset_removed" }),
      clipNegative: z.boolean().optional().openapi({ default: false }),
      resampling: z.literal("nearest").optional().openapi({ default: "nearest" }),
    })
    .meta({ id: "Processing" });
  const Data = z
    .strictObject({
      type: z.string().openapi({ description: "Collection id or alias." }),
      dataFilter: DataFilter,
      processing: Processing.optional(),
    })
    .meta({ id: "ProcessData" });
  return z
    .strictObject({
      input: z.strictObject({ bounds: ProcessBounds, data: z.array(Data).min(1).max(1) }),
      bands: z.array(z.string()).min(1).max(64).optional().openapi({
        description:
          "Common names, native names, aliases, or pseudo bands of the collection (`svc:pseudo_bands`, `DN` only); default: every spectral band that the scenes have.",
      }),
      ...more,
      output: Output,
    })
    .meta({ id: "ProcessRequest" });
}

/** Band math in place of bands, which lean v1 does not read. */
const EXPRESSION = {
  expression: z.string().min(1).optional().openapi({
    description:
      "Instead of `bands`: band math as in statistics, one expression or three divided by semicolons; the file holds its values as 32-bit floats.",
    example: "(nir - red) / (nir + red)",
  }),
};

/** The body of POST /v1/process and POST /v1/process/jobs. */
export const ProcessRequest = modelOf(LEVELS, UNITS, {});
export type ProcessRequest = z.infer<typeof ProcessRequest> & { readonly expression?: string | undefined };

/** Whether a profile takes band math in place of bands. */
export interface ProcessMath {
  readonly expressions: "taken" | "refused";
}

/** The same body as it is described for the collections of a service. */
export function processRequestModel(
  { listed }: Pick<CollectionRegistry, "listed">,
  { expressions }: ProcessMath,
): typeof ProcessRequest {
  const offered = HARMONIZE_LEVELS.filter((level) =>
    listed.some(({ harmonizeLevels }) => harmonizeLevels.includes(level)),
  );
  const units = UNIT_IDS.filter((unit) => listed.some(({ processUnits }) => processUnits.includes(unit)));
  const key = `${offered} ${units} ${expressions}`;
  const known = models.get(key);
  if (known !== undefined) return known;
  const isLean = offered.every((level) => LEVELS.includes(level)) && units.every((unit) => UNITS.includes(unit));
  const model =
    isLean && expressions === "refused"
      ? ProcessRequest
      : modelOf(offered, units, expressions === "taken" ? EXPRESSION : {});
  models.set(key, model);
  return model;
}

const models = new Map<string, typeof ProcessRequest>();

/** Names of the members of the engine's request in this body. */
export const PROCESS_MEMBERS: MemberNames = {
  in: "body",
  names: {
    where: "/input/bounds",
    "where.crs": "/input/bounds/properties/crs",
    "where.frame": "/output",
    when: "/input/data/0/dataFilter",
    "when.collections": "/input/data/0/type",
    "when.collections.0": "/input/data/0/type",
    "when.time": "/input/data/0/dataFilter/timeRange",
    "when.maxCloudCover": "/input/data/0/dataFilter/maxCloudCoverage",
    "when.order": "/input/data/0/dataFilter/mosaickingOrder",
    what: "/input/data/0/processing",
    "what.bands": "/bands",
    "what.expression": "/expression",
    into: "/output",
  },
};

/**
 * Makes the engine's request of a body.
 *
 * @param caps default: those of background jobs
 */
export function extractionRequest(body: ProcessRequest, caps?: SizeCaps): ExtractionRequest {
  const { bands, expression, output } = body;
  const { crs, width, height, resx, resy, sampleType } = output;
  const { bbox, geometry, properties } = body.input.bounds;
  const { type, dataFilter, processing } = body.input.data[0]!;
  const { timeRange: time, ids, maxCloudCoverage: maxCloudCover, mosaickingOrder: order } = dataFilter;
  return {
    where: { kind: "area", bbox, geometry, crs: properties?.crs, frame: { crs, width, height, resx, resy } },
    when: { collections: [type], time, ids, maxCloudCover, order },
    what: {
      bands,
      expression,
      units: processing?.units,
      harmonize: processing?.harmonize,
      clipNegative: processing?.clipNegative,
    },
    into: { kind: "geotiff", sampleType, caps },
  };
}
