import { z } from "@hono/zod-openapi";
import type { TileRequest, What } from "@swath/engine";
import type { ImageFormat } from "@swath/engine/node/images";
import { findPercentiles, PERCENTILES } from "../../bodies/percentiles.ts";
import { ProblemError } from "../../errors/problems.ts";
import type { MemberNames } from "../../errors/refusals.ts";

const Format = z.enum(["png", "jpg", "webp"]).openapi({ description: "Image format." });
const AnyFormat = z
  .enum(["png", "jpg", "jpeg", "webp"])
  .transform((format): ImageFormat => (format === "jpeg" ? "jpg" : format))
  .openapi({ type: "string", enum: ["png", "jpg", "jpeg", "webp"], description: "Image format; `jpeg` is `jpg`." });

/** A whole number of a path. */
export const whole = (description: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "Expected a whole number")
    .transform(Number)
    .openapi({ type: "integer", minimum: 0, description });

/** A row, and the pixels of the tile's edge that it is asked in. */
export interface TileRow {
  readonly y: number;
  readonly size?: 512;
}
const ROW = "Row, from the north.";
const Row = whole(ROW).transform((y): TileRow => ({ y }));
const AnyRow = z
  .string()
  .regex(/^\d{1,9}(@2x)?$/, "Expected a whole number, or one with @2x")
  .transform((text): TileRow => ({ y: Number.parseInt(text, 10), ...(text.endsWith("@2x") ? { size: 512 } : {}) }))
  .openapi({ type: "integer", minimum: 0, description: `${ROW} With \`@2x\` behind it as with \`tile_size=512\`.` });

const TileQuery = z.strictObject({
  collection: z.string().optional().openapi({ description: "Collection id or alias; default: the preset's." }),
  datetime: z.string().optional().openapi({
    description:
      "Window of acquisitions, RFC 3339; a year (`2024`) or month (`2024-07`) is all of it; default: the preset's `defaultWindow` ending now.",
  }),
});
const SizedQuery = TileQuery.extend({
  tile_size: z
    .enum(["256", "512"])
    .transform((size) => Number(size) as 256 | 512)
    .optional()
    .openapi({
      type: "integer",
      enum: [256, 512],
      default: 256,
      description: "Pixels of the tile's edge: 512 shows the same ground in twice the resolution.",
    }),
});

/** Id of the preset whose bands or expression a request says itself. */
const CUSTOM = "custom";
const STYLE = {
  expression: z.string().optional().openapi({
    description:
      "Of the preset `custom`: band math as in statistics, one expression or three divided by semicolons, on physical values.",
    example: "(nir - red) / (nir + red)",
  }),
  bands: z
    .string()
    .optional()
    .openapi({ description: "Of the preset `custom`: one band or three, divided by commas, instead of `expression`." }),
  rescale: z.string().optional().openapi({
    description:
      "Of the preset `custom`: `min,max` of the values shown as first and last color, once or for each of three, or `p2,p98`: percentiles of the values in view, in previews and TileJSON; default: percentiles 2 and 98 of the collection's usual values.",
  }),
  colormap: z
    .string()
    .optional()
    .openapi({ description: "Of the preset `custom`: a colormap of `/v1/schema`, for one band; default: grey." }),
};
const StyledQuery = SizedQuery.extend(STYLE);

/** Query parameters of a legend. */
export const StyleQuery = TileQuery.omit({ datetime: true }).extend(STYLE);

/** Query parameters that say what is drawn. */
export type StyleValues = {
  readonly collection?: string | undefined;
  readonly expression?: string | undefined;
  readonly bands?: string | undefined;
  readonly rescale?: string | undefined;
  readonly colormap?: string | undefined;
};

/** Query parameters of a tile. */
export type TileValues = StyleValues & {
  readonly datetime?: string | undefined;
  readonly tile_size?: 256 | 512 | undefined;
};

/** Names of the members of the engine's request in addresses of images. */
export const IMAGE_PARAMETERS: MemberNames["names"] = {
  "when.collections": "collection",
  "what.bands": "bands",
  "what.expression": "expression",
  "what.style.rescale": "rescale",
  "what.style.colormap": "colormap",
};

/**
 * Reads what is drawn: a preset, or for the preset `custom` bands or an expression.
 *
 * @throws {ProblemError} `invalid-parameter` for a style beside another preset, and for a range that is none.
 */
