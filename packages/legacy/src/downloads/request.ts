import { zodMessage } from "@swath/problem";
import { parseDatetime, QueryError } from "@swath/query";
import { placeIn } from "@swath/web";
import { z } from "zod";
import { LegacyError, type ValidationFault, validationError } from "../errors.ts";

export const MAX_ITEMS = 6;

/** Pixels; more than 20,000 are too large rather than malformed: 413 with the numbers. */
const side = z.int().min(1);
const id = z.string().min(1).max(256);

const window = z.string().superRefine((text, c) => {
  try {
    parseDatetime(text);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    c.addIssue({ code: "custom", message: error.message });
  }
});

const bbox = z
  .array(z.number())
  .length(4)
  .refine(([west = 0, , east = 0]) => Math.abs(west) <= 180 && Math.abs(east) <= 180, "Longitudes are -180 to 180")
  .refine(([, south = 0, , north = 0]) => south >= -90 && north <= 90, "Latitudes are -90 to 90")
  .refine(([west, south = 0, east, north = 0]) => south < north && west !== east, "The box has no area");

/** The body of POST /downloads. Unknown members are ignored, as they always were. */
export const DownloadRequest = z
  .object({
    collection: z.enum(["sentinel-2-c1-l2a", "landsat-c2-l2"]),
    item: id.nullish(),
    items: z.array(id).min(1).max(MAX_ITEMS).nullish(),
    datetime: window.nullish(),
    order: z.enum(["least_cloud", "as_given"]).default("least_cloud"),
    bbox,
    bands: z.array(z.string().min(1)).min(1).max(32).nullish(),
    crs: z.string().min(1).max(128).nullish(),
    resolution: z.number().positive().nullish(),
    resolution_deg: z.number().positive().nullish(),
    size: z
      .union([
        side,
        z.array(side).length(2),
        z.object({ width: side.nullish(), height: side.nullish() }).refine(({ width, height }) => width ?? height, {
          message: "Expected width or height",
        }),
      ])
      .nullish(),
    units: z.enum(["DN", "REFLECTANCE"]).default("DN"),
    harmonize: z.enum(["none", "offset_removed"]).default("none"),
    clamp: z.boolean().default(false),
    output: z.enum(["multiband", "per_band"]).default("multiband"),
    preview: z.object({ width: z.int().min(64).max(2500) }).nullish(),
  })
  .superRefine((body, c) => {
    const given = (["item", "items", "datetime"] as const).filter((name) => body[name] != null);
    if (given.length !== 1) {
      const got = given.length === 0 ? "none" : given.join(" and ");
      c.addIssue({ code: "custom", path: [], message: `Expected one of item, items and datetime, got ${got}` });
    }
    const sizes = (["resolution", "resolution_deg", "size"] as const).filter((name) => body[name] != null);
    if (sizes.length > 1) {
      const message = `Expected one of resolution, resolution_deg and size, got ${sizes.join(" and ")}`;
      c.addIssue({ code: "custom", path: [], message });
    }
  });
export type DownloadRequest = z.infer<typeof DownloadRequest>;

const TYPES: Readonly<Record<string, string>> = {
  invalid_value: "literal_error",
  too_small: "greater_than_equal",
  too_big: "less_than_equal",
  custom: "value_error",
};

function faultOf(issue: z.core.$ZodIssue, body: unknown): ValidationFault {
  const loc = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  const input = loc.reduce<unknown>(
    (value, part) => (value as Record<string | number, unknown> | undefined)?.[part],
    body,
  );
  const isMissing = input === undefined && loc.length > 0;
  return {
    type: isMissing ? "missing" : (TYPES[issue.code] ?? "type_error"),
    loc: ["body", ...loc],
    msg: isMissing ? "Field required" : issue.message,
    input: isMissing ? body : (input ?? null),
  };
}

/**
 * Reads the text of a download's body.
 *
 * @throws {LegacyError} 422 in FastAPI's shape, one entry a fault.
 */
export function parseDownload(text: string): DownloadRequest {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    const ctx = { error: `The body is not JSON${placeIn(text, error as Error)}.` };
    throw new LegacyError(422, {
      detail: [{ type: "json_invalid", loc: ["body", 0], msg: "JSON decode error", input: {}, ctx }],
    });
  }
  const parsed = DownloadRequest.safeParse(body, { error: zodMessage });
  if (parsed.success) return parsed.data;
  throw validationError(parsed.error.issues.map((issue) => faultOf(issue, body)));
}
