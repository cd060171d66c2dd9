import { type CollectionSchema, fileOfBand } from "@swath/schema";
import { findPattern } from "@swath/schema/files";
import type { Asset, Item } from "../item/item.ts";
import { defined, isJson, type Json, jsonOf, listOf, numberOf, textOf } from "../json.ts";
import { epsgOf, gridOf } from "./projection.ts";
import { RASTER_TYPES, rasterFormat } from "./raster-format.ts";
import { type BandFacts, bandFacts, listedKey, nativeBandName, nativeKey } from "./schema-facts.ts";
import type { StorageSchemes } from "./storage.ts";

/** The facts about its item that an asset depends on. */
export interface AssetContext {
  readonly collection: CollectionSchema;
  /** The item's collection at its upstream. */
  readonly upstreamCollection?: string | undefined;
  /** The upstream's properties, which decide scale and offset. */
  readonly properties: Json;
  /** The box of the item's footprint. */
  readonly bbox: Item["bbox"];
  readonly schemes: StorageSchemes;
}

/** The common names of the eo extension 2.0.0. */
const EO_COMMON_NAMES: ReadonlySet<string> = new Set(
  (
    "pan coastal blue green green05 yellow red rededge rededge071 rededge075 rededge078 nir nir08 nir09 cirrus " +
    "swir16 swir22 lwir lwir11 lwir12"
  ).split(" "),
);

/** Members that are kept as they are. */
const KEPT = [
  "title",
  "description",
  "file:checksum",
  "file:size",
  "classification:bitfields",
  "classification:classes",
];

/** An asset as the service shows it. */
export interface ServiceAsset {
  readonly name: string;
  readonly asset: Asset;
  /** Among files of one name the one with the larger rank is shown. */
  readonly rank: number;
}

/**
 * An upstream asset under its key of the service: the native band name for a band, the upstream's own key for the rest.
 * `undefined` for what is not passed on: web pages, copies that the collection puts aside, and JPEG 2000 files of no band,
 * such as bands in another resolution than their own.
 */
export function toServiceAsset(key: string, asset: Json, context: AssetContext): ServiceAsset | undefined {
  const { collection, upstreamCollection, properties } = context;
  const upstreamHref = textOf(asset.href);
  const type = textOf(asset.type);
  if (upstreamHref === undefined || type === "text/html" || isAside(collection, key)) return undefined;
  const s3 = jsonOf(jsonOf(asset.alternate).s3);
  const href = textOf(s3.href) ?? upstreamHref;
  const listed = listedKey(collection, key, upstreamCollection);
  const format = rasterFormat(asset, listed !== undefined && bandFacts(collection, listed, properties) !== undefined);
  const isRaster = format !== undefined;
  const name = isRaster ? nativeKey(collection, key, upstreamHref, upstreamCollection) : (listed ?? key);
  const facts = isRaster ? bandFacts(collection, name, properties) : undefined;
  if (format === "jpeg2000" && facts === undefined && listed === undefined) return undefined;
  const bands = isRaster ? bandsOf(name, asset, facts, context) : [];
  const gsd = isRaster ? (numberOf(asset.gsd) ?? numberOf(bands[0]?.["raster:spatial_resolution"])) : undefined;
  const storageRefs = context.schemes.refsOf(href, asset, { ...properties, ...asset, ...s3 });
  const shown: Asset = {
    href,
    ...(format !== undefined ? { type: RASTER_TYPES[format] } : type === undefined ? {} : { type }),
    ...Object.fromEntries(KEPT.filter((kept) => asset[kept] !== undefined).map((kept) => [kept, asset[kept]])),
    ...rolesOf(asset, name, facts),
    ...(facts === undefined ? {} : { "svc:band": name }),
    ...(gsd === undefined ? {} : { gsd }),
    ...(isRaster ? projectionOf(asset, context, facts !== undefined, gsd) : {}),
    ...(bands.length === 0 ? {} : { bands }),
    ...(storageRefs.length === 0 ? {} : { "storage:refs": storageRefs }),
  };
  // a JPEG 2000 file beside a GeoTIFF is its copy; a key that a table has is that of the band's own resolution
  return { name, asset: shown, rank: (format === "jpeg2000" ? 0 : 2) + (listed === undefined ? 0 : 1) };
}

/** The asset's own grid, or the item's where the item has one for all its bands. */
function projectionOf(asset: Json, context: AssetContext, isBand: boolean, gsd: number | undefined): Json {
  const { collection, properties, bbox } = context;
  const own = gridOf(asset, gsd);
  const hasOwn = asset["proj:shape"] !== undefined || asset["proj:transform"] !== undefined;
  const grid = isBand && !hasOwn ? gridOf(properties, gsd) : own;
  const epsg = epsgOf(collection, asset, bbox);
  return { ...grid, ...(epsg === undefined ? {} : { "proj:code": `EPSG:${epsg}`, "proj:epsg": epsg }) };
}

function isAside({ upstream }: CollectionSchema, key: string): boolean {
  return (upstream.asideAssets ?? []).some((pattern) => findPattern(key, pattern, "$&") !== undefined);
}

