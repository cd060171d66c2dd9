import { type Bbox, wrapBbox } from "@swath/geometry";
import { below, faultAt, type InputLocation, shown } from "../input-location.ts";
import type { Coordinates } from "./intersects.ts";

/**
 * Reads a box: `west,south,east,north` as text in a query, an array of numbers in a body. Six numbers carry heights,
 * which are dropped (OGC API Features Part 1, /req/core/fc-bbox-definition). Longitudes beyond ±180 are wrapped into
 * the range; a box at least 360° wide becomes the whole circle.
 *
 * @param coordinates `"planar"` for a box in metres: any numbers with west ≤ east and south ≤ north
 * @throws {QueryError} unless there are four or six finite numbers with latitudes in −90..90, south ≤ north,
 *   longitudes in −360..360 and heights in order.
 * @example parseBbox("170,-45,-170,-40") // 20° wide, across the antimeridian
 */
export function parseBbox(
  input: unknown,
  location: InputLocation = { in: "query", pointer: "bbox" },
  coordinates: Coordinates = "degrees",
): Bbox {
  const numbers = location.in === "query" ? numbersOfText(input, location) : numbersOfArray(input, location);
  const corners = numbers.length === 6 ? [0, 1, 3, 4] : [0, 1, 2, 3];
  const [west, south, east, north] = corners.map((i) => numbers[i]) as [number, number, number, number];
  if (coordinates === "planar") return planarBox([west, south, east, north], location);
  const highest = Math.max(Math.abs(south), Math.abs(north));
  if (highest > 90) throw faultAt(location, `Expected latitudes from -90 to 90, got ${south} and ${north}.`);
  if (south > north) throw faultAt(location, `South ${south} is north of north ${north}.`);
  if (Math.max(Math.abs(west), Math.abs(east)) > 360) {
    throw faultAt(location, `Expected longitudes from -180 to 180, got ${west} and ${east}.`);
  }
  const [bottom, top] = numbers.length === 6 ? [numbers[2] ?? 0, numbers[5] ?? 0] : [0, 0];
  if (bottom > top) throw faultAt(location, `The lowest height ${bottom} is above the highest ${top}.`);
  return wrapBbox([west, south, east, north]);
}

function planarBox(bbox: Bbox, location: InputLocation): Bbox {
  const [west, south, east, north] = bbox;
  if (west > east) {
    const detail = `West ${west} is greater than east ${east}: only boxes in degrees may cross the antimeridian.`;
    throw faultAt(location, detail);
  }
  if (south > north) throw faultAt(location, `South ${south} is north of north ${north}.`);
  return bbox;
}

/** The text form; `parseBbox(formatBbox(b))` equals `b`. */
export function formatBbox(bbox: Bbox): string {
  return bbox.join(",");
}

function numbersOfText(input: unknown, location: InputLocation): number[] {
  if (typeof input !== "string") throw faultAt(location, `Expected 4 or 6 numbers, got ${shown(input)}.`);
  const parts = input.split(",", 8);
  const numbers = parts.map((part) => (/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(part) ? Number(part) : NaN));
  if ((numbers.length !== 4 && numbers.length !== 6) || !numbers.every(Number.isFinite)) {
    throw faultAt(location, `Expected 4 or 6 numbers, got ${shown(input)}.`);
  }
  return numbers;
}

function numbersOfArray(input: unknown, location: InputLocation): number[] {
  if (!Array.isArray(input) || (input.length !== 4 && input.length !== 6)) {
    throw faultAt(location, `Expected an array of 4 or 6 numbers, got ${shown(input)}.`);
  }
  return input.map((value, i) => {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw faultAt(below(location, i), `Expected a number, got ${shown(value)}.`);
  });
}
