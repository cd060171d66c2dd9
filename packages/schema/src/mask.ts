import * as z from "zod";
import { MASK_CLASSES, MaskClass, type MaskSource } from "./vocabulary.ts";

/** Cloud-mask settings of presets, statistics and time series. */
export const CloudMask = z
  .strictObject({
    exclude: z
      .array(MaskClass)
      .refine((classes) => new Set(classes).size === classes.length, "Each class at most once.")
      .optional()
      .meta({ description: "Classes to drop.", uniqueItems: true }),
    scl7: z
      .enum(["unclassified", "cloud", "clear"])
      .optional()
      .meta({ description: "What Sentinel-2 SCL class 7 counts as; default unclassified." }),
    dilate_m: z
      .int()
      .min(0)
      .max(600)
      .optional()
      .meta({ description: "Buffer in metres around cloud and cloud_shadow on sources without one." }),
    cloudConfidence: z
      .enum(["low", "medium", "high"])
      .optional()
      .meta({ description: "Minimum Landsat QA_PIXEL cloud confidence counted as cloud; default medium." }),
  })
  .meta({ id: "CloudMask", description: "Cloud-mask settings." });
export type CloudMask = z.infer<typeof CloudMask>;

/** The settings that decide what a stored value means. */
export interface MaskSettings {
  /** What SCL class 7 counts as. Default `unclassified`. */
  readonly scl7?: "unclassified" | "cloud" | "clear" | undefined;
  /** Least QA_PIXEL cloud confidence that counts as cloud. Default `medium`. */
  readonly cloudConfidence?: "low" | "medium" | "high" | undefined;
}

/** Sources whose values this package reads. */
export type TableSource = Extract<MaskSource, "scl" | "qa_pixel">;

/**
 * SCL value to mask class (ESA, Sen2Cor Level-2A scene classification). 4 is vegetation, 5 bare ground. 7 is
 * "unclassified" and follows the setting `scl7`.
 */
export const SCL_CLASSES = [
  "nodata",
  "saturated_defective",
  "dark_terrain_shadow",
  "cloud_shadow",
  "clear",
  "clear",
  "water",
  "unclassified",
  "cloud",
  "cloud",
  "cirrus",
  "snow_ice",
] as const satisfies readonly MaskClass[];

/** QA_PIXEL bit to mask class (USGS LSDS-1619, Collection 2 pixel quality). */
export const QA_PIXEL_BITS = [
  { bit: 0, class: "nodata", meaning: "Fill" },
  { bit: 1, class: "cloud_adjacent", meaning: "Dilated cloud" },
  { bit: 2, class: "cirrus", meaning: "High confidence cirrus" },
  { bit: 3, class: "cloud", meaning: "High confidence cloud" },
  { bit: 4, class: "cloud_shadow", meaning: "High confidence cloud shadow" },
  { bit: 5, class: "snow_ice", meaning: "High confidence snow or ice" },
  { bit: 6, class: "clear", meaning: "Neither cloud nor dilated cloud" },
  { bit: 7, class: "water", meaning: "Water" },
] as const satisfies readonly { bit: number; class: MaskClass; meaning: string }[];

/** QA_PIXEL fields of two bits: 0 not set, 1 low, 2 medium, 3 high; medium is used for clouds only. */
export const QA_PIXEL_CONFIDENCES = [
  { bits: [8, 9], class: "cloud" },
  { bits: [10, 11], class: "cloud_shadow" },
  { bits: [12, 13], class: "snow_ice" },
  { bits: [14, 15], class: "cirrus" },
] as const satisfies readonly { bits: readonly [number, number]; class: MaskClass }[];

const CONFIDENCE = { low: 1, medium: 2, high: 3 } as const;

/** Which class a pixel is given when several apply: what hides the ground most comes first. */
const PRECEDENCE: readonly MaskClass[] = [
  "nodata",
  "saturated_defective",
  "cloud",
  "cloud_shadow",
  "cirrus",
  "cloud_adjacent",
  "snow_ice",
  "water",
  "dark_terrain_shadow",
  "clear",
  "unclassified",
];

/**
 * Every class that a stored value stands for. SCL gives one; QA_PIXEL gives one for each bit that is set, so a pixel can
 * be water and cloud_adjacent at once. A value that says nothing is `unclassified`. Fill is `nodata` and nothing else.
 */
export function maskClassesOf(source: TableSource, value: number, settings: MaskSettings = {}): MaskClass[] {
  if (source === "scl") {
    return [value === 7 ? (settings.scl7 ?? "unclassified") : (SCL_CLASSES[value] ?? "unclassified")];
  }
  if (value & 1) return ["nodata"];
  const found = new Set<MaskClass>();
  for (const { bit, class: name } of QA_PIXEL_BITS) if ((value >> bit) & 1) found.add(name);
  if (((value >> 8) & 3) >= CONFIDENCE[settings.cloudConfidence ?? "medium"]) found.add("cloud");
  if (found.has("cloud")) found.delete("clear");
  if (found.size > 1) found.delete("clear");
  return found.size === 0 ? ["unclassified"] : PRECEDENCE.filter((name) => found.has(name));
}

/** The one class of a stored value: of several, the one that hides the ground most. */
export function maskClassOf(source: TableSource, value: number, settings: MaskSettings = {}): MaskClass {
  return maskClassesOf(source, value, settings)[0] ?? "unclassified";
}

/** The number of a class in a `mask_class` raster: its position in `MASK_CLASSES`. */
export function maskCode(name: MaskClass): number {
  return MASK_CLASSES.indexOf(name);
}

const TABLE_LENGTH = { scl: 256, qa_pixel: 65_536 } as const;

/**
 * Stored value to class number (position in `MASK_CLASSES`), one entry for each value the source can store:
 * 256 for `scl`, 65536 for `qa_pixel`.
 */
export function maskTable(source: TableSource, settings: MaskSettings = {}): Uint8Array {
  return Uint8Array.from({ length: TABLE_LENGTH[source] }, (_, value) =>
    maskCode(maskClassOf(source, value, settings)),
  );
}

/**
 * Stored value to 1 where the pixel is kept, 0 where any of its classes is excluded: a pixel that is both water and
 * cloud_adjacent goes when either is excluded. `nodata` always goes.
 */
export function keepTable(source: TableSource, exclude: readonly MaskClass[], settings: MaskSettings = {}): Uint8Array {
  const dropped = new Set<MaskClass>(["nodata", ...exclude]);
  return Uint8Array.from({ length: TABLE_LENGTH[source] }, (_, value) =>
    maskClassesOf(source, value, settings).some((name) => dropped.has(name)) ? 0 : 1,
  );
}