function rolesOf(asset: Json, name: string, facts: BandFacts | undefined): Pick<Asset, "roles"> {
  const upstream = listOf(asset.roles).filter((role) => typeof role === "string");
  const roles = name === "visual" ? ["visual"] : [...leadingRoles(facts), ...upstream.filter(fits(facts))];
  return roles.length === 0 ? {} : { roles: [...new Set(roles)] };
}

function leadingRoles(facts: BandFacts | undefined): string[] {
  switch (facts?.band.kind) {
    case undefined:
      return [];
    case "spectral":
      return ["data", "reflectance"];
    case "thermal":
      return ["data", "temperature"];
    case "class":
    case "bits":
      return ["data", "classification"];
    case "elevation":
    case "backscatter":
    case "ancillary":
      return ["data"];
  }
}

/** Some upstreams call every raster `reflectance`, and some quality bands `metadata`. */
function fits(facts: BandFacts | undefined): (role: string) => boolean {
  const isBand = facts !== undefined;
  return (role) => !isBand || role === "data" || !/^(reflectance|metadata|temperature)$/.test(role);
}

/** The bands of an asset in the form of STAC 1.1.0, whichever form the upstream uses. */
function bandsOf(name: string, asset: Json, facts: BandFacts | undefined, context: AssetContext): Json[] {
  const described = describedBands(asset, context.properties);
  if (facts !== undefined) return [toBand(described[0] ?? {}, facts)];
  const shared = context.collection.bands.filter((band) => fileOfBand(band).asset === name);
  if (shared.length > 0) {
    return shared.map((band) => {
      const own = bandFacts(context.collection, band.name, context.properties);
      return toBand(described[fileOfBand(band).index] ?? {}, own);
    });
  }
  return described.map((band) => {
    const name = textOf(band.name);
    return toBand(band, undefined, name === undefined ? undefined : nativeBandName(context.collection, name));
  });
}

const HOISTED = /^(name|nodata|data_type|unit|eo:.*|raster:(?!bands$).*)$/;

/** Bands as the upstream describes them: `bands`, `eo:bands` beside `raster:bands`, or fields on the asset itself. */
function describedBands(asset: Json, properties: Json): Json[] {
  if (Array.isArray(asset.bands)) return asset.bands.filter(isJson);
  const shared = listOf(properties["eo:bands"]);
  // STAC 0.7 has the index of the band in the item's list
  const eo = listOf(asset["eo:bands"]).map((band) => jsonOf(typeof band === "number" ? shared[band] : band));
  const raster = listOf(asset["raster:bands"]).map(jsonOf);
  if (eo.length > 0 || raster.length > 0) {
    return Array.from({ length: Math.max(eo.length, raster.length) }, (_, i) => ({
      ...prefixed(raster[i] ?? {}, "raster:", ["scale", "offset", "spatial_resolution", "bits_per_sample"]),
      ...prefixed(eo[i] ?? {}, "eo:", ["common_name", "center_wavelength", "full_width_half_max"]),
    }));
  }
  const hoisted = Object.entries(asset).filter(([key]) => HOISTED.test(key) && key !== "eo:bands");
  return hoisted.length === 0 ? [] : [Object.fromEntries(hoisted)];
}

function prefixed(band: Json, prefix: string, keys: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(band).map(([key, value]) => [keys.includes(key) ? `${prefix}${key}` : key, value]),
  );
}

/** One band object; schema v1 has precedence over the upstream. */
function toBand(upstream: Json, facts: BandFacts | undefined, named?: string): Json {
  const band = facts?.band;
  const bits = numberOf(upstream["raster:bits_per_sample"]);
  const commonNames = [textOf(upstream["eo:common_name"]), band?.commonName];
  return defined({
    name: band?.name ?? named ?? textOf(upstream.name),
    description: band?.description ?? textOf(upstream.description),
    data_type: band?.dataType ?? textOf(upstream.data_type),
    nodata: band === undefined ? numberOf(upstream.nodata) : (band.nodata ?? undefined),
    // where a band's factors are in a document of the scene, the upstream gives the unit of other factors
    unit: isUnscaled(facts) ? undefined : (textOf(upstream.unit) ?? (band?.unit === "KELVIN" ? "kelvin" : undefined)),
    "eo:common_name": commonNames.findLast((name) => name !== undefined && EO_COMMON_NAMES.has(name)),
    "eo:center_wavelength": band?.centerWavelength ?? numberOf(upstream["eo:center_wavelength"]),
    "eo:full_width_half_max": band?.fullWidthHalfMax ?? numberOf(upstream["eo:full_width_half_max"]),
    "raster:scale": band === undefined ? numberOf(upstream["raster:scale"]) : facts?.scaling?.scale,
    "raster:offset": band === undefined ? numberOf(upstream["raster:offset"]) : facts?.scaling?.offset,
    "raster:spatial_resolution": numberOf(upstream["raster:spatial_resolution"]) ?? band?.gsd,
    "raster:bits_per_sample": Number.isInteger(bits) ? bits : undefined,
  });
}

function isUnscaled(facts: BandFacts | undefined): boolean {
  return facts !== undefined && facts.scaling === undefined && /^(spectral|thermal)$/.test(facts.band.kind);
}
