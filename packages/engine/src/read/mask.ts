import type { Item } from "@swath/catalog";
import type { BitRule } from "@swath/mosaic";
import { type CloudMask, type CollectionSchema, fileOfBand, findBand, keepTable, type MaskClass } from "@swath/schema";
import type { MaskFile } from "@swath/schema/files";
import { assetFile } from "../items/asset-file.ts";
import { memoized } from "../run/memoized.ts";
import type { FileAddress, MaskRead, MaskRule } from "../run/scene/scene-read.ts";

/** Classes that `dilate_m` grows. */
const GROWING: readonly MaskClass[] = ["cloud", "cloud_shadow"];

/**
 * Plans the read of a cloud mask; `undefined` where the item lacks the file of its mask. Sources that mark the
 * surroundings of clouds themselves (class `cloud_adjacent`) are not dilated.
 */
export function maskRead(item: Item, collection: CollectionSchema, mask: CloudMask): MaskRead | undefined {
  const { mask: source } = collection;
  const band = source === undefined ? undefined : findBand(collection, source.band);
  if (source === undefined || band === undefined) return undefined;
  const { asset, index } = fileOfBand(band);
  const file = assetFile(item, asset);
  if (file === undefined) return undefined;
  return { ...file, band: index, ...rulesOf(source, mask, collection) };
}

type Rules = Omit<MaskRead, keyof FileAddress | "band">;

const MAX_RULES = 256;
/** Rules by the objects themselves: all scenes of a request have the same ones, whose text is made once. */
const rulesInUse = new WeakMap<CloudMask, WeakMap<CollectionSchema, Rules>>();

function rulesOf(source: MaskFile, mask: CloudMask, collection: CollectionSchema): Rules {
  const inUse = rulesInUse.get(mask) ?? new WeakMap<CollectionSchema, Rules>();
  rulesInUse.set(mask, inUse);
  const rules = inUse.get(collection) ?? makeRules(source, mask, collection.maskCapabilities);
  inUse.set(collection, rules);
  return rules;
}

/** Makes the rules of a source and settings. */
const makeRules = memoized(
  MAX_RULES,
  (source: MaskFile, mask: CloudMask, capabilities: readonly MaskClass[]): Rules => {
    const { exclude = [], dilate_m: meters = 0, ...settings } = mask;
    const drop = ruleOf(keepTable(source, exclude, settings));
    const growing = GROWING.filter((name) => exclude.includes(name));
    if (meters === 0 || growing.length === 0 || capabilities.includes("cloud_adjacent")) return { drop };
    // `nodata` is dropped by every table, and does not grow
    const nothing = keepTable(source, [], settings);
    const around = ruleOf(keepTable(source, growing, settings).map((kept, i) => (nothing[i] === 0 ? 1 : kept)));
    return { drop, dilate: { meters, around } };
  },
);

/** Samples that a table drops, as a rule that is small: by value, or where there are many by bits. */
function ruleOf(keep: Uint8Array): MaskRule {
  if (keep.length > 256) return { kind: "bits", fields: bitFields(keep) };
  return { kind: "values", values: [...keep.keys()].filter((value) => keep[value] === 0) };
}

type BitField = Omit<BitRule, "classCode">;

/** Whether a bit makes a difference for any value. */
function isDecidedBy(keep: Uint8Array, bit: number): boolean {
  for (let value = 0; value < keep.length; value++) if (keep[value] !== keep[value ^ bit]) return true;
  return false;
}

/** Whether all values with these bits are dropped. */
function dropsAll(keep: Uint8Array, mask: number): boolean {
  for (let value = 0; value < keep.length; value++) if (keep[value] === 1 && (value & mask) === mask) return false;
  return true;
}

/**
 * Bit fields any of which drops a sample: bits that always do, pairs of bits that do where both are set (a confidence), and
 * for what is left, such as samples in which no class is marked, the bits that matter with their exact value.
 */
function bitFields(keep: Uint8Array): readonly BitField[] {
  const bits = Array.from({ length: 16 }, (_, bit) => 1 << bit);
  const matters = bits.filter((bit) => isDecidedBy(keep, bit));
  // every value is dropped, or none is
  if (matters.length === 0) return keep[0] === 0 ? [{ mask: 1, min: 0, max: 1 }] : [];
  const drops = (mask: number): boolean => dropsAll(keep, mask);
  const single = matters.filter(drops);
  const pairs = [8, 10, 12, 14].map((low) => 3 << low).filter((pair) => single.every((bit) => (pair & bit) === 0));
  const masks = [...single, ...pairs.filter(drops)];
  const mask = matters.reduce((sum, bit) => sum | bit, 0);
  const lowest = mask & -mask;
  const left = new Set<number>();
  for (let value = 0; value < keep.length; value++) {
    if (keep[value] === 0 && masks.every((each) => (value & each) !== each)) left.add((value & mask) / lowest);
  }
  return [
    ...single.map((bit) => ({ mask: bit })),
    ...masks.slice(single.length).map((pair) => ({ mask: pair, min: 3 })),
    ...[...left].map((value) => ({ mask, min: value, max: value })),
  ];
}
