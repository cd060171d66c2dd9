import type { MapView } from "../../view/view.ts";
import { type Attributes, attributeFault, type Days, daysOf, numberOf } from "../attributes.ts";

/** Two images of a map token's preset. */
export interface SwipeRequest {
  /** Address of the map, with its token and no slash at its end. */
  readonly map: string;
  readonly preset: string;
  /** Absent: the one that the preset is made for. */
  readonly collection: string | undefined;
  readonly left: Days;
  readonly right: Days;
}

const MAP = /^https?:\/\/[^?#]+\/v1\/m\/[^/?#]+\/?$/;
const PRESET = /^[A-Za-z0-9_.-]{1,128}$/;

/** @throws {ApiError} which says what an attribute lacks */
export function readSwipe(attributes: Attributes): SwipeRequest {
  const map = attributes("map")?.trim() ?? "";
  if (!MAP.test(map))
    throw attributeFault("map", "expected an address of a map token, https://maps.example/v1/m/TOKEN.");
  const preset = attributes("preset")?.trim() ?? "";
  if (!PRESET.test(preset)) throw attributeFault("preset", "expected the id of a preset, true-color.");
  return {
    map: map.replace(/\/$/, ""),
    preset,
    collection: attributes("collection")?.trim() || undefined,
    left: daysOf(attributes, "left"),
    right: daysOf(attributes, "right"),
  };
}

/**
 * The place that attributes name; what they do not is undefined.
 *
 * @throws {ApiError} where it is none
 */
export function readPlace(attributes: Attributes): Partial<MapView> {
  const zoom = numberOf(attributes, "zoom", 0, 22);
  const [lon, lat, ...rest] = (attributes("center") ?? "")
    .split(",")
    .map((part) => (part.trim() === "" ? NaN : Number(part)));
  const place = zoom === undefined ? {} : { zoom };
  if (attributes("center") === null) return place;
  const isPlace =
    lon !== undefined && lat !== undefined && Math.abs(lon) <= 180 && Math.abs(lat) <= 85 && rest.length === 0;
  if (!isPlace) throw attributeFault("center", "expected longitude and latitude in degrees, 12.25,45.75.");
  return { ...place, lon, lat };
}
