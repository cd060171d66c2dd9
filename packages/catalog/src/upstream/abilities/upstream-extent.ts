import { compareInstants, findInstant } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { Extent } from "../../catalog.ts";
import { type Json, jsonOf, listOf, numbersOf, textOf } from "../../json.ts";

/** The extent in an upstream's collection document, cut to the time for which the service's collection has platforms. */
export function toUpstreamExtent(document: Json, schema: CollectionSchema): Extent {
  const extent = jsonOf(document.extent);
  const boxes = listOf(jsonOf(extent.spatial).bbox).flatMap((box) => {
    const numbers = numbersOf(box);
    if (numbers?.length !== 4 && numbers?.length !== 6) return [];
    const [west = -180, south = -90, east = 180, north = 90] =
      numbers.length === 4 ? numbers : [0, 1, 3, 4].map((i) => numbers[i]);
    return [[west, south, east, north] as const];
  });
  const [start, end] = listOf(listOf(jsonOf(extent.temporal).interval)[0]).map(textOf);
  return {
    // two boxes would be invalid in STAC 1.1: one, or an overall one and two or more
    spatial: { bbox: boxes.length === 0 ? [[-180, -90, 180, 90]] : boxes.length === 2 ? boxes.slice(0, 1) : boxes },
    temporal: { interval: [[later(start, schema.start), end ?? null]] },
  };
}

function later(a: string | undefined, b: string): string {
  const [first, second] = [a === undefined ? undefined : findInstant(a), findInstant(b)];
  if (a === undefined || first === undefined) return b;
  return second !== undefined && compareInstants(first, second) < 0 ? b : a;
}
