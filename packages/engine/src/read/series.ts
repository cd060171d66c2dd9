import type { Item } from "@swath/catalog";
import { ProblemError } from "@swath/problem";
import { resolveCrs } from "@swath/raster";
import { bandOfCommonName, bandScaling, type CloudMask, fileOfBand, sourceCollection } from "@swath/schema";
import { lacksFactors } from "../metadata/scene-factors.ts";
import type { ReduceGroup, SkippedScene } from "../run/reduce-job.ts";
import type { FileRead, SceneRead } from "../run/scene-read.ts";
import { adjustmentOf, bandOfItem } from "../what/item-bands.ts";
import type { Measure } from "../what/measure.ts";
import type { PixelCorner } from "../where/analysis-grid.ts";
import { isUtm } from "../where/utm-zone.ts";
import { assetFile } from "./asset-file.ts";
import { conversionOf } from "./extract-scenes.ts";
import { maskRead } from "./mask.ts";
import { type NadirFactors, nadirPart } from "./nadir.ts";
import { footprintOf } from "./recipe-read.ts";

/** Items that give one row of a series: those of an interval or of an overpass. */
export interface ItemGroup {
  readonly id: string;
  /** In mosaicking order, first on top. */
  readonly items: readonly Item[];
}

/** What is read for a group, and which of its items cannot be. */
export interface PlannedGroup extends ReduceGroup {
  /** Items that lack a file that is needed: they are left out. */
  readonly missing: readonly SkippedScene[];
}

/** What is read of groups of items, with their `factors` where the measure is at nadir view. An item that lacks the file of a band or of the mask is left out and named. */
export function planGroups(
  groups: readonly ItemGroup[],
  measure: Measure,
  mask: CloudMask | undefined,
  factors: NadirFactors = new Map(),
): readonly PlannedGroup[] {
  return groups.map(({ id, items }) => {
    const scenes: SceneRead[] = [];
    const missing: SkippedScene[] = [];
    for (const item of items) {
      const read = sceneRead(item, measure, mask, factors);
      if (typeof read !== "string") scenes.push(read);
      else missing.push({ id: item.id, reason: read, ...(lacksBand(item, measure) ? { lacksBand: true } : {}) });
    }
    return { id, scenes, missing };
  });
}

/**
 * A band that no scene has is a fault of the request; one that some lack, of those scenes.
 *
 * @param pointer where the request names the bands
 * @throws {ProblemError} `unknown-band` where every scene lacks one.
 */
export function checkBands(groups: readonly PlannedGroup[], pointer: string): void {
  const missing = groups.flatMap((group) => group.missing);
  const [first] = missing;
  if (first === undefined || groups.some(({ scenes }) => scenes.length > 0)) return;
  if (!missing.every(({ lacksBand: lacks }) => lacks === true)) return;
  const others = missing.length > 1 ? `, nor can one of the other ${missing.length - 1}` : "";
  const detail = `Scene ${first.id} cannot be read, ${first.reason}${others}.`;
  throw new ProblemError("unknown-band", detail, { errors: [{ pointer, detail }] });
}

const lacksBand = (item: Item, { bands, match: { collection } }: Measure): boolean =>
  bands.some((band) => bandOfItem(item, collection, band) === undefined);

/**
 * What is read of an item: samples by nearest neighbour, from the overview that GDAL takes, as double-precision values with
 * NaN for gaps, and the mask on its own resolution. Words for clients where the item lacks a file.
 */
export function sceneRead(
  item: Item,
  measure: Measure,
  mask: CloudMask | undefined,
  factors: NadirFactors = new Map(),
): SceneRead | string {
  const { bands, validWhere, match, isAdjusted, isNadir } = measure;
  const files: FileRead[] = [];
  for (const asked of bands) {
    const own = bandOfItem(item, match.collection, asked);
    if (own === undefined) return `it has no band ${asked.name}`;
    const { collection, band } = own;
    if (measure.conversion === "physical" && lacksFactors(item, collection, band)) {
      return `its factors of ${band.name} are not known`;
    }
    const { asset, index } = fileOfBand(band);
    const adjusted = {
      ...(isAdjusted ? { adjust: adjustmentOf(item, collection, band) } : {}),
      ...(isNadir ? nadirPart(factors, item, asked.name) : {}),
    };
    const scaling = bandScaling(collection, band, item.properties);
    const { conversion } = conversionOf(scaling, { ...measure, clipNegative: false }, adjusted);
    files.push({ ...(assetFile(item, asset) ?? { href: "" }), bands: [index], nodata: band.nodata, conversion });
  }
  const source = sourceCollection(match.collection, item.properties);
  const hasMask = mask !== undefined && source?.mask !== undefined;
  const masked = hasMask ? maskRead(item, source, mask) : undefined;
  if (hasMask && masked === undefined) return "it has no file of its cloud mask";
  return {
    id: item.id,
    footprint: footprintOf(item),
    files,
    resampling: "nearest",
    overviews: "gdal",
    validWhere,
    output: { sampleType: "float64", nodata: Number.NaN },
    ...(masked === undefined ? {} : { mask: masked }),
  };
}

/** The coarsest native resolution of the bands, metres; of a virtual collection that of all its members. */
export function coarsestResolution({ match: { collection }, bands }: Pick<Measure, "match" | "bands">): number {
  const { virtual } = collection;
  const own =
    virtual === undefined
      ? bands
      : bands.flatMap(({ name }) => virtual.members.flatMap((member) => bandOfCommonName(member, name) ?? []));
  return Math.max(...own.map(({ gsd }) => gsd));
}

/** Where the pixels of items' files meet, as far as the items say so. */
export function pixelCorners(
  items: readonly Item[],
  { match: { collection }, bands }: Pick<Measure, "match" | "bands">,
): readonly PixelCorner[] {
  return items.flatMap((item) =>
    bands.flatMap((asked): PixelCorner[] => {
      const own = bandOfItem(item, collection, asked);
      const asset: Readonly<Record<string, unknown>> =
        own === undefined ? {} : (item.assets[fileOfBand(own.band).asset] ?? {});
      const fact = (name: string): unknown => asset[name] ?? item.properties[name];
      const [code, transform] = [fact("proj:epsg"), fact("proj:transform")];
      if (typeof code !== "number" || !isKnown(code) || !Array.isArray(transform)) return [];
      const [a, b, x, d, e, y] = transform.map(Number);
      if (a === undefined || b !== 0 || d !== 0 || e === undefined || x === undefined || y === undefined) return [];
      return [{ crs: resolveCrs(`EPSG:${code}`), x, y, resolution: [Math.abs(a), Math.abs(e)] }];
    }),
  );
}

/** CRSs that requests can name. */
const isKnown = (code: number): boolean => code === 4326 || code === 3857 || isUtm(code);
