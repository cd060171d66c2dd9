import type { Item } from "@swath/catalog";
import type { BitRule } from "@swath/mosaic";
import {
  type CloudMask,
  type CollectionSchema,
  fileOfBand,
  findBand,
  keepTable,
  type MaskClass,
  type MaskFile,
} from "@swath/schema";
import type { MaskRead, MaskRule } from "../render/scene-read.ts";

/** Classes that `dilate_m` grows. */
const GROWING: readonly MaskClass[] = ["cloud", "cloud_shadow"];

/**
 * What a cloud mask reads of a scene; `undefined` where the item lacks the file of its mask. Sources that mark the
 * surroundings of clouds themselves (class `cloud_adjacent`) are not dilated.
 */
export function maskRead(item: Item, collection: CollectionSchema, mask: CloudMask): MaskRead | undefined {
  const { mask: source, maskCapabilities } = collection;
  const band = source === undefined ? undefined : findBand(collection, source.band);
  if (source === undefined || band === undefined) return undefined;
  const { asset, index } = fileOfBand(band);
  const href = item.assets[asset]?.href;
  if (href === undefined) return undefined;
  return { href, band: index, ...rulesOf(source, mask, maskCapabilities) };
}

/** Rules by source and settings: the few masks there are come again with every scene. */
const rules = new Map<string, Omit<MaskRead, "href" | "band">>();
const MAX_RULES = 256;

function rulesOf(
  source: MaskFile,
  mask: CloudMask,
  capabilities: readonly MaskClass[],
): Omit<MaskRead, "href" | "band"> {
  const key = JSON.stringify([source, mask, capabilities]);
  let known = rules.get(key);
  if (known === undefined) {
    if (rules.size >= MAX_RULES) rules.clear();
    known = makeRules(source, mask, capabilities);
    rules.set(key, known);
  }
  return known;
}

function makeRules(
  source: MaskFile,
  mask: CloudMask,
  capabilities: readonly MaskClass[],
): Omit<MaskRead, "href" | "band"> {
  const { exclude = [], dilate_m: meters = 0, ...settings } = mask;
  const drop = ruleOf(keepTable(source, exclude, settings));
  const growing = GROWING.filter((name) => exclude.includes(name));
  if (meters === 0 || growing.length === 0 || capabilities.includes("cloud_adjacent")) return { drop };
  // `nodata` is dropped by every table, and does not grow
  const nothing = keepTable(source, [], settings);
  const around = ruleOf(keepTable(source, growing, settings).map((kept, i) => (nothing[i] === 0 ? 1 : kept)));
  return { drop, dilate: { meters, around } };
}

/** Samples that a table drops, as a rule that is small: by value, or where there are many by bits. */
function ruleOf(keep: Uint8Array): MaskRule {
  return (
    (keep.length > 256 ? bitRule(keep) : undefined) ?? {
      kind: "values",
      values: [...keep.keys()].filter((value) => keep[value] === 0),
    }
  );
}

/**
 * Bit fields any of which drops a sample, beside samples that lack all bits which say that a pixel is one to keep;
 * `undefined` where a table is not made of such.
 */
function bitRule(keep: Uint8Array): MaskRule | undefined {
  const single = Array.from({ length: 16 }, (_, bit) => 1 << bit);
  const kept = single.filter((value) => keep[value] === 1);
  // what else a bit does is seen in samples that are kept without it
  const base = keep[0] === 1 ? 0 : kept[0];
  if (base === undefined) return undefined;
  const fields: Omit<BitRule, "classCode">[] = single
    .filter((value) => keep[base | value] === 0)
    .map((value) => ({ mask: value }));
  // a field of two bits that drops from a level on: 2 or 3 of 3
  for (let bit = 8; bit < 16; bit += 2) {
    const dropsHigh = keep[base | (3 << bit)] === 0 && keep[base | (1 << bit)] === 1 && keep[base | (2 << bit)] === 1;
    if (dropsHigh) fields.push({ mask: 3 << bit, min: 3 });
  }
  const needs = base === 0 ? 0 : kept.reduce((all, value) => all | value, 0);
  const drops = (value: number): boolean =>
    (needs !== 0 && (value & needs) === 0) ||
    fields.some(({ mask, min }) => (min === undefined ? (value & mask) !== 0 : (value & mask) === mask));
  if (!keep.every((flag, value) => (flag === 0) === drops(value))) return undefined;
  return { kind: "bits", fields, ...(needs === 0 ? {} : { needs }) };
}
