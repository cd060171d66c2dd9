import { getNodeValue, type Node } from "jsonc-parser";
import type { BandSchema } from "../collection/band.ts";
import { namesOfBand } from "../collection/band-names.ts";
import type { CollectionSchema } from "../collection/collection.ts";
import { findBand } from "../registry/resolve.ts";
import { suggest } from "../suggest.ts";
import { bandScaling } from "../values/scaling.ts";
import type { Report } from "./finding.ts";
import { elementsOf, type Member, membersOf, numberOf, stringOf, stringsOf } from "./tree.ts";
import { checkBand, type Word } from "./words.ts";

/** Roles of assets that are images or documents about the scene, not its bands. */
const ASIDE = new Set(["metadata", "thumbnail", "overview", "visual", "index", "tiles"]);

/** Checks the assets (or item_assets) of a STAC document: keys, band names, and scaling where it is stated. */
export function checkAssets(
  report: Report,
  assets: Node,
  collection: CollectionSchema,
  properties: Readonly<Record<string, unknown>> | undefined,
): void {
  for (const [name, member] of membersOf(assets)) {
    const asset = membersOf(member.value);
    const declared = [...elementsOf(asset.get("bands")?.value), ...elementsOf(asset.get("eo:bands")?.value)];
    const bands = declared.map((node) => checkBandObject(report, node, collection));
    checkOwnBand(report, asset.get("svc:band")?.value, collection);
    if (!isRaster(asset)) continue;
    const band = bandOfKey(name, collection);
    if (band === undefined) {
      const explained = bands.some((each) => each !== undefined) || isUpstreamAsset(name, collection);
      if (!explained) refuseKey(report, member.key, collection);
      continue;
    }
    const other = bands.length === 1 ? bands[0] : undefined;
    if (other !== undefined && other !== band) {
      report.add(
        member.key,
        "band-mismatch",
        "error",
        `The asset "${name}" is ${band.name}, but its band is named ${other.name}.`,
        name,
      );
    }
    // the producer's own JPEG 2000 files are not the ones that the item's scaling flags describe
    if (properties !== undefined && !name.endsWith("-jp2")) checkScaling(report, asset, band, collection, properties);
  }
}

/** Checks one object of `bands` or `eo:bands`; gives the band when its name resolves. */
export function checkBandObject(report: Report, node: Node, collection: CollectionSchema): BandSchema | undefined {
  const members = membersOf(node);
  const name = stringOf(members.get("name")?.value);
  const common = stringOf((members.get("common_name") ?? members.get("eo:common_name"))?.value);
  const unit = stringOf(members.get("unit")?.value);
  if (name === undefined) return common === undefined ? undefined : findBand(collection, common.text);
  if (
    unit !== undefined &&
    /^[A-Z_]+$/.test(unit.text) &&
    !(collection.units as readonly string[]).includes(unit.text)
  ) {
    report.add(
      unit,
      "unknown-unit",
      "error",
      `${collection.id} has no unit called "${unit.text}".`,
      unit.text,
      suggest(unit.text, collection.units)[0],
    );
  }
  if (!checkBand(report, name, collection)) return undefined;
  const band = findBand(collection, name.text);
  if (band !== undefined && common !== undefined) checkCommonName(report, common, band, collection);
  return band;
}

function checkCommonName(report: Report, common: Word, band: BandSchema, collection: CollectionSchema): void {
  if (namesOfBand(band).includes(common.text)) return;
  // "rededge" is the older, wider name of the three red edge bands
  if (common.text === "rededge" && band.commonName?.startsWith("rededge") === true) return;
  const meant = band.commonName === undefined ? "no common name" : `the common name "${band.commonName}"`;
  report.add(
    common,
    "band-mismatch",
    "warning",
    `In ${collection.id} the band ${band.name} has ${meant}, not "${common.text}".`,
    common.text,
    band.commonName,
  );
}

function checkOwnBand(report: Report, node: Node | undefined, collection: CollectionSchema): void {
  const name = stringOf(node);
  if (name !== undefined) checkBand(report, name, collection);
}

function isRaster(asset: ReadonlyMap<string, Member>): boolean {
  const type = stringOf(asset.get("type")?.value)?.text;
  if (type !== undefined && !/^image\/(tiff|jp2)/.test(type)) return false;
  const roles = stringsOf(asset.get("roles")?.value).map(({ text }) => text);
  if (roles.some((role) => ASIDE.has(role))) return false;
  return type !== undefined || asset.has("bands") || asset.has("eo:bands") || asset.has("raster:bands");
}

/** Key without what other providers add to it: file format (`red-jp2`, `SR_B4.TIF`) and resolution (`B04_20m`). */
function bandOfKey(key: string, collection: CollectionSchema): BandSchema | undefined {
  const plain = key.replace(/(-jp2|\.tiff?)$/i, "");
  return findBand(collection, plain) ?? findBand(collection, plain.replace(/_\d+m$/, ""));
}

function isUpstreamAsset(key: string, collection: CollectionSchema): boolean {
  return Object.hasOwn(collection.upstream.assets, key) || /^(visual|preview|overview|TCI)/.test(key);
}

function refuseKey(report: Report, key: Word, collection: CollectionSchema): void {
  const names = collection.bands.flatMap(namesOfBand);
  report.add(
    key,
    "unknown-band",
    "error",
    `${collection.id} has no band called "${key.text}".`,
    key.text,
    suggest(key.text, names)[0],
  );
}

/** Compares `raster:bands` (or the asset's own fields) with what the schema says for this scene. */
function checkScaling(
  report: Report,
  asset: ReadonlyMap<string, Member>,
  band: BandSchema,
  collection: CollectionSchema,
  properties: Readonly<Record<string, unknown>>,
): void {
  if (band.kind === "class" || band.kind === "bits") return;
  const expected = bandScaling(collection, band, properties);
  const stated = [
    ...elementsOf(asset.get("raster:bands")?.value).slice(0, 1).map(membersOf),
    ...elementsOf(asset.get("bands")?.value).slice(0, 1).map(membersOf),
    asset,
  ];
  for (const key of ["scale", "offset"] as const) {
    const node = stated.flatMap((each) => each.get(key)?.value ?? each.get(`raster:${key}`)?.value ?? [])[0];
    const value = numberOf(node);
    if (node === undefined || value === undefined || value === expected[key]) continue;
    report.add(
      node,
      "scaling-mismatch",
      "warning",
      `${band.name} of this scene has ${key} ${expected[key]}, not ${value}.`,
      String(value),
      String(expected[key]),
    );
  }
}

/** The plain values of an object node, for functions that read properties. */
export function propertiesOf(node: Node | undefined): Readonly<Record<string, unknown>> | undefined {
  return node?.type === "object" ? (getNodeValue(node) as Record<string, unknown>) : undefined;
}
