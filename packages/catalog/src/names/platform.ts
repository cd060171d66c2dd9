import { findInstant } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { findPattern } from "@swath/schema/files";
import { type Json, textOf } from "../json.ts";
import { platformByOrbit } from "./orbit-platform.ts";

/**
 * The platform of an item in lower case with hyphens (`LANDSAT_8` becomes `landsat-8`): from `platform`, from
 * `eo:platform` of STAC 0.7, or from the id as the collection says.
 */
export function platformOf(collection: CollectionSchema, id: string, properties: Json): string | undefined {
  const named = textOf(properties.platform) ?? textOf(properties["eo:platform"]);
  if (named !== undefined) return canonicalPlatform(named);
  for (const { pattern, platform } of collection.upstream.platformFromId ?? []) {
    const found = findPattern(id, pattern, platform);
    if (found !== undefined) return canonicalPlatform(found);
  }
  return undefined;
}

/**
 * The platform of an item that names none: the satellite that was over it, where the collection knows the orbit.
 *
 * @param latitude of the middle of its footprint, degrees.
 */
export function platformOverhead(
  { upstream }: CollectionSchema,
  id: string,
  datetime: string | null,
  latitude: number | undefined,
): string | undefined {
  const { platformFromOrbit: rules = [] } = upstream;
  if (rules.length === 0 || datetime === null || latitude === undefined) return undefined;
  const instant = findInstant(datetime);
  const time = instant === undefined ? Number.NaN : Number(instant.nanoseconds / 1_000_000n);
  return platformByOrbit(rules, id, time, latitude);
}

/** A platform in lower case with hyphens. */
export function canonicalPlatform(platform: string): string {
  return platform.toLowerCase().replaceAll(/[_ ]/g, "-");
}

/** Whether a collection shows items of this platform. */
export function hasPlatform({ platforms }: CollectionSchema, platform: string | undefined): boolean {
  return platforms.length === 0 || (platform !== undefined && platforms.includes(platform));
}

/**
 * The spellings of a platform that catalogs use: `landsat-8`, `Landsat-8`, `LANDSAT-8`, and each with underscores. The
 * lower case one comes first.
 */
export function platformSpellings(platform: string): string[] {
  const cased = [
    platform,
    platform.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
    platform.replace(/(^|-)(\d*)([a-z])/g, (_, before, digits, letter) => before + digits + letter.toUpperCase()),
    platform.toUpperCase(),
  ];
  return [...new Set(cased.flatMap((name) => [name, name.replaceAll("-", "_")]))];
}
