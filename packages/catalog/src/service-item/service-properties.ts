import { findDay, findInstant } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { findPattern, type PropertyRule, type ValueSource } from "@swath/schema/files";
import type { Item } from "../item/item.ts";
import { type Json, listOf, numberOf, textOf } from "../json.ts";
import { mgrsTile } from "../names/mgrs.ts";
import { platformOf, platformOverhead } from "../names/platform.ts";
import { CLOUD_COVER } from "../names/queried-as.ts";
import { epsgOf } from "./projection.ts";

/** Members of other versions and namespaces that are rewritten elsewhere or do not exist in STAC 1.1.0. */
const REWRITTEN =
  /^(storage:(platform|region|requester_pays|tier)|proj:(epsg|code|shape|transform)|eo:(bands|platform|instrument|sun_azimuth|sun_elevation|off_nadir|gsd))$/;

const TIMES = ["datetime", "start_datetime", "end_datetime", "created", "updated"];

/**
 * Makes the properties that all collections share: times, platform, instruments, angles and CRS in one form.
 *
 * @param bbox of the item's footprint.
 */
export function commonProperties(
  collection: CollectionSchema,
  id: string,
  properties: Json,
  bbox: Item["bbox"],
): Record<string, unknown> & { datetime: string | null } {
  const result: Record<string, unknown> & { datetime: string | null } = { datetime: null };
  for (const [key, value] of Object.entries(properties)) {
    if (value !== null && !REWRITTEN.test(key)) result[key] = value;
  }
  for (const key of TIMES) {
    if (result[key] !== undefined) result[key] = dateTime(result[key]);
    if (result[key] === undefined) delete result[key];
  }
  result.datetime ??= null;
  const latitude = bbox === undefined ? undefined : (bbox[1] + bbox[3]) / 2;
  const platform =
    platformOf(collection, id, properties) ?? platformOverhead(collection, id, result.datetime, latitude);
  if (platform !== undefined) result.platform = platform;
  if (collection.constellation !== undefined) result.constellation = collection.constellation;
  const instruments = instrumentsOf(collection, id, properties);
  if (instruments !== undefined) result.instruments = instruments;
  const cover = numberOf(result["eo:cloud_cover"]);
  if (cover === undefined || cover < CLOUD_COVER.least || cover > CLOUD_COVER.most) delete result["eo:cloud_cover"];
  takeAngles(properties, result);
  const epsg = epsgOf(collection, properties, bbox);
  if (epsg !== undefined) Object.assign(result, { "proj:code": `EPSG:${epsg}`, "proj:epsg": epsg });
  return result;
}

/** Makes the further properties that a collection's rules define, from the upstream's properties and the id. */
export function ruledProperties(rules: readonly PropertyRule[], id: string, properties: Json): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const rule of rules) {
    const value = ruledValue(rule, id, properties);
    if (value !== undefined) result[rule.property] = value;
  }
  return result;
}

function ruledValue(rule: PropertyRule, id: string, properties: Json): unknown {
  switch (rule.kind) {
    case "mgrs-tile":
      return mgrsTile(rule, id, properties);
    case "zero-pad": {
      const value = properties[rule.property];
      const isPlain = typeof value === "string" || typeof value === "number";
      return isPlain ? String(value).padStart(rule.width, "0") : undefined;
    }
    case "first-of":
      for (const source of rule.from) {
        const value = sourceValue(source, id, properties);
        if (value !== undefined) return value;
      }
      return undefined;
  }
}

function sourceValue({ property, pattern, value }: ValueSource, id: string, properties: Json): unknown {
  const found = property === "id" ? id : properties[property];
  if (found === undefined || found === null || found === "") return undefined;
  if (pattern === undefined) return found;
  return typeof found === "string" ? findPattern(found, pattern, value) : undefined;
}

/**
 * RFC 3339 in UTC: a bare date is its first second, and a space, which Planetary Computer writes in times of Sentinel-1,
 * separates date and time as `T` does; `undefined` for what is no time.
 */
function dateTime(value: unknown): string | undefined {
  const text = textOf(value)?.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, "$1T");
  if (text === undefined) return undefined;
  if (findDay(text) !== undefined) return `${text}T00:00:00Z`;
  return findInstant(text) === undefined ? undefined : text.replace(/(\+00:00|z)$/, "Z").replace("t", "T");
}

/** Returns the instruments that the item names, else those of the collection's rule for its id. */
function instrumentsOf({ upstream }: CollectionSchema, id: string, properties: Json): string[] | undefined {
  const texts = listOf(properties.instruments).filter((name) => typeof name === "string");
  const names = texts.length > 0 ? texts : textOf(properties["eo:instrument"])?.split("_");
  if (names !== undefined) return names.map((name) => name.toLowerCase());
  const rule = upstream.instrumentsFromId?.find(({ pattern }) => findPattern(id, pattern, "$&") !== undefined);
  return rule === undefined ? undefined : [...rule.instruments];
}

/** Angles under the names of the view extension; azimuths, which Landsat writes in ±180, as 0 to 360. */
function takeAngles(properties: Json, result: Record<string, unknown>): void {
  for (const name of ["sun_azimuth", "sun_elevation", "off_nadir"]) {
    const value = numberOf(properties[`view:${name}`]) ?? numberOf(properties[`eo:${name}`]);
    if (value !== undefined) result[`view:${name}`] = value;
  }
  for (const key of ["view:sun_azimuth", "view:azimuth"]) {
    const value = numberOf(result[key]);
    if (value !== undefined && value < 0) result[key] = value + 360;
  }
}
