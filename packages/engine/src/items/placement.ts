import type { Item } from "@swath/catalog";
import { type Affine, utmZone } from "@swath/raster";
import type { FootprintRing } from "../run/scene/scene-read.ts";

/** Where the pixels of a file are. */
export interface Placement {
  /** `EPSG:n`; it may be unknown here. */
  readonly crs: string;
  readonly transform: Affine;
}

/** A fact that an asset states, else its item. */
export function assetFact({ assets, properties }: Item, asset: string | undefined, name: string): unknown {
  const own = asset === undefined ? undefined : (assets[asset] as Readonly<Record<string, unknown>> | undefined);
  return own?.[name] ?? properties[name];
}

/** Returns where an item says that the pixels of a file are; `undefined` where it says a part of it alone. */
export function placementOf(item: Item, asset: string | undefined): Placement | undefined {
  const crs = crsName(assetFact(item, asset, "proj:code") ?? assetFact(item, asset, "proj:epsg"));
  const transform = affineOf(assetFact(item, asset, "proj:transform"));
  return crs === undefined || transform === undefined ? undefined : { crs, transform };
}

function crsName(code: unknown): string | undefined {
  if (typeof code === "number") return `EPSG:${code}`;
  return typeof code === "string" && /^EPSG:\d+$/.test(code) ? code : undefined;
}

/** Six numbers, or the nine of a matrix with its last row. */
function affineOf(value: unknown): Affine | undefined {
  if (!Array.isArray(value) || (value.length !== 6 && value.length !== 9)) return undefined;
  const numbers = value.slice(0, 6).map(Number);
  return numbers.every(Number.isFinite) ? (numbers as unknown as Affine) : undefined;
}

/** Returns the UTM zone in which an item says that its pixels are. */
export function zoneOf({ properties }: Item): string | undefined {
  const crs = crsName(properties["proj:code"] ?? properties["proj:epsg"]);
  return utmZone(Number(crs?.slice("EPSG:".length))) === undefined ? undefined : crs;
}

/** Outer rings of an item's footprint, in degrees. */
export function footprintOf(item: { readonly geometry: unknown }): readonly FootprintRing[] {
  const geometry = item.geometry as { type?: string; coordinates?: unknown } | null;
  if (geometry?.type === "Polygon") return (geometry.coordinates as FootprintRing[]).slice(0, 1);
  if (geometry?.type === "MultiPolygon")
    return (geometry.coordinates as FootprintRing[][]).flatMap((polygon) => polygon.slice(0, 1));
  return [];
}