export function whatOf(preset: string | undefined, values: StyleValues): What {
  const { expression, bands, rescale, colormap } = values;
  if (preset !== CUSTOM) {
    const errors = Object.keys(STYLE).flatMap((pointer) =>
      values[pointer as keyof StyleValues] === undefined
        ? []
        : [{ pointer, detail: `Expected none: it is for the preset ${CUSTOM}.` }],
    );
    const [first] = errors;
    if (first === undefined) return preset === undefined ? {} : { preset };
    throw new ProblemError("invalid-parameter", `${first.pointer}: ${first.detail}`, { errors });
  }
  return {
    ...(expression === undefined ? {} : { expression }),
    ...(bands === undefined ? {} : { bands: bands.split(",").map((name) => name.trim()) }),
    ...(rescale === undefined && colormap === undefined ? {} : { style: { rescale: rangesOf(rescale), colormap } }),
  };
}

/** Whether a range is of the values in view. */
export const isOfView = (rescale: string | undefined): boolean => rescale !== undefined && PERCENTILES.test(rescale);

/** Reads pairs of numbers joined by commas, at most three, or two percentiles. */
function rangesOf(text: string | undefined): NonNullable<What["style"]>["rescale"] {
  if (text === undefined) return undefined;
  const percentiles = findPercentiles(text);
  if (percentiles !== undefined) return percentiles;
  const numbers = text
    .slice(0, 200)
    .split(",")
    .map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if ((numbers.length !== 2 && numbers.length !== 6) || !numbers.every(Number.isFinite)) {
    const detail = `Expected min,max, three such pairs, or percentiles such as p2,p98, got "${text.slice(0, 100)}".`;
    throw new ProblemError("invalid-parameter", `rescale: ${detail}`, { errors: [{ pointer: "rescale", detail }] });
  }
  return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i] ?? 0, numbers[2 * i + 1] ?? 0] as const);
}

/** The parameters of an image again, for an address that shows the same. */
export function styleParameters({ collection, expression, bands, rescale, colormap }: StyleValues): URLSearchParams {
  const all = Object.entries({ collection, expression, bands, rescale, colormap });
  return new URLSearchParams(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

const maxSize = z
  .string()
  .regex(/^\d{1,6}$/, "Expected a whole number")
  .transform(Number)
  .pipe(z.number().min(64, "Expected 64 to 1024").max(1024, "Expected 64 to 1024"))
  .optional()
  .openapi({ type: "integer", minimum: 64, maximum: 1024, default: 512, description: "Long edge, pixels." });
const PreviewQuery = z.strictObject({ max_size: maxSize });
const StyledPreview = PreviewQuery.extend({
  preset: z.string().optional().openapi({ description: "Preset, or `custom`; default: true colour." }),
  ...STYLE,
});
/** Query parameters of a preview. */
export type PreviewValues = Omit<StyleValues, "collection"> & {
  readonly max_size?: number | undefined;
  readonly preset?: string | undefined;
};

/** Query parameters of TileJSON. */
export type TileJsonValues = TileValues & {
  readonly format?: ImageFormat | undefined;
  /** The view of percentiles: degrees, west, south, east, north. */
  readonly bbox?: string | undefined;
};

/** The parameters that a profile reads in addresses of images. */
export interface ImageDialect {
  readonly format: z.ZodType<ImageFormat>;
  readonly row: z.ZodType<TileRow>;
  readonly tile: z.ZodType<TileValues>;
  readonly tileJson: z.ZodType<TileJsonValues>;
  readonly preview: z.ZodType<PreviewValues>;
  /** Whether ranges may be percentiles of a view. */
  readonly hasViews: boolean;
  /** Reads what is drawn. */
  readonly what: (preset: string | undefined, values: StyleValues) => TileRequest["what"];
}

/** Parameters of lean v1. */
export const LEAN_DIALECT: ImageDialect = {
  format: Format,
  row: Row,
  tile: TileQuery,
  tileJson: TileQuery.extend({ format: Format.optional() }),
  hasViews: false,
  preview: PreviewQuery,
  what: (preset) => (preset === undefined ? {} : { preset }),
};
/** Parameters of the full contract. */
export const FULL_DIALECT: ImageDialect = {
  format: AnyFormat,
  row: AnyRow,
  tile: StyledQuery,
  tileJson: StyledQuery.omit({ tile_size: true }).extend({
    format: AnyFormat.optional(),
    bbox: z.string().max(200).optional().openapi({
      description:
        "The view whose percentiles `rescale` names: west,south,east,north in degrees. It needs a key, and costs as an image.",
      example: "13.2,45.4,13.5,45.6",
    }),
  }),
  hasViews: true,
  preview: StyledPreview,
  what: whatOf,
};
