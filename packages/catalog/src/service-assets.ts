import { type CollectionSchema, fileOfBand } from "@swath/schema";
import type { Asset } from "./item.ts";
import { defined, isJson, type Json, jsonOf, listOf, numberOf, textOf } from "./json.ts";
import { type BandFacts, bandFacts, nativeBandName, nativeKey } from "./schema-facts.ts";
import { epsgOf, gridOf } from "./service-properties.ts";
import type { StorageSchemes } from "./storage.ts";

/** The facts about its item that an asset depends on. */
export interface AssetContext {
  readonly collection: CollectionSchema;
  /** The item's collection at its upstream. */
  readonly upstreamCollection?: string | undefined;
  /** The upstream's properties, which decide scale and offset. */
  readonly properties: Json;
  readonly schemes: StorageSchemes;
}

const COG = "image/tiff; application=geotiff; profile=cloud-optimized";
const JP2 = "image/jp2";

/** What Earth Search adds to the key of a band for its copy as JPEG 2000. */
const COPY = /-jp2$/;

/** Is the asset JPEG 2000? Where the same band is there as GeoTIFF too, that is the one to read. */
export function isJpeg2000(asset: Json): boolean {
  return asset.type === JP2;
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

/**
 * An upstream asset under its key of the service: the native band name for a band, the upstream's own key for the rest.
 * `undefined` for what is not passed on: web pages.
 */
export function toServiceAsset(key: string, asset: Json, context: AssetContext): [string, Asset] | undefined {
  const upstreamHref = textOf(asset.href);
  const type = textOf(asset.type);
  if (upstreamHref === undefined || type === "text/html") return undefined;
  const s3 = jsonOf(jsonOf(asset.alternate).s3);
  const href = textOf(s3.href) ?? upstreamHref;
  const isTiff = type?.startsWith("image/tiff") === true || type?.startsWith("image/vnd.stac.geotiff") === true;
  const isRaster = isTiff || type === JP2;
  const name = isRaster
    ? nativeKey(context.collection, key.replace(COPY, ""), upstreamHref, context.upstreamCollection)
    : documentName(key, context.collection);
  const facts = isRaster ? bandFacts(context.collection, name, context.properties) : undefined;
  const bands = isRaster ? bandsOf(name, asset, facts, context) : [];
  const gsd = isRaster ? (numberOf(asset.gsd) ?? numberOf(bands[0]?.["raster:spatial_resolution"])) : undefined;
  const refs = listOf(asset["storage:refs"]).filter((ref) => typeof ref === "string");
  const storageRefs = context.schemes.refsOf(href, { ...context.properties, ...asset, ...s3 }) ?? refs;
  return [
    name,
    {
      href,
      ...(type === undefined ? {} : { type: isTiff ? COG : type }),
      ...Object.fromEntries(KEPT.filter((kept) => asset[kept] !== undefined).map((kept) => [kept, asset[kept]])),
      ...rolesOf(asset, name, facts),
      ...(facts === undefined ? {} : { "svc:band": name }),
      ...(gsd === undefined ? {} : { gsd }),
      ...(isRaster ? projectionOf(asset, context, facts !== undefined) : {}),
      ...(bands.length === 0 ? {} : { bands }),
      ...(storageRefs.length === 0 ? {} : { "storage:refs": storageRefs }),
    },
  ];
}

/** The asset's own grid, or the item's where the item has one for all its bands. */
function projectionOf(asset: Json, { properties }: AssetContext, isBand: boolean): Json {
  const own = gridOf(asset);
  const grid = isBand && Object.keys(own).length === 0 ? gridOf(properties) : own;
  const epsg = epsgOf(asset);
  return { ...grid, ...(epsg === undefined ? {} : { "proj:code": `EPSG:${epsg}`, "proj:epsg": epsg }) };
}

/** Other catalogs may use another key for the same document. */
function documentName(key: string, { upstream }: CollectionSchema): string {
  const { otherAssets = {} } = upstream;
  return (Object.hasOwn(otherAssets, key) ? otherAssets[key] : undefined) ?? key;
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
    unit: textOf(upstream.unit) ?? (band?.unit === "KELVIN" ? "kelvin" : undefined),
    "eo:common_name": commonNames.findLast((name) => name !== undefined && EO_COMMON_NAMES.has(name)),
    "eo:center_wavelength": band?.centerWavelength ?? numberOf(upstream["eo:center_wavelength"]),
    "eo:full_width_half_max": band?.fullWidthHalfMax ?? numberOf(upstream["eo:full_width_half_max"]),
    "raster:scale": band === undefined ? numberOf(upstream["raster:scale"]) : facts?.scaling?.scale,
    "raster:offset": band === undefined ? numberOf(upstream["raster:offset"]) : facts?.scaling?.offset,
    "raster:spatial_resolution": numberOf(upstream["raster:spatial_resolution"]) ?? band?.gsd,
    "raster:bits_per_sample": Number.isInteger(bits) ? bits : undefined,
  });
}
