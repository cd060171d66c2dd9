import type { Item } from "@swath/catalog";
import { type CloudMask, type CollectionSchema, sourceCollection } from "@swath/schema";
import { footprintOf } from "../items/placement.ts";
import type { FileRead, MaskRead, SceneRead } from "../run/scene/scene-read.ts";
import { type BandFile, bandFile, type Lack, type Wanted } from "./band-file.ts";
import { maskRead } from "./mask.ts";
import type { NadirFactors } from "./nadir.ts";

/**
 * The use of a scene.
 * - `display`: an image, smooth, from the overview that suits the output.
 * - `exact`: samples of a file, those of `gdalwarp -r near`: by nearest neighbour, from the overview that GDAL takes.
 * - `values`: input of computations, by the same rule, as double-precision values with NaN for gaps.
 */
export type SceneUse =
  | { readonly kind: "display"; readonly mask?: CloudMask | undefined }
  | {
      readonly kind: "exact";
      readonly isMosaic: boolean;
      readonly output: NonNullable<SceneRead["output"]>;
      readonly validWhere: SceneRead["validWhere"];
    }
  | {
      readonly kind: "values";
      readonly mask?: CloudMask | undefined;
      readonly validWhere: SceneRead["validWhere"];
    };

/** The way in which scenes are read for images. */
export const DISPLAY = { resampling: "bilinear", overviews: "display", validWhere: "every-file" } as const;
const EXACT = { resampling: "nearest", overviews: "gdal" } as const;
const NAN = Number.NaN;

/** An item that can be read, and its read. */
export interface ReadableScene {
  readonly lacks?: undefined;
  readonly read: SceneRead;
  /** One per band. */
  readonly bands: readonly BandFile[];
  /** The collection whose files they are. */
  readonly source: CollectionSchema;
}

/** An item that is left out, and what it lacks. */
export interface Lacking {
  /** At least one, each with the number of its band. */
  readonly lacks: readonly (Lack & { readonly band?: number })[];
}

export type ItemScene = ReadableScene | Lacking;

/** Everything that decides which samples of an item are read: the only builder of scenes from items. */
export function itemScene(item: Item, wanted: Wanted, use: SceneUse, factors: NadirFactors = new Map()): ItemScene {
  const isMosaic = use.kind === "exact" ? use.isMosaic : undefined;
  const found = wanted.bands.map((band) => bandFile(item, band, wanted, { factors, isMosaic }));
  const lacks = found.flatMap((each, band) => ("kind" in each ? [{ ...each, band }] : []));
  const source = sourceCollection(wanted.match.collection, item.properties);
  if (lacks.length > 0 || source === undefined) return { lacks };
  const bands = found.filter((each): each is BandFile => "file" in each);
  const files = bands.map(({ file }) => file);
  const mask = maskOf(item, source, use, files);
  if (mask === "lacking") return { lacks: [{ kind: "mask", reason: "it has no file of its cloud mask" }] };
  const read: SceneRead = {
    id: item.id,
    // the pixels of every scene of a file decide, not its footprint, which is approximate
    footprint: use.kind === "exact" ? [] : footprintOf(item),
    files,
    ...readingOf(wanted, use),
    ...(mask === undefined ? {} : { mask }),
  };
  return { read, bands, source };
}

function readingOf(
  { conversion }: Wanted,
  use: SceneUse,
): Pick<SceneRead, "resampling" | "overviews" | "validWhere" | "output"> {
  switch (use.kind) {
    case "display":
      return conversion === "physical" ? { ...DISPLAY, output: { sampleType: "float32", nodata: NAN } } : DISPLAY;
    case "exact":
      return { ...EXACT, validWhere: use.validWhere, output: use.output };
    case "values":
      return { ...EXACT, validWhere: use.validWhere, output: { sampleType: "float64", nodata: NAN } };
  }
}

function maskOf(
  item: Item,
  source: CollectionSchema,
  use: SceneUse,
  files: readonly FileRead[],
): MaskRead | "lacking" | undefined {
  if (use.kind === "exact") {
    // where no band says which pixels have data, the collection's mask does: a mosaic has to know
    return use.isMosaic && files.every(({ claims }) => claims === false) ? maskRead(item, source, {}) : undefined;
  }
  const hasNone = use.mask === undefined || (use.kind === "values" && source.mask === undefined);
  return hasNone ? undefined : (maskRead(item, source, use.mask) ?? "lacking");
}
